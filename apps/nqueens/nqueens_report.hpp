#pragma once

/// What the program says of its run.

#include "apps/nqueens/nqueens_kernel.hpp"

#include <ostream>
#include <vector>

namespace nqueens {

struct RunResult {
  int n;
  int task_rows;
  std::vector<Share> by_core;
  double seconds;
};

void print_result(const RunResult& run, std::ostream& out);

}  // namespace nqueens
