#pragma once

///
/// Adds random delays to the suspensions of tasks and handlers, including suspensions in the
/// runtime.
///
/// A woken worker may run at once or much later, and code must be correct in both cases. If a test
/// is linked with delayed_suspensions of tests/CMakeLists.txt, the linker replaces suspend() by
/// delayed_suspend() in all other files. The runtime is not changed. delayed_suspend() first
/// suspends. Then it randomly returns at once, yields a few times, or keeps the whole core busy for
/// some microseconds.

#include "tests/harness/random.hpp"

#include <cstdint>

namespace linearizability {

typedef Grappa::SplitMix64 Random;

/// Yields to a random number of tasks, or keeps the core busy. Suspends: if other tasks are ready.
void delay(Random* random);

/// Starts delaying the suspensions of this core.
void begin_delays(uint64_t seed);

/// Stops delaying the suspensions of this core.
void end_delays();

/// The number of delayed suspensions of this core since the start of the program.
int64_t delays_here();

}  // namespace linearizability
