#pragma once

/// Whether the table holds what the updates should have made of it, from nothing but the table and
/// the number of updates. What all functions return is empty if all is right, and else a sentence.
/// From: task. Suspends: until all words have been looked at.

#include "apps/gups/gups_table.hpp"

#include <cstdint>
#include <string>

namespace gups {

/// After `updates` that add 1 to a table of zeros: none is lost, none was applied twice.
std::string wrong_sum(const Table& table, int64_t updates);

/// Sets each word to its place in the table.
void number_words(const Table& table);

/// After updates 0 ... n-1 have flipped bits of numbered words once: each number is in the
/// exclusive or of all words.
std::string wrong_exclusive_or(const Table& table, int64_t updates);

/// After they have done so twice: each word is its place again.
std::string wrong_numbers(const Table& table);

}  // namespace gups
