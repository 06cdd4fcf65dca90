#include "structures/graph/make/grid.hpp"

#include "system/base/check.hpp"

namespace Grappa {
namespace detail {

GridGenerator::GridGenerator(int64_t rows, int64_t columns) : rows_(rows), columns_(columns) {
  GRAPPA_CHECK(rows >= 1 && columns >= 1) << "invalid grid of " << rows << " rows and " << columns
                                          << " columns, expected 1 or more of each";
  GRAPPA_CHECK(columns <= kMaxVertices / rows)
      << "invalid grid of " << rows << " rows and " << columns
      << " columns, expected at most 2^62 vertices";
}

}  // namespace detail
}  // namespace Grappa
