#pragma once

/// Counting by tasks that any core may take.

#include <Grappa.hpp>

#include <cstdint>
#include <vector>

namespace nqueens {

/// What one core has done.
struct Share {
  int64_t solutions;
  int64_t tasks;
};

/// Counts the ways to put `n` queens on a board of n rows and columns so that none attacks another.
/// A queen in one of the first `task_rows` rows is a task of its own, which any core may take; the
/// rows below are one task's. Returns the share of each core. One count at a time.
/// From: task. Suspends: until all has been counted. Messages: about 4 for each other core, and
/// those of thieves.
std::vector<Share> count(int n, int task_rows);

/// The sum of them all.
Share total(const std::vector<Share>& by_core);

}  // namespace nqueens
