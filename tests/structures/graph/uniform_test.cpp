#include "structures/graph/make/generators.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Uniform, GivesTheSameEdgeForTheSameSeedAndIndex) {
  const UniformGenerator one(1000003, 1);
  const UniformGenerator another(1000003, 1);
  for (int64_t i = 1000; i-- > 0;) ASSERT_EQ(one.edge(i), another.edge(i)) << "edge " << i;
}

TEST(Uniform, GivesOtherEdgesForAnotherSeedOrIndex) {
  const UniformGenerator one(int64_t(1) << 40, 1);
  const UniformGenerator other(int64_t(1) << 40, 2);
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_NE(one.edge(i), other.edge(i)) << "edge " << i;
    ASSERT_NE(one.edge(i), one.edge(i + 1)) << "edge " << i;
  }
}

TEST(Uniform, StaysWithinTheVertices) {
  for (const int64_t nv : {int64_t(1), int64_t(2), int64_t(3), int64_t(1000), INT64_MAX}) {
    const UniformGenerator generator(nv, 7);
    for (int64_t i = 0; i < 1000; ++i) {
      const TupleEdge e = generator.edge(i);
      ASSERT_TRUE(e.v0 >= 0 && e.v0 < nv && e.v1 >= 0 && e.v1 < nv)
          << e.v0 << " " << e.v1 << " of " << nv;
    }
  }
}

// A chi-squared variable with k - 1 degrees of freedom has the mean k - 1 and the variance
// 2(k - 1). The limit is six standard deviations above the mean.
void expect_all_alike(const std::vector<int64_t>& counts, const char* what) {
  int64_t all = 0;
  for (const int64_t count : counts) all += count;
  const double expected = double(all) / double(counts.size());
  double chi_squared = 0;
  for (const int64_t count : counts) {
    chi_squared += (double(count) - expected) * (double(count) - expected) / expected;
  }
  const double freedom = double(counts.size()) - 1;
  EXPECT_LT(chi_squared, freedom + 6 * std::sqrt(2 * freedom)) << what;
}

TEST(Uniform, ChoosesEachVertexWithEqualProbability) {
  constexpr int64_t kVertices = 97;
  const UniformGenerator generator(kVertices, 3);
  std::vector<int64_t> first(kVertices), second(kVertices), pair(kVertices * kVertices);
  for (int64_t i = 0; i < 200000; ++i) {
    const TupleEdge e = generator.edge(i);
    ++first[size_t(e.v0)];
    ++second[size_t(e.v1)];
    ++pair[size_t(e.v0 * kVertices + e.v1)];
  }
  expect_all_alike(first, "first endpoints");
  expect_all_alike(second, "second endpoints");
  expect_all_alike(pair, "pairs: endpoints of an edge are independent");
}

// There are 3 * 2^61 vertices and 2^64 random words. If no word were rejected, two of every three
// vertices would be selected by three words each, and the third vertex by two words.
TEST(Uniform, IsUnbiasedForAnyNumberOfVertices) {
  const UniformGenerator generator(int64_t(3) << 61, 5);
  std::vector<int64_t> first(3), second(3);
  for (int64_t i = 0; i < 30000; ++i) {
    const TupleEdge e = generator.edge(i);
    ++first[size_t(e.v0 % 3)];
    ++second[size_t(e.v1 % 3)];
  }
  expect_all_alike(first, "first endpoints");
  expect_all_alike(second, "second endpoints");
}

}  // namespace
}  // namespace Grappa
