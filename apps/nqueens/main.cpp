/// Counts the ways to put n queens on a board where no queen attacks another one, with tasks that
/// idle cores steal. Checks the count, and prints the share of each core.
///
/// Exit status: 0 if the count is right, 1 if it is wrong, 2 for invalid input.

#include <Grappa.hpp>

#include "apps/common/flags.hpp"
#include "apps/common/program.hpp"
#include "apps/nqueens/nqueens_board.hpp"
#include "apps/nqueens/nqueens_kernel.hpp"
#include "apps/nqueens/nqueens_report.hpp"
#include "apps/nqueens/nqueens_verify.hpp"

#include <algorithm>
#include <iostream>
#include <string>

DEFINE_int64(n, 12, "number of queens, and of rows and columns of the board");
DEFINE_int64(task_rows, 4, "number of rows whose queens are separate tasks; at most --n are used");

namespace {

bool count_queens() {
  apps::check_range("n", FLAGS_n, 1, nqueens::kMostQueens);
  apps::check_range("task_rows", FLAGS_task_rows, 0, nqueens::kMostQueens);
  nqueens::RunResult run = {};
  run.n = int(FLAGS_n);
  run.task_rows = int(std::min(FLAGS_task_rows, FLAGS_n));
  const double start = Grappa::walltime();
  run.by_core = nqueens::count(run.n, run.task_rows);
  run.seconds = Grappa::walltime() - start;

  const std::string wrong = nqueens::wrong_count(run.n, nqueens::total(run.by_core).solutions);
  if (!wrong.empty()) {
    std::cerr << "nqueens: " + wrong + "\n" << std::flush;
    return false;
  }
  nqueens::print_result(run, std::cout);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return apps::run_program(argc, argv, &count_queens); }
