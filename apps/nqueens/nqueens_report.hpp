#pragma once

/// The output of the program.

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
