#pragma once

/// Updates of random words of a table that is distributed over all cores.

#include <Grappa.hpp>

#include <cstdint>

namespace gups {

using Grappa::GlobalAddress;

/// A table of 2^log_words words over all cores.
struct Table {
  GlobalAddress<int64_t> words;
  int log_words;

  int64_t size() const { return int64_t(1) << log_words; }
};

enum class Mode {
  Async,     // add 1; only the end of the run waits for the updates
  Blocking,  // add 1; the task of each update waits until it is applied, while other tasks run
  Xor        // combine with the number of the update by exclusive or; otherwise like Async
};

/// Makes updates 0 to n-1, a part on each core, and counts them in `done`. Returns when all updates
/// have been applied.
/// From: task. Suspends until then. Messages: one for each update, two in mode Blocking.
void update(const Table& table, Mode mode, int64_t n,
            Grappa::Progress::Counter done = Grappa::Progress::Counter());

}  // namespace gups
