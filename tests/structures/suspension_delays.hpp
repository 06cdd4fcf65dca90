#pragma once

///
/// Random delays at each suspension of a task or a handler, also in the runtime.
///
/// A woken worker may run at once or much later, and no code may rely on either. In a test that is
/// linked with delayed_suspensions of tests/CMakeLists.txt, the linker replaces
/// suspend() by delayed_suspend() in all other files, without changes in the runtime.
/// delayed_suspend() suspends and then, at random, yields a few times before it returns, or keeps
/// the whole core busy for some microseconds.

#include "tests/harness/random.hpp"

#include <cstdint>

namespace linearizability {

typedef Grappa::SplitMix64 Random;

/// Yields to a random number of tasks, or keeps the core busy. Suspends: if other tasks are ready.
void delay(Random* random);

/// Starts delaying the suspensions of this core.
void begin_delays(uint64_t seed);

/// Stops delaying.
void end_delays();

/// The number of delayed suspensions of this core since the start of the program.
int64_t delays_here();

}  // namespace linearizability
