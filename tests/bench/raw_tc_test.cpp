#include "bench/raw_tc.hpp"

#include "bench/raw_tc_verify.hpp"
#include "tests/bench/raw_graphs.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace raw { namespace {

void expect_count(int64_t nv, const EdgeList& edges, int64_t expected) {
  const int64_t n = int64_t(edges.size());
  EXPECT_EQ(count_by_marks(nv, edges.data(), n), expected);
  for (int threads = 1; threads <= 4; ++threads) {
    const Csr graph(nv, edges.data(), n, threads);
    for (const TriangleMethod method : {TriangleMethod::Merge, TriangleMethod::Marks}) {
      EXPECT_EQ(count_triangles(graph, threads, method), expected) << threads << " threads";
    }
  }
}

EdgeList complete(int64_t nv) {
  EdgeList edges;
  for (int64_t v = 0; v < nv; ++v) {
    for (int64_t w = 0; w < nv; ++w) edges.push_back({v, w});  // includes self-loops, and repeats
  }
  return edges;
}

TEST(RawTriangles, AreCountedInGraphsWithAKnownNumber) {
  expect_count(5, {}, 0);
  expect_count(100, path(100), 0);
  expect_count(100, star(100, 7), 0);
  expect_count(3, complete(3), 1);
  expect_count(40, complete(40), 40 * 39 * 38 / 6);
}

TEST(RawTriangles, AreTheSameByMergingAndByMarking) {
  for (const int scale : {6, 9, 12}) {
    const EdgeList edges = kronecker(scale);
    const int64_t nv = int64_t(1) << scale;
    expect_count(nv, edges, count_by_marks(nv, edges.data(), int64_t(edges.size())));
  }
}

TEST(RawTriangles, AreCountedAfterRenumberingIfDegreesAreSkewed) {
  const EdgeList skewed = kronecker(12);
  EXPECT_TRUE(has_skewed_degrees(Csr(1 << 12, skewed.data(), int64_t(skewed.size()), 2)));
  const EdgeList even = complete(40);
  EXPECT_FALSE(has_skewed_degrees(Csr(40, even.data(), int64_t(even.size()), 2)));
}

TEST(RawTriangles, AreCountedWithoutRenumberingIfOnlyIsolatedVerticesDifferInDegree) {
  const EdgeList even = complete(101);
  EXPECT_FALSE(has_skewed_degrees(Csr(300, even.data(), int64_t(even.size()), 2)));
}

// The degrees of both ends of each entry.
std::vector<std::pair<int64_t, int64_t>> ends(const Csr& graph) {
  std::vector<std::pair<int64_t, int64_t>> all;
  for (Vertex v = 0; v < graph.nv(); ++v) {
    for (const Vertex* w = graph.begin(v); w != graph.end(v); ++w) {
      all.emplace_back(graph.degree(v), graph.degree(*w));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(RawTriangles, KeepTheirEdgesWhenVerticesAreRenumbered) {
  const EdgeList edges = kronecker(9);
  const Csr graph(1 << 9, edges.data(), int64_t(edges.size()), 2);
  const Csr next = graph.relabelled_by_degree(2);
  EXPECT_EQ(ends(next), ends(graph));
  for (Vertex v = 0; v + 1 < next.nv(); ++v) {
    EXPECT_GE(next.degree(v), next.degree(v + 1));
    for (const Vertex* w = next.begin(v); w + 1 < next.end(v); ++w) EXPECT_LT(w[0], w[1]);
  }
}

}}  // namespace raw
