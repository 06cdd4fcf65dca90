#pragma once

/// The door to time: nothing above reads a clock in any other way.
///
/// Ticks are the processor's time stamp counter where there is one (a few nanoseconds to read, no
/// system call), nanoseconds elsewhere. Both are monotonic on one core; ticks of two machines are
/// not comparable. A VirtualClock takes the place of both.

#include "system/base/compiler.hpp"

#include <cstdint>

namespace Grappa {

namespace detail {

/// Nanoseconds since some point in the past; monotonic.
uint64_t steady_ns();

extern const uint64_t* virtual_ns;  // the time shown, if the clock is virtual

/// The calling thread sleeps for so long, or somewhat longer; under a VirtualClock not at all.
void sleep_thread_ns(uint64_t ns);

inline uint64_t ticks() {
  if (GRAPPA_UNLIKELY(detail::virtual_ns != nullptr)) return *detail::virtual_ns;
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();  // <x86intrin.h> would take half a second in each file
#else
  return steady_ns();
#endif
}

/// Ticks that it takes to load the byte at `address`, the reading of the clock included. What comes
/// before is not overlapped with it.
inline uint64_t load_ticks(const void* address) {
  const volatile char* byte = static_cast<const volatile char*>(address);
#if defined(__x86_64__)
  __builtin_ia32_lfence();
  const uint64_t before = ticks();
  (void)*byte;
  __builtin_ia32_lfence();
#else
  const uint64_t before = ticks();
  (void)*byte;
#endif
  return ticks() - before;
}

/// Measured once, on the first call, which takes a millisecond.
double ticks_per_ns();

/// While one exists, time stands still unless it says so, and a tick is a nanosecond. For tests,
/// and for simulated networks. At most one exists.
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

/// Seconds since some point in the past; monotonic.
double walltime();

}  // namespace Grappa
