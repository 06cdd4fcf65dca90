#include "structures/graph/make/generators.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Kronecker, GivesTheSameEdgeForTheSameSeedAndIndex) {
  const KroneckerGenerator one(20, 1, 2);
  const KroneckerGenerator another(20, 1, 2);
  for (int64_t i = 1000; i-- > 0;) ASSERT_EQ(one.edge(i), another.edge(i)) << "edge " << i;
}

TEST(Kronecker, GivesOtherEdgesForEitherSeed) {
  const KroneckerGenerator one(20, 1, 2);
  for (const KroneckerGenerator& other :
       {KroneckerGenerator(20, 7, 2), KroneckerGenerator(20, 1, 7)}) {
    int same = 0;
    for (int64_t i = 0; i < 1000; ++i) same += one.edge(i) == other.edge(i);
    EXPECT_LT(same, 5);
  }
}

TEST(Kronecker, StaysWithinTheVerticesOfEveryScale) {
  for (int scale = 1; scale <= KroneckerGenerator::kMaxScale; ++scale) {
    const KroneckerGenerator generator(scale, 1, 2);
    for (int64_t i = 0; i < 200; ++i) {
      const TupleEdge e = generator.edge(i);
      ASSERT_EQ(e.v0 >> scale, 0) << "scale " << scale;
      ASSERT_EQ(e.v1 >> scale, 0) << "scale " << scale;
    }
  }
}

TEST(KroneckerDeathTest, HasAScale) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(KroneckerGenerator(0, 1, 2), "invalid scale 0 of a Kronecker graph, expected 1 to");
  EXPECT_DEATH(KroneckerGenerator(KroneckerGenerator::kMaxScale + 1, 1, 2),
               "of a Kronecker graph, expected 1 to");
}

TEST(Kronecker, ScramblesLabelsByABijection) {
  for (int scale = 1; scale <= 17; ++scale) {
    const KroneckerGenerator generator(scale, uint64_t(scale), 2);
    std::vector<bool> seen(size_t(1) << scale);
    for (VertexID v = 0; v < int64_t(seen.size()); ++v) {
      const VertexID label = generator.scramble(v);
      ASSERT_TRUE(label >= 0 && label < int64_t(seen.size()));
      ASSERT_FALSE(seen[size_t(label)]) << "label " << label << " appears twice at scale " << scale;
      seen[size_t(label)] = true;
    }
  }
}

// If two ids differ in one bit, the scrambled ids must differ in about half of their bits.
TEST(Kronecker, ScramblingFlipsHalfOfTheBitsWhenOneIsFlipped) {
  const int scale = 20;
  const KroneckerGenerator generator(scale, 1, 2);
  for (int bit = 0; bit < scale; ++bit) {
    int64_t flipped = 0;
    for (VertexID v = 0; v < 4096; ++v) {
      const VertexID a = v * 251;
      flipped += __builtin_popcountll(
          uint64_t(generator.scramble(a) ^ generator.scramble(a ^ (VertexID(1) << bit))));
    }
    EXPECT_NEAR(double(flipped) / 4096, scale / 2.0, 2.5) << "bit " << bit;
  }
}

// At each level, the frequency of a quadrant may differ from its probability by five standard
// deviations.
TEST(Kronecker, ChoosesQuadrantsWithTheSpecifiedProbabilitiesAtEachLevel) {
  const int scale = 18;
  const int64_t edges = 200000;
  const KroneckerGenerator generator(scale, 3, 4);
  std::vector<int64_t> count(size_t(scale) * 4);
  for (int64_t i = 0; i < edges; ++i) {
    const TupleEdge e = generator.unscrambled_edge(i);
    for (int level = 0; level < scale; ++level) {
      ++count[size_t(level * 4 + (e.v0 >> level & 1) * 2 + (e.v1 >> level & 1))];
    }
  }
  const double probability[] = {0.57, 0.19, 0.19, 0.05};
  for (int level = 0; level < scale; ++level) {
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
      const double p = probability[quadrant];
      EXPECT_NEAR(double(count[size_t(level * 4 + quadrant)]) / double(edges), p,
                  5 * std::sqrt(p * (1 - p) / double(edges)))
          << "quadrant "
          << "ABCD"[quadrant] << " at level " << level;
    }
  }
}

TEST(Kronecker, ChoosesQuadrantsOfDifferentLevelsIndependently) {
  const int64_t edges = 200000;
  const KroneckerGenerator generator(16, 3, 4);
  int64_t both = 0;
  for (int64_t i = 0; i < edges; ++i) {
    const TupleEdge e = generator.unscrambled_edge(i);
    both += (e.v0 & 3) == 0 && (e.v1 & 3) == 0;  // quadrant A at two levels
  }
  EXPECT_NEAR(double(both) / double(edges), 0.57 * 0.57, 0.006);
}

TEST(Kronecker, HasFewVerticesOfVeryHighDegreeAndManyWithout) {
  const int scale = 14;
  const int64_t edges = int64_t(16) << scale;
  const KroneckerGenerator generator(scale, 1, 2);
  std::vector<int64_t> degree(size_t(1) << scale);
  for (int64_t i = 0; i < edges; ++i) {
    const TupleEdge e = generator.edge(i);
    ++degree[size_t(e.v0)];
    ++degree[size_t(e.v1)];
  }
  std::sort(degree.rbegin(), degree.rend());
  const auto isolated = std::count(degree.begin(), degree.end(), 0);
  EXPECT_GT(degree[0], 100 * 32) << "the mean degree is 32";
  EXPECT_GT(isolated, int64_t(degree.size()) / 5);
}

}  // namespace
}  // namespace Grappa
