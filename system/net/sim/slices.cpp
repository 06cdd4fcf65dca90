#include "system/net/sim/slices.hpp"

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

/// A longer slice may contain a time slice of another process. Reading the processor time takes
/// 0.3 us.
constexpr uint64_t kLongSlicePs = 20000000;

std::string file_of(const SimOptions& options, int core) {
  return options.slices + "/core" + std::to_string(core);
}

uint64_t cpu_ns() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

/// The ticks of this machine, although the core has a virtual clock.
uint64_t real_ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
#endif
}

}  // namespace

void prepare_slices(const SimOptions& options) {
  if (options.time == SimTimes::Recorded) {
    ticks_per_ns();  // measures once for all cores
    if (::mkdir(options.slices.c_str(), 0777) == 0 || errno == EEXIST) return;
    input_error("--simulate: the folder \"" + options.slices +
                "\" cannot be created: " + std::strerror(errno));
  }
  for (int core = 0; core < options.cores(); ++core) {
    if (::access(file_of(options, core).c_str(), R_OK) != 0) {
      input_error("--simulate: " + file_of(options, core) +
                  " cannot be read: " + std::strerror(errno));
    }
  }
}

Slices::Slices(const SimOptions& options, int core)
    : record_(options.time == SimTimes::Recorded),
      ps_per_tick_(record_ ? 1000 / ticks_per_ns() : 0) {
  if (options.time == SimTimes::Charged) return;
  const int flags = record_ ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY;
  file_ = ::open(file_of(options, core).c_str(), flags | O_CLOEXEC, 0666);
  GRAPPA_CHECK(file_ >= 0) << file_of(options, core)
                           << " cannot be opened: " << std::strerror(errno);
  uint64_t least = ~uint64_t{0};
  for (int k = 0; k < 1000; ++k) {
    start();
    least = std::min(least, real_ticks() - start_ticks_);
  }
  overhead_ticks_ = least;
  checked_cpu_ns_ = cpu_ns();
}

void Slices::start() { start_ticks_ = real_ticks(); }

uint64_t Slices::measure_ps() {
  const uint64_t ticks = real_ticks() - start_ticks_;
  const uint64_t own = ticks - std::min(ticks, overhead_ticks_);
  uint64_t ps = static_cast<uint64_t>(static_cast<double>(own) * ps_per_tick_);
  if (ps > kLongSlicePs) {
    const uint64_t cpu = cpu_ns();
    ps = std::min(ps, (cpu - checked_cpu_ns_) * 1000);
    checked_cpu_ns_ = cpu;
  }
  return ps;
}

uint64_t Slices::end_ps() {
  if (!record_) return read();
  const uint64_t ps = measure_ps();
  write(ps);
  return ps;
}

/// A number takes a byte for each 7 bits, the lowest bits first. The last byte is below 128.
void Slices::write(uint64_t number) {
  constexpr size_t kLongest = 10;
  if (sizeof bytes_ - size_ < kLongest) flush();
  for (; number >= 128; number >>= 7) bytes_[size_++] = static_cast<unsigned char>(number | 128);
  bytes_[size_++] = static_cast<unsigned char>(number);
}

uint64_t Slices::read() {
  uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    if (next_ == size_) {
      const ssize_t got = ::read(file_, bytes_, sizeof bytes_);
      GRAPPA_CHECK(got > 0) << "the recorded times end before this run: replay the same command";
      next_ = 0;
      size_ = static_cast<size_t>(got);
    }
    const unsigned char byte = bytes_[next_++];
    number |= uint64_t{byte & 127u} << shift;
    if (byte < 128) return number;
  }
}

void Slices::flush() {
  for (size_t done = 0; record_ && done < size_;) {
    const ssize_t written = ::write(file_, bytes_ + done, size_ - done);
    if (written < 0 && errno == EINTR) continue;
    GRAPPA_CHECK(written > 0) << "recorded times cannot be written: " << std::strerror(errno);
    done += static_cast<size_t>(written);
  }
  size_ = 0;
}

}  // namespace Grappa::detail
