#pragma once

/// Whether a count is right, from what the tree was made of: without the tree, and by one core.

#include "apps/tree_search/tree.hpp"

#include <cstdint>
#include <string>

namespace tree_search {

/// Vertices of the colour, one vertex after the other.
int64_t count_serially(const Parameters& parameters, int32_t colour);

/// Empty if `counted`, which was found `how`, is that, and else a sentence.
std::string wrong_count(const char* how, int64_t counted, int64_t expected);

}  // namespace tree_search
