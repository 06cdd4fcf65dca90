#pragma once

/// Updates of random words of a table that is spread over all cores.

#include "apps/gups/gups_table.hpp"

#include <cstdint>

namespace gups {

enum class Mode {
  Async,     // add 1; nobody waits for an update, only for all of them
  Blocking,  // add 1; each update waits until it has happened, while others of its core go on
  Xor        // combine with the number of the update by exclusive or; else like Async
};

/// Makes updates 0 ... n-1, each core its part, and counts them as `done`. Returns when all have
/// been applied.
/// From: task. Suspends: until all have been applied. Messages: one for each update, or two if they
/// block.
void update(const Table& table, Mode mode, int64_t n,
            Grappa::Progress::Counter done = Grappa::Progress::Counter());

}  // namespace gups
