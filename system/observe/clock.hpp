#pragma once

/// The clocks. Higher layers read clocks only through this header. On x86-64, ticks are the time
/// stamp counter of the processor; on other processors, ticks are nanoseconds. Both clocks are
/// monotonic on one core. Ticks of two machines are not comparable.

#include "system/base/compiler.hpp"

#include <cstdint>

namespace Grappa {

namespace detail {

uint64_t steady_ns();  // since a fixed point in the past

extern const uint64_t* virtual_ns;  // the time of the VirtualClock, or null without one

void sleep_thread_ns(uint64_t ns);  // returns immediately under a VirtualClock

inline uint64_t ticks() {
  if (GRAPPA_UNLIKELY(detail::virtual_ns != nullptr)) return *detail::virtual_ns;
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

/// Returns the number of ticks to load the byte at `address` and to read the clock.
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

/// While a VirtualClock exists, time advances only by advance_ns(), and a tick is a nanosecond. At
/// most one VirtualClock exists at a time.
class VirtualClock {
 public:
  explicit VirtualClock(uint64_t start_ns = 1000000000);
  ~VirtualClock();
  VirtualClock(const VirtualClock&) = delete;
  VirtualClock& operator=(const VirtualClock&) = delete;

  uint64_t now_ns() const { return now_ns_; }
  void advance_ns(uint64_t ns) { now_ns_ += ns; }

 private:
  uint64_t now_ns_;
};

}  // namespace detail

/// Returns the seconds since a fixed point in the past. The clock is monotonic.
double walltime();

}  // namespace Grappa
