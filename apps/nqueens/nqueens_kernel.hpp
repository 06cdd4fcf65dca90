#pragma once

/// A count by tasks that any core may run.

#include <Grappa.hpp>

#include <cstdint>
#include <vector>

namespace nqueens {

/// The work of one core.
struct Share {
  int64_t solutions;
  int64_t tasks;
};

/// Counts the ways to put `n` queens on a board of n rows and columns where no queen attacks
/// another one. Each position of a queen in the first `task_rows` rows is a separate task, which
/// any core may run; one task searches all rows below. Returns the share of each core. Only one
/// count may run at a time. From: task. Suspends until the count is complete. Messages: about 4 for
/// each other core, and those of work stealing.
std::vector<Share> count(int n, int task_rows);

/// The sum over all cores.
Share total(const std::vector<Share>& by_core);

}  // namespace nqueens
