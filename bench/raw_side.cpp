#include "bench/raw_side.hpp"

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bench {
namespace {

// The exchange of this core.
std::unique_ptr<raw::Exchange> exchange;
std::unique_ptr<raw::PingPong> ping_pong;

// Maps memory that process `pid` has open as `descriptor`, with the alignment of Exchange.
void* attach(int pid, int descriptor, size_t bytes) {
  const std::string path = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  GRAPPA_CHECK(file >= 0) << path << ": " << std::strerror(errno)
                          << "; run all cores of this benchmark on one machine as one user";
  void* const place = Grappa::detail::map_private_aligned(bytes, Grappa::detail::kHugePageBytes);
  void* const mapped =
      ::mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
  GRAPPA_CHECK(mapped == place) << "the kernel refuses to map " << bytes
                                << " shared bytes: " << std::strerror(errno);
  ::close(file);
  return mapped;
}

}  // namespace

double detail::raw_ns = 0;

raw::Exchange& raw_exchange() { return *exchange; }

raw::PingPong& raw_ping_pong() { return *ping_pong; }

void prepare_raw_side() {
  const size_t exchange_bytes = raw::Exchange::bytes_needed(Grappa::cores());
  const size_t bytes = Grappa::detail::align_up(exchange_bytes + sizeof(raw::PingPong::Court),
                                                Grappa::detail::page_bytes());
  Grappa::detail::SharedMemory memory = Grappa::detail::create_shared_memory(bytes);
  const int pid = ::getpid();
  const int descriptor = memory.descriptor;
  Grappa::on_all_cores([pid, descriptor, exchange_bytes, bytes] {
    char* const mapped = static_cast<char*>(attach(pid, descriptor, bytes));
    exchange.reset(new raw::Exchange(mapped, Grappa::cores(), Grappa::mycore()));
    ping_pong.reset(new raw::PingPong(mapped + exchange_bytes));
  });
  Grappa::detail::close_shared_memory(&memory);
  Grappa::detail::unmap(memory.address, memory.bytes);
}

double raw_half_round_trip_ns() {
  constexpr int kBursts = 9;
  constexpr int64_t kTrips = 1000;  // 0.1 ms, or 0.6 ms in the slow regime
  if (Grappa::cores() == 1) return 0;
  std::vector<double> bursts;
  for (int k = 0; k < kBursts; ++k) {
    const double ns = raw_time_ns([] {
      if (Grappa::mycore() == 0) raw_ping_pong().serve(kTrips);
      if (Grappa::mycore() == 1) raw_ping_pong().answer(kTrips);
    });
    bursts.push_back(ns / double(2 * kTrips));
  }
  std::nth_element(bursts.begin(), bursts.begin() + kBursts / 2, bursts.end());
  return bursts[kBursts / 2];
}

}  // namespace bench
