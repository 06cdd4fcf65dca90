#pragma once

/// Runs litmus programs on the real runtime. A batch consists of thousands of rounds that run
/// concurrently.
///
/// In each round, the words are on different cores if the job has enough cores. Each thread is a
/// task of a random core. Before and after each access, the thread waits for a random time. For
/// each access, a delegate is chosen at random from several equivalent delegates. All random
/// choices depend only on a seed.

#include "tests/global/litmus/program.hpp"

#include <cstdint>
#include <map>

namespace litmus {

/// The method by which the threads access words.
enum class Way {
  Blocking,       // blocking delegates: sequentially consistent
  FinishedAsync,  // async writes, each inside its own finish: sequentially consistent
  Async,          // async writes without a wait: deliberately wrong
  Unordered       // a separate task for each access: wrong in every program
};

/// Runs the rounds and returns the number of occurrences of each outcome. From: the main task.
std::map<Outcome, int64_t> run_rounds(size_t program, Way way, int64_t rounds, uint64_t seed);

}  // namespace litmus
