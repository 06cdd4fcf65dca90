#pragma once

/// Comparison of a count with the published one.

#include <cstdint>
#include <string>

namespace nqueens {

/// Empty if `solutions` is right, for 1 <= n <= kMostQueens; otherwise an error message.
std::string wrong_count(int n, int64_t solutions);

}  // namespace nqueens
