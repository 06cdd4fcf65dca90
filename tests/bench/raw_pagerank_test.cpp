#include "bench/raw_pagerank.hpp"

#include "bench/raw_pagerank_verify.hpp"
#include "tests/bench/raw_graphs.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>
#include <vector>

namespace raw { namespace {

using Algorithm = PageRank::Algorithm;

constexpr int kMaxThreads = 4;
constexpr double kDamping = 0.85;
constexpr PageRank::Stop kStop = {kDamping, 1e-6, 200};

// 0 is joined to 1, 2 and 3, once by two edges and a self-loop. 4 has no neighbours.
const EdgeList kStar = {{0, 1}, {2, 0}, {0, 3}, {3, 0}, {2, 2}, {4, 4}};

// The solution: every vertex has the base b = (0.15 + 0.85 b) / 5, which is the rank of 4. The rank
// of the centre is c = b + 0.85 * 3 l, and of a leaf l = b + 0.85 c / 3.
std::vector<float> star_ranks() {
  const double base = 0.15 / 4.15;
  const double centre = base * (1 + 3 * 0.85) / (1 - 0.85 * 0.85);
  const double leaf = base + 0.85 * centre / 3;
  return {float(centre), float(leaf), float(leaf), float(leaf), float(base)};
}

double error_of_star(const std::vector<float>& ranks) {
  return RankCheck(5, kStar.data(), int64_t(kStar.size())).error_of(ranks.data(), kDamping);
}

void expect_right(int64_t nv, const EdgeList& edges) {
  const int64_t n = int64_t(edges.size());
  const RankCheck check(nv, edges.data(), n);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const Csr graph(nv, edges.data(), n, threads);
    PageRank finder(&graph, threads);
    for (int trial = 0; trial < 2; ++trial) {
      for (const Algorithm algorithm : {Algorithm::Jacobi, Algorithm::GaussSeidel}) {
        const double error = check.error_of(finder.find(algorithm, kStop), kDamping);
        EXPECT_LE(error, largest_error(kDamping, kStop.tolerance))
            << (algorithm == Algorithm::Jacobi ? "Jacobi, " : "Gauss-Seidel, ") << threads
            << " threads";
        EXPECT_LT(finder.iterations(), kStop.iterations);
      }
    }
  }
}

TEST(RawPageRank, FindsTheRanksOfAStarAndAnIsolatedVertex) {
  const std::vector<float> expected = star_ranks();
  const Csr graph(5, kStar.data(), int64_t(kStar.size()), 2);
  PageRank finder(&graph, 2);
  for (const Algorithm algorithm : {Algorithm::Jacobi, Algorithm::GaussSeidel}) {
    const float* const ranks = finder.find(algorithm, kStop);
    for (int v = 0; v < 5; ++v) EXPECT_NEAR(ranks[v], expected[size_t(v)], 1e-5) << v;
  }
}

// All ranks are 0.2 at first. Jacobi reads only these; Gauss-Seidel updates the centre first.
TEST(RawPageRank, PullsOldRanksInJacobiAndNewRanksInGaussSeidel) {
  const Csr graph(5, kStar.data(), int64_t(kStar.size()), 1);
  PageRank finder(&graph, 1);
  const PageRank::Stop once = {kDamping, 0, 1};
  const double base = (0.15 + 0.85 * 0.2) / 5;
  const double centre = base + 0.85 * 3 * 0.2;
  const float* ranks = finder.find(Algorithm::Jacobi, once);
  EXPECT_NEAR(ranks[0], centre, 1e-7);
  EXPECT_NEAR(ranks[3], base + 0.85 * 0.2 / 3, 1e-7);
  EXPECT_NEAR(ranks[4], base, 1e-7);
  ranks = finder.find(Algorithm::GaussSeidel, once);
  const double leaf = base + 0.85 * centre / 3;
  const double sum = centre + 3 * leaf + base;
  EXPECT_NEAR(ranks[0], centre / sum, 1e-7);
  EXPECT_NEAR(ranks[3], leaf / sum, 1e-7);
  EXPECT_NEAR(ranks[4], base / sum, 1e-7);
}

TEST(RawPageRank, StopsAfterTheLargestNumberOfIterations) {
  const Csr graph(5, kStar.data(), int64_t(kStar.size()), 2);
  PageRank finder(&graph, 2);
  finder.find(Algorithm::Jacobi, {kDamping, 0, 7});
  EXPECT_EQ(finder.iterations(), 7);
  finder.find(Algorithm::Jacobi, {kDamping, 2, 7});
  EXPECT_EQ(finder.iterations(), 1);
}

TEST(RawPageRank, FindsTheRanksOfSimpleGraphs) {
  expect_right(1, {});
  expect_right(20000, {});
  expect_right(20000, path(3000));
  expect_right(20000, star(20000, 19999));
}

TEST(RawPageRank, FindsTheRanksOfKroneckerGraphs) {
  for (const int64_t edgefactor : {1, 16}) expect_right(1 << 14, kronecker(14, edgefactor));
}

TEST(RawPageRankVerdict, AcceptsTheSolution) { EXPECT_LT(error_of_star(star_ranks()), 3e-7); }

TEST(RawPageRankVerdict, RejectsAWrongRank) {
  const double limit = largest_error(kDamping, kStop.tolerance);
  for (size_t v = 0; v < 5; ++v) {
    std::vector<float> ranks = star_ranks();
    ranks[v] += 1e-4F;
    EXPECT_GT(error_of_star(ranks), limit) << v;
    ranks[v] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(error_of_star(ranks))) << v;
  }
}

// The ranks are exchanged, so their sum is right.
TEST(RawPageRankVerdict, RejectsRanksOfOtherVertices) {
  std::vector<float> ranks = star_ranks();
  std::swap(ranks[0], ranks[4]);
  EXPECT_GT(error_of_star(ranks), 0.1);
}

// One iteration changes no rank by much, but the sum is wrong.
TEST(RawPageRankVerdict, RejectsAWrongSum) {
  std::vector<float> ranks = star_ranks();
  for (float& rank : ranks) rank *= 1.1F;
  EXPECT_GT(error_of_star(ranks), 0.1);
}

}}  // namespace raw
