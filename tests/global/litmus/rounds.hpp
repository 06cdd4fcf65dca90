#pragma once

/// Runs litmus programs on the real runtime, thousands of rounds at a time.
///
/// In each round every word belongs to another core, as far as there are, and every thread is a
/// task of some core. Before and after each access a thread does something that takes a random
/// time, and each access is made by one of the delegates that do the same. All choices follow from
/// a seed.

#include "tests/global/litmus/program.hpp"

#include <cstdint>
#include <map>

namespace litmus {

/// How the threads access words.
enum class Way {
  Blocking,       // by blocking delegates: sequentially consistent
  FinishedAsync,  // writes by async delegates, each in a scope that the thread waits for: the same
  Async,          // writes by async delegates that nobody waits for: wrong, to see that it is seen
  Unordered       // every access in a task of its own: wrong in every program
};

/// How often each outcome was seen. From: the main task.
std::map<Outcome, int64_t> run_rounds(size_t program, Way way, int64_t rounds, uint64_t seed);

}  // namespace litmus
