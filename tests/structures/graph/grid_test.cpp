#include "structures/graph/make/generators.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

typedef std::vector<std::pair<VertexID, VertexID>> Pairs;

Pairs edges_of(const GridGenerator& grid) {
  Pairs edges;
  for (int64_t i = 0; i < grid.nedge(); ++i) edges.emplace_back(grid.edge(i).v0, grid.edge(i).v1);
  return edges;
}

TEST(Grid, HasEachEdgeOnce) {
  for (int64_t rows = 1; rows <= 5; ++rows) {
    for (int64_t columns = 1; columns <= 5; ++columns) {
      Pairs expected;
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t column = 0; column < columns; ++column) {
          const VertexID v = row * columns + column;
          if (column + 1 < columns) expected.emplace_back(v, v + 1);
          if (row + 1 < rows) expected.emplace_back(v, v + columns);
        }
      }
      const GridGenerator grid(rows, columns);
      EXPECT_EQ(grid.nv(), rows * columns);
      Pairs edges = edges_of(grid);
      std::sort(edges.begin(), edges.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(edges, expected) << rows << " x " << columns;
    }
  }
}

TEST(Grid, OfOneRowOrColumnIsAPath) {
  const Pairs path = {{0, 1}, {1, 2}, {2, 3}};
  EXPECT_EQ(edges_of(GridGenerator(1, 4)), path);
  EXPECT_EQ(edges_of(GridGenerator(4, 1)), path);
}

TEST(Grid, OfOneVertexHasNoEdge) {
  EXPECT_EQ(GridGenerator(1, 1).nv(), 1);
  EXPECT_EQ(GridGenerator(1, 1).nedge(), 0);
}

TEST(Grid, MayBeAsLargeAsWordsAllow) {
  const int64_t side = int64_t(1) << 31;
  const GridGenerator grid(side, side);
  EXPECT_EQ(grid.nedge(), 2 * side * (side - 1));
  EXPECT_EQ(grid.edge(grid.nedge() - 1), (TupleEdge{side * (side - 1) - 1, side * side - 1}));
  EXPECT_EQ(grid.edge(side * (side - 1) - 1), (TupleEdge{side * side - 2, side * side - 1}));
  const GridGenerator path(1, GridGenerator::kMaxVertices);
  EXPECT_EQ(path.edge(path.nedge() - 1),
            (TupleEdge{GridGenerator::kMaxVertices - 2, GridGenerator::kMaxVertices - 1}));
}

TEST(GridDeathTest, IsRefusedIfItHasTooManyVerticesOrNone) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const int64_t side = (int64_t(1) << 31) + 1;
  EXPECT_DEATH(GridGenerator(side, side),
               "invalid grid of 2147483649 rows and 2147483649 columns, expected at most 2\\^62 "
               "vertices");
  EXPECT_DEATH(GridGenerator(INT64_MAX, INT64_MAX), "expected at most 2\\^62 vertices");
  EXPECT_DEATH(GridGenerator(0, 5),
               "invalid grid of 0 rows and 5 columns, expected 1 or more of each");
  EXPECT_DEATH(GridGenerator(5, -1),
               "invalid grid of 5 rows and -1 columns, expected 1 or more of each");
}

}  // namespace
}  // namespace Grappa
