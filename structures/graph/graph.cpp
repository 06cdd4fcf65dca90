#include "structures/graph/graph.hpp"

namespace Grappa {
namespace detail {

int64_t sort_and_drop_duplicates(VertexID* neighbours, int64_t n) {
  std::sort(neighbours, neighbours + n);
  return std::unique(neighbours, neighbours + n) - neighbours;
}

}  // namespace detail
}  // namespace Grappa
