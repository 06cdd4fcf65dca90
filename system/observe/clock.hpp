#pragma once

/// The door to time: nothing above reads a clock in any other way.
///
/// Ticks are the processor's time stamp counter where there is one (a few nanoseconds to read, no
/// system call), nanoseconds elsewhere. Both are monotonic on one core; ticks of two machines are
/// not comparable.

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace Grappa {

/// Seconds since some point in the past; monotonic.
double walltime();

/// Nanoseconds since some point in the past; monotonic.
uint64_t steady_ns();

inline uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return steady_ns();
#endif
}

/// Measured once, on the first call, which takes a millisecond.
double ticks_per_ns();

}  // namespace Grappa
