/// Counts the ways to put n queens on a board so that no queen attacks another queen. Idle cores
/// steal tasks. Checks the count, and prints the share of each core.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/nqueens/nqueens.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

DEFINE_int64(n, 12, "number of queens, and of rows and columns of the board");
DEFINE_int64(task_rows, 4, "number of rows whose queens are separate tasks; at most --n are used");

namespace {

using nqueens::Share;

bool count_queens() {
  apps::check_range("n", FLAGS_n, 1, nqueens::kMostQueens);
  apps::check_range("task_rows", FLAGS_task_rows, 0, nqueens::kMostQueens);
  const int n = int(FLAGS_n);
  const int task_rows = int(std::min(FLAGS_task_rows, FLAGS_n));
  std::vector<Share> by_core;
  const double seconds = apps::seconds_of([&] { by_core = nqueens::count(n, task_rows); });

  const Share all = nqueens::total(by_core);
  const std::string wrong = nqueens::wrong_count(n, all.solutions);
  if (apps::report_wrong("nqueens", wrong)) return false;
  std::cout << "queens: " << n << "\ntask_rows: " << task_rows << "\nsolutions: " << all.solutions
            << "\ntasks: " << all.tasks << "\ncores: " << by_core.size() << "\n";
  for (size_t core = 0; core < by_core.size(); ++core) {
    std::cout << "core " << core << ": " << by_core[core].solutions << " solutions, "
              << by_core[core].tasks << " tasks\n";
  }
  std::cout << "seconds: " << apps::number("%.6f", seconds) << "\nverified" << std::endl;
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &count_queens); }
