#include "apps/nqueens/nqueens.hpp"

namespace nqueens {
namespace {

// The index is n. (The On-Line Encyclopedia of Integer Sequences, A000170.)
constexpr int64_t kSolutions[kMostQueens + 1] = {
    1,    1,     0,     0,      2,       10,       4,        40,        92,         352,        724,
    2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848, 39029188884};

}  // namespace

std::string wrong_count(int n, int64_t solutions) {
  const int64_t expected = kSolutions[n];
  if (solutions == expected) return "";
  return std::to_string(solutions) + " solutions were found for " + std::to_string(n) +
         " queens; expected " + std::to_string(expected);
}

}  // namespace nqueens
