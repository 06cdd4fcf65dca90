#include "structures/graph/grid.hpp"

#include "system/base/check.hpp"

namespace Grappa {
namespace detail {

GridGenerator::GridGenerator(int64_t rows, int64_t columns) : rows_(rows), columns_(columns) {
  GRAPPA_CHECK(rows >= 1 && columns >= 1)
      << "a grid of " << rows << " rows and " << columns << " columns; give 1 or more of each";
  GRAPPA_CHECK(columns <= kMaxVertices / rows)
      << "a grid of " << rows << " rows and " << columns
      << " columns has more than 2^62 vertices; give fewer";
}

}  // namespace detail
}  // namespace Grappa
