#include "apps/nqueens/nqueens_kernel.hpp"

#include "apps/nqueens/nqueens_board.hpp"

namespace nqueens {
namespace {

// The share of this core.
Share mine;

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
    mine.solutions += solutions_of(board);
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
  std::vector<Grappa::Future<Share>> shares;
  shares.reserve(static_cast<size_t>(Grappa::cores()));
  for (int core = 0; core < Grappa::cores(); ++core) {
    shares.push_back(Grappa::delegate::call_future(Grappa::Core(core), [] { return mine; }));
  }
  std::vector<Share> by_core;
  by_core.reserve(shares.size());
  for (Grappa::Future<Share>& share : shares) by_core.push_back(share.get());
  return by_core;
}

Share total(const std::vector<Share>& by_core) {
  Share sum = {0, 0};
  for (const Share& share : by_core) {
    sum.solutions += share.solutions;
    sum.tasks += share.tasks;
  }
  return sum;
}

}  // namespace nqueens
