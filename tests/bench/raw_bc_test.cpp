#include "bench/raw_bc.hpp"

#include "bench/raw_bc_verify.hpp"
#include "tests/bench/raw_graphs.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace raw { namespace {

EdgeList grid(int64_t side) {
  EdgeList edges;
  for (int64_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1});
    if (v + side < side * side) edges.push_back({v, v + side});
  }
  return edges;
}

void expect_right(int64_t nv, const EdgeList& edges, const std::vector<Vertex>& sources) {
  const int64_t n = int64_t(edges.size());
  const ScoreCheck check(nv, edges.data(), n, sources);
  for (int threads = 1; threads <= 4; ++threads) {
    const Csr graph(nv, edges.data(), n, threads);
    Betweenness finder(&graph, threads);
    for (int trial = 0; trial < 2; ++trial) {
      EXPECT_LE(check.error_of(finder.find(sources)), kLargestScoreError) << threads << " threads";
    }
  }
}

// All 5 paths from a leaf of a star with 6 leaves to other leaves are through the centre.
TEST(RawBetweenness, IsKnownInAStar) {
  const EdgeList edges = star(7, 3);
  const Csr graph(7, edges.data(), int64_t(edges.size()), 2);
  Betweenness finder(&graph, 2);
  const double* const scores = finder.find({0, 3});
  for (int v = 0; v < 7; ++v) EXPECT_EQ(scores[v], v == 3 ? 5 : 0) << v;
}

TEST(RawBetweenness, IsThatOfTheSerialComputation) {
  expect_right(100, path(100), {0, 99, 50});
  expect_right(5, {}, {2});
  expect_right(1 << 9, kronecker(9), {1, 2, 3, 4});
}

// The opposite corner has about 2^1050 shortest paths, more than a double can represent.
TEST(RawBetweenness, IsRightIfNumbersOfPathsOverflow) {
  const EdgeList edges = grid(530);
  const int64_t n = int64_t(edges.size());
  const Csr graph(530 * 530, edges.data(), n, 2);
  Betweenness finder(&graph, 2);
  const ScoreCheck check(530 * 530, edges.data(), n, {0});
  EXPECT_LE(check.error_of(finder.find({0})), kLargestScoreError);
}

TEST(RawScoreCheck, FindsAWrongScore) {
  const EdgeList edges = path(4);
  const ScoreCheck check(4, edges.data(), 3, {0});
  std::vector<double> scores = {0, 2, 1, 0};
  EXPECT_LE(check.error_of(scores.data()), kLargestScoreError);
  scores[1] = 2.001;
  EXPECT_GT(check.error_of(scores.data()), kLargestScoreError);
  scores[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check.error_of(scores.data()) <= kLargestScoreError);
}

}}  // namespace raw
