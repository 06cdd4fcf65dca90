#pragma once

/// A board whose first rows have one queen each, where no queen attacks another one.
///
/// Each word has one bit for each column of the next row. Three words mark the columns that queens
/// attack: along columns, and along the two diagonals, which move by one column in each row.

#include <cstdint>

namespace nqueens {

constexpr int kMostQueens = 20;

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

}  // namespace nqueens
