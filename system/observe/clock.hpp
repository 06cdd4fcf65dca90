#pragma once

/// The clocks. Higher layers read clocks only through this header. On x86-64, ticks are the time
/// stamp counter of the processor; on other processors, ticks are nanoseconds. Both clocks are
/// monotonic on one core. Ticks of two machines are not comparable.

#include "system/base/compiler.hpp"

#include <cstdint>

namespace Grappa {

namespace detail {

/// The clock of a simulation, which replaces the clocks of this process. A tick is then a
/// nanosecond. Time passes by the work that the core does (WorkDone), and while the core is idle.
class VirtualTime {
 public:
  virtual uint64_t now_ns() = 0;  // does not decrease

  /// Called by a core with nothing to do. Returns when a message has arrived, when a collective
  /// operation of the World has ended, or at `wake_ns`, whichever is first.
  virtual void idle_until(uint64_t wake_ns) = 0;

  /// Called after `messages` messages of a handler with `bytes` bytes in all were executed.
  virtual void executed(const void* handler, uint64_t messages, uint64_t bytes) = 0;

  /// Returns a number below `n`: which of `n` ready workers, in the order of the queue, runs next.
  virtual uint64_t choose(uint64_t) { return 0; }

  /// Called on each core when it learns of a deadlock. `has_work`: the core is not quiescent.
  virtual void deadlocked(bool has_work) { (void)has_work; }

 protected:
  ~VirtualTime() = default;
};

extern VirtualTime* virtual_time;  // null: real time

/// The work of this core so far, from which a simulation derives the time that it took. A count
/// never decreases.
struct WorkDone {
  uint64_t iterations = 0;  // of loops over the iteration space of a core
  uint64_t switches = 0;    // between workers; some of the latest are counted later
  uint64_t tasks = 0;       // started
  uint64_t calls = 0;       // whose caller waits for an answer
  uint64_t misses = 0;      // by charge_misses()
  uint64_t charged_ns = 0;  // by charge_ns()
};

extern WorkDone work_done;

uint64_t steady_ns();  // since a fixed point in the past

void sleep_thread_ns(uint64_t ns);  // returns immediately under a VirtualTime

inline uint64_t ticks() {
  if (GRAPPA_UNLIKELY(virtual_time != nullptr)) return virtual_time->now_ns();
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // including <x86intrin.h> takes half a second per source file
#else
  return steady_ns();
#endif
}

/// Completes all earlier loads. Without this call, the processor may read the clock before them.
inline void complete_loads() {
#if defined(__x86_64__)
  __builtin_ia32_lfence();
#endif
}

/// Returns the number of ticks to load the byte at `address` and to read the clock. Under a
/// VirtualTime, that is what the clock charges for its readings.
inline uint64_t load_ticks(const void* address) {
  complete_loads();
  const uint64_t before = ticks();
  (void)*static_cast<const volatile char*>(address);
  complete_loads();
  return ticks() - before;
}

/// Returns the tick rate. The first call measures the rate, which takes a millisecond.
double ticks_per_ns();

inline uint64_t ticks_of(int64_t ns) {
  return static_cast<uint64_t>(static_cast<double>(ns) * ticks_per_ns());
}

/// For tests: while the latest VirtualClock exists, time advances only by its advance_ns().
class VirtualClock final : public VirtualTime {
 public:
  explicit VirtualClock(uint64_t start_ns = 1000000000);
  ~VirtualClock();
  VirtualClock(const VirtualClock&) = delete;
  VirtualClock& operator=(const VirtualClock&) = delete;

  uint64_t now_ns() override { return now_ns_; }
  void idle_until(uint64_t) override {}
  void executed(const void*, uint64_t, uint64_t) override {}
  void advance_ns(uint64_t ns) { now_ns_ += ns; }

 private:
  uint64_t now_ns_;
  VirtualTime* const before_;
};

}  // namespace detail

/// Returns the seconds since a fixed point in the past. The clock is monotonic.
double walltime();

/// In a simulated cluster, adds the time of computation of the program itself, which the virtual
/// clock does not see: `ns` nanoseconds on a reference processor, multiplied by core.charged_ns of
/// the network file. Elsewhere, has no effect. From: any.
inline void charge_ns(uint64_t ns) { detail::work_done.charged_ns += ns; }

/// Likewise, adds the time of `n` accesses to memory that is in no cache, while prefetching or the
/// processor overlaps several of them: core.miss_ns of the network file for each. From: any.
inline void charge_misses(uint64_t n) { detail::work_done.misses += n; }

}  // namespace Grappa
