#pragma once

/// A serial check of a count on one core, from the parameters of the tree, without the tree.

#include "apps/tree_search/tree.hpp"

#include <cstdint>
#include <string>

namespace tree_search {

/// Counts the vertices of the colour, one after another.
int64_t count_serially(const Parameters& parameters, int32_t colour);

/// Empty if `counted`, the result of method `how`, is `expected`; otherwise an error message.
std::string wrong_count(const char* how, int64_t counted, int64_t expected);

}  // namespace tree_search
