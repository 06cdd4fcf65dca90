#pragma once

/// Random delays wherever a task or a handler suspends, in the runtime too.
///
/// A worker that has been woken may run at once or a good deal later; nothing may rely on which.
/// In a test that is linked with delayed_suspensions of tests/CMakeLists.txt, the linker takes
/// delayed_suspend() for Scheduler::suspend() in all other files, so that no line of the runtime
/// knows of it. It suspends, and then, sometimes, yields a few times before it returns, or keeps
/// the whole core busy for some microseconds.

#include "tests/harness/random.hpp"

#include <cstdint>

namespace linearizability {

typedef Grappa::SplitMix64 Random;

/// Lets a random number of others run, or keeps the core from running any. Suspends: if others are
/// ready.
void delay(Random* random);

/// From now on suspensions of this core are delayed.
void begin_delays(uint64_t seed);

/// From now on they are not.
void end_delays();

/// How many this core has delayed, of all since its program began.
int64_t delays_here();

}  // namespace linearizability
