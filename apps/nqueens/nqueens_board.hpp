#pragma once

/// A board on which the first rows have a queen each, and none attacks another.
///
/// The columns of the row that comes next are the bits of a word, and so are those among them that
/// queens attack: along their column, and along the two diagonals, which move a column to the side
/// with each row.

#include <cstdint>

namespace nqueens {

constexpr int kMostQueens = 20;

struct Board {
  uint32_t columns;       // one bit for each
  uint32_t down;          // attacked along columns
  uint32_t to_the_left;   // attacked along diagonals
  uint32_t to_the_right;  // attacked along the others
};

inline Board empty_board(int n) { return {(uint32_t(1) << n) - 1, 0, 0, 0}; }

inline bool is_full(const Board& board) { return board.down == board.columns; }

/// The columns of the next row in which a queen is safe.
inline uint32_t safe_columns(const Board& board) {
  return board.columns & ~(board.down | board.to_the_left | board.to_the_right);
}

/// With a queen in this column of the next row.
inline Board with_queen(const Board& board, uint32_t column) {
  return {board.columns, board.down | column, (board.to_the_left | column) << 1,
          (board.to_the_right | column) >> 1};
}

}  // namespace nqueens
