#include "apps/nqueens/nqueens.hpp"

#include "apps/common/charge.hpp"

namespace nqueens {
namespace {

Share mine;                  // the share of this core
std::vector<Share> by_core;  // the shares in the last count

// On boards of 13 rows; on larger boards, a solution takes longer. To count boards takes 6 to 9 %.
constexpr double kSolutionNs = 440;

int64_t solutions_of(const Board& board) {
  if (is_full(board)) return 1;
  int64_t solutions = 0;
  for (uint32_t safe = safe_columns(board); safe != 0; safe &= safe - 1) {
    solutions += solutions_of(with_queen(board, safe & -safe));
  }
  return solutions;
}

void search(const Board& board, int task_rows) {
  ++mine.tasks;
  if (task_rows == 0) {
    const int64_t solutions = solutions_of(board);
    mine.solutions += solutions;
    apps::charge(solutions, kSolutionNs);
    return;
  }
  for (uint32_t safe = safe_columns(board); safe != 0; safe &= safe - 1) {
    const Board next = with_queen(board, safe & -safe);
    Grappa::spawn<Grappa::unbound>([next, task_rows] { search(next, task_rows - 1); });
  }
}

}  // namespace

std::vector<Share> count(int n, int task_rows) {
  Grappa::on_all_cores([] { mine = Share{0, 0}; });
  Grappa::finish([n, task_rows] { search(empty_board(n), task_rows); });
  Grappa::on_all_cores([] { by_core = Grappa::allgather(mine); });
  return by_core;
}

Share total(const std::vector<Share>& shares) {
  Share sum = {0, 0};
  for (const Share& share : shares) {
    sum.solutions += share.solutions;
    sum.tasks += share.tasks;
  }
  return sum;
}

}  // namespace nqueens
