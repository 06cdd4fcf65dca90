#include "bench/harness/ping_pong.hpp"

#include "apps/common/statistics.hpp"
#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

constexpr int kBursts = 9;
constexpr int kRoundTrips = 1000;            // of a burst: 0.1 ms, or 0.6 ms in the slow regime
constexpr uint64_t kLimitNs = 40 * 1000000;  // limit for a game if a processor is busy
constexpr int kLooksPerClock = 1024;         // polls of a waiting process between clock reads
constexpr uint32_t kOver = ~uint32_t(0);     // value of the ball that ends a game

enum PartnerState : uint32_t { kWaiting, kPlaying, kWithoutProcessor };

typedef std::atomic<uint32_t> Shared;

// Waits until the value differs from `old`. Returns the new value, or `old` at the deadline.
uint32_t wait_while(const Shared& value, uint32_t old, uint64_t deadline_ns) {
  do {
    for (int look = 0; look < kLooksPerClock; ++look) {
      const uint32_t now = value.load(std::memory_order_acquire);  // pairs with set()
      if (now != old) return now;
    }
  } while (Grappa::detail::steady_ns() < deadline_ns);
  return old;
}

void set(Shared* value, uint32_t now) {
  value->store(now, std::memory_order_release);  // pairs with the acquire in wait_while()
}

bool pin_to(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(processor), &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

// Moves this process to the first allowed processor other than `processor`. Ignores the current
// affinity, because mpirun binds each process of a job to one processor.
bool pin_away_from(int processor) {
  for (int other = 0; other < CPU_SETSIZE; ++other) {
    if (other != processor && pin_to(other)) return true;
  }
  return false;
}

// Pins the caller to its current processor during the lifetime of the object.
class PinnedHere {
 public:
  PinnedHere() : processor_(::sched_getcpu()) {
    ::sched_getaffinity(0, sizeof before_, &before_);
    pin_to(processor_);
  }
  ~PinnedHere() { ::sched_setaffinity(0, sizeof before_, &before_); }
  PinnedHere(const PinnedHere&) = delete;
  PinnedHere& operator=(const PinnedHere&) = delete;

  int processor() const { return processor_; }

 private:
  const int processor_;
  cpu_set_t before_;
};

}  // namespace

// The memory that both processes share.
struct PingPong::Court {
  alignas(Grappa::detail::kCacheLineBytes) Shared ball;  // the number of hits in this game
  alignas(Grappa::detail::kCacheLineBytes) Shared partner;
  int our_processor;  // set before the start byte of the game is sent

  // Returns the nanoseconds of one burst, or 0 if the burst exceeds the deadline.
  double burst(uint32_t* hits, uint64_t deadline_ns) {
    const uint64_t start = Grappa::detail::steady_ns();
    for (int trip = 0; trip < kRoundTrips; ++trip) {
      set(&ball, ++*hits);
      if (wait_while(ball, *hits, deadline_ns) != *hits + 1) return 0;
      ++*hits;
    }
    return static_cast<double>(Grappa::detail::steady_ns() - start);
  }

  // Plays the partner's part of a game.
  void return_balls() {
    const uint64_t deadline_ns = Grappa::detail::steady_ns() + kLimitNs;
    const bool pinned = pin_away_from(our_processor);
    set(&partner, pinned ? kPlaying : kWithoutProcessor);
    uint32_t last = 0;
    for (;;) {
      const uint32_t now = wait_while(ball, last, deadline_ns);
      if (now == last || now == kOver) break;
      last = now + 1;
      set(&ball, last);
    }
    set(&partner, kWaiting);
  }

  // Runs the main loop of the partner.
  [[noreturn]] void serve(int socket) {
    char byte;
    ssize_t got;
    do {
      got = ::read(socket, &byte, 1);
      if (got == 1) return_balls();
    } while (got == 1 || (got < 0 && errno == EINTR));
    ::_exit(0);
  }
};

PingPong::PingPong()
    : memory_(Grappa::detail::create_shared_memory(sizeof(Court))),
      court_(new (memory_.address) Court()) {
  int ends[2];
  GRAPPA_CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0)
      << "socketpair: " << std::strerror(errno);
  partner_ = ::fork();
  GRAPPA_CHECK(partner_ >= 0) << "cannot start a second process to probe the machine: "
                              << std::strerror(errno);
  if (partner_ == 0) {
    ::close(ends[0]);
    court_->serve(ends[1]);
  }
  ::close(ends[1]);
  partner_socket_ = ends[0];
  Grappa::detail::close_shared_memory(&memory_);
}

PingPong::~PingPong() {
  ::close(partner_socket_);
  ::waitpid(partner_, nullptr, 0);
  Grappa::detail::unmap(memory_.address, memory_.bytes);
}

double PingPong::half_round_trip_ns() {
  const uint64_t deadline_ns = Grappa::detail::steady_ns() + kLimitNs;
  const PinnedHere here;
  // If the partner was too slow in the last game, it may still be in that game.
  const uint32_t last_game = court_->partner.load(std::memory_order_acquire);  // pairs with set()
  if (last_game != kWaiting && wait_while(court_->partner, last_game, deadline_ns) != kWaiting) {
    return 0;
  }
  set(&court_->ball, 0);
  court_->our_processor = here.processor();
  if (::send(partner_socket_, "", 1, MSG_NOSIGNAL) != 1) return 0;

  std::vector<double> bursts;
  if (wait_while(court_->partner, kWaiting, deadline_ns) == kPlaying) {
    uint32_t hits = 0;
    for (int k = 0; k < kBursts; ++k) {
      const double ns = court_->burst(&hits, deadline_ns);
      if (ns == 0) break;
      bursts.push_back(ns / (2 * kRoundTrips));
    }
  }
  set(&court_->ball, kOver);
  return bursts.empty() ? 0 : apps::summarize(bursts).median;
}

}  // namespace bench
