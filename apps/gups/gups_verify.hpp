#pragma once

/// Checks of the table after the updates, from only the table and the number of updates. If the
/// table is wrong, the functions return a description of the error, otherwise an empty string.
/// From: task. Suspends until all words have been read.

#include "apps/gups/gups_kernel.hpp"

#include <cstdint>
#include <string>

namespace gups {

/// For `updates` updates that add 1 to a table of zeros: each update must have been applied once.
std::string wrong_sum(const Table& table, int64_t updates);

/// Sets each word to its index in the table.
void number_words(const Table& table);

/// For updates 0 to n-1 that have flipped bits of numbered words once: the exclusive or of all
/// words must contain each number.
std::string wrong_exclusive_or(const Table& table, int64_t updates);

/// For updates that have flipped bits twice: each word must be its index again.
std::string wrong_numbers(const Table& table);

}  // namespace gups
