#include "structures/graph/make/generators.hpp"
#include "tests/structures/graph/serial_parts.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace Grappa {

using namespace detail;

namespace {

int64_t kept_edges(const RoadGenerator& road) {
  int64_t kept = 0;
  for (int64_t i = 0; i < road.nedge(); ++i) kept += road.edge(i).v0 != road.edge(i).v1;
  return kept;
}

TEST(Road, GivesTheSameEdgeForTheSameSeedAndIndex) {
  const RoadGenerator one(100, 100, 0.5, 1);
  const RoadGenerator another(100, 100, 0.5, 1);
  for (int64_t i = 1000; i-- > 0;) ASSERT_EQ(one.edge(i), another.edge(i)) << "edge " << i;
}

TEST(Road, KeepsOtherEdgesForAnotherSeed) {
  const RoadGenerator one(100, 100, 0.5, 1);
  const RoadGenerator other(100, 100, 0.5, 2);
  int same = 0;
  for (int64_t i = 0; i < 1000; ++i) same += one.edge(i) == other.edge(i);
  EXPECT_NEAR(same, 500, 6 * std::sqrt(250));
}

TEST(Road, HasTheEdgesOfTheGridOrSelfLoopsInstead) {
  const RoadGenerator road(30, 50, 0.7, 3);
  const GridGenerator grid(30, 50);
  EXPECT_EQ(road.nv(), grid.nv());
  ASSERT_EQ(road.nedge(), grid.nedge());
  for (int64_t i = 0; i < road.nedge(); ++i) {
    const TupleEdge kept = grid.edge(i), dropped = {kept.v0, kept.v0};
    ASSERT_TRUE(road.edge(i) == kept || road.edge(i) == dropped) << "edge " << i;
  }
}

TEST(Road, KeepsTheGivenShareOfTheEdges) {
  for (const double share : {0.1, 0.5, 0.9}) {
    const RoadGenerator road(300, 400, share, 5);
    const double n = double(road.nedge());
    EXPECT_NEAR(double(kept_edges(road)), share * n, 6 * std::sqrt(share * (1 - share) * n));
  }
}

TEST(Road, KeepsAllEdgesOrNoneAtTheBounds) {
  const RoadGenerator all(100, 100, 1, 1), none(100, 100, 0, 1);
  EXPECT_EQ(kept_edges(all), all.nedge());
  EXPECT_EQ(kept_edges(none), 0);
}

// If a vertex had lost each of four edges independently, 1e-4 of the vertices would be isolated.
TEST(Road, HasOneLargePartAndAFewSmallParts) {
  const RoadGenerator road(300, 300, 0.9, 1);
  const Parts parts = serial_parts(road);
  EXPECT_GT(parts.count, 1);
  EXPECT_LT(parts.count, 90);  // 1e-3 of the vertices
  EXPECT_GT(parts.largest, road.nv() - 180);
}

TEST(RoadDeathTest, IsRefusedIfTheShareIsNotAProbability) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(RoadGenerator(5, 5, 1.5, 1), "invalid share 1.5 of kept edges, expected 0 to 1");
  EXPECT_DEATH(RoadGenerator(5, 5, -0.5, 1), "invalid share -0.5 of kept edges");
  EXPECT_DEATH(RoadGenerator(5, 5, std::numeric_limits<double>::quiet_NaN(), 1), "invalid share");
  EXPECT_DEATH(RoadGenerator(0, 5, 0.9, 1), "invalid grid of 0 rows and 5 columns");
}

}  // namespace
}  // namespace Grappa
