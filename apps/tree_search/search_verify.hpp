#pragma once

/// A serial check of a count on one core, from the parameters of the tree, without the tree.

#include "apps/tree_search/tree_search.hpp"

#include <cstdint>
#include <string>

namespace tree_search {

/// Counts the vertices of the colour, one after another.
inline int64_t count_serially(const Parameters& parameters, int32_t colour) {
  Generator generator(parameters);
  int64_t count = 0;
  for (int64_t k = 0; k < parameters.vertices; ++k) count += generator.next().colour == colour;
  return count;
}

/// Returns an error message if `counted`, the result of method `how`, is not `expected`.
inline std::string wrong_count(const char* how, int64_t counted, int64_t expected) {
  if (counted == expected) return "";
  return std::to_string(counted) + " vertices of the colour were found by " + how + "; expected " +
         std::to_string(expected);
}

}  // namespace tree_search
