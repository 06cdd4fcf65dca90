#pragma once

/// Updates of random words of a table that is distributed over all cores (gups_kernel.cpp), and
/// checks of the table after the updates (gups_verify.cpp).

#include <Grappa.hpp>

#include <cstdint>
#include <string>

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
  Blocking,  // add 1; the task of an update waits for it, while other tasks run
  Xor        // combine with the number of the update by exclusive or; otherwise like Async
};

/// Makes updates 0 to n-1, a part on each core, and counts them in `done`. Returns when all updates
/// have been applied. From: task. Suspends. Messages: one for each update, or two in mode Blocking.
void update(const Table& table, Mode mode, int64_t n,
            Grappa::Progress::Counter done = Grappa::Progress::Counter());

/// The checks use only the table and the number of updates. If the table is wrong, they return a
/// description of the error, otherwise an empty string. From: task. Suspends.
///
/// Checks that `updates` updates, which add 1 to a table of zeros, have been applied once each.
std::string wrong_sum(const Table& table, int64_t updates);

/// Sets each word to its index in the table.
void number_words(const Table& table);

/// Checks the table after updates 0 to n-1 have flipped bits of numbered words once. The exclusive
/// or of all words must contain each number.
std::string wrong_exclusive_or(const Table& table, int64_t updates);

/// Checks the table after updates have flipped bits twice: each word must be its index again.
std::string wrong_numbers(const Table& table);

}  // namespace gups
