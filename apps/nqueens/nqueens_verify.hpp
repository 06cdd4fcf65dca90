#pragma once

/// Whether a count is the one that others have found.

#include <cstdint>
#include <string>

namespace nqueens {

/// Empty if `solutions` is right for 1 <= n <= kMostQueens, and else a sentence.
std::string wrong_count(int n, int64_t solutions);

}  // namespace nqueens
