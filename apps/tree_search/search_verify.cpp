#include "apps/tree_search/search_verify.hpp"

namespace tree_search {

int64_t count_serially(const Parameters& parameters, int32_t colour) {
  Generator generator(parameters);
  int64_t count = 0;
  for (int64_t k = 0; k < parameters.vertices; ++k) {
    if (generator.next().colour == colour) ++count;
  }
  return count;
}

std::string wrong_count(const char* how, int64_t counted, int64_t expected) {
  if (counted == expected) return "";
  return std::to_string(counted) + " vertices of the colour were found by " + how + "; expected " +
         std::to_string(expected);
}

}  // namespace tree_search
