#pragma once

/// Ways to put n queens on a board so that no queen attacks another queen: the board, a count by
/// tasks that any core may run (nqueens_kernel.cpp), and a check (nqueens_verify.cpp).

#include <Grappa.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nqueens {

constexpr int kMostQueens = 20;

/// A board whose first rows have one queen each. No queen attacks another queen. Each word has one
/// bit for each column of the next row. The attacks along diagonals move by one column in each row.
struct Board {
  uint32_t columns;       // one bit for each column
  uint32_t down;          // attacked along a column
  uint32_t to_the_left;   // attacked along a diagonal
  uint32_t to_the_right;  // attacked along the other diagonal
};

inline Board empty_board(int n) { return {(uint32_t(1) << n) - 1, 0, 0, 0}; }

inline bool is_full(const Board& board) { return board.down == board.columns; }

/// The columns of the next row in which a queen is safe.
inline uint32_t safe_columns(const Board& board) {
  return board.columns & ~(board.down | board.to_the_left | board.to_the_right);
}

/// Returns the board with a queen in the given column of the next row.
inline Board with_queen(const Board& board, uint32_t column) {
  return {board.columns, board.down | column, (board.to_the_left | column) << 1,
          (board.to_the_right | column) >> 1};
}

/// The work of one core.
struct Share {
  int64_t solutions, tasks;
};

/// Counts the ways to put `n` queens on a board of n rows and columns. A separate task, which any
/// core may run, handles each position of a queen in the first `task_rows` rows. One task searches
/// all rows below. Returns the share of each core. Only one count may run at a time. From: task.
/// Suspends. Messages: about 6 for each other core, and those of work stealing.
std::vector<Share> count(int n, int task_rows);

/// Returns the sum over all cores.
Share total(const std::vector<Share>& shares);

/// Returns an empty string if `solutions` is the published number, otherwise an error message. n is
/// 1 to kMostQueens.
std::string wrong_count(int n, int64_t solutions);

}  // namespace nqueens
