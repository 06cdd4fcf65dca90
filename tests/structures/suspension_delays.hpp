#pragma once

/// Random delays wherever a task or a handler suspends, in the runtime too.
///
/// A worker that has been woken may run at once or a good deal later; nothing may rely on which.
/// In a test that is linked with delayed_suspensions of tests/CMakeLists.txt, the linker takes
/// delayed_suspend() for Scheduler::suspend() in all other files, so that no line of the runtime
/// knows of it. It suspends, and then, sometimes, yields a few times before it returns, or keeps
/// the whole core busy for some microseconds.

#include <cstdint>

namespace linearizability {

/// Random numbers. Splitmix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  int64_t below(int64_t n) { return static_cast<int64_t>(next() % static_cast<uint64_t>(n)); }

  uint64_t next() {
    uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
  }

 private:
  uint64_t state_;
};

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
