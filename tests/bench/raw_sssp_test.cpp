#include "bench/raw_sssp.hpp"

#include "bench/raw_sssp_verify.hpp"
#include "structures/graph/edge_weight.hpp"
#include "tests/bench/raw_graphs.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace raw { namespace {

constexpr uint64_t kSeed = 3;
constexpr int64_t kLargest = 255;
constexpr int kMaxThreads = 3;

void expect_right(int64_t nv, const EdgeList& edges) {
  const int64_t n = int64_t(edges.size());
  const DistanceCheck check(nv, edges.data(), n, kSeed, kLargest);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const Csr graph(nv, edges.data(), n, threads);
    ShortestPaths paths(&graph, kSeed, kLargest, threads);
    for (const uint32_t delta : {16U, 1000U, 1000000000U}) {
      for (const int64_t root : {int64_t(0), nv - 1}) {
        const char* const broken =
            check.broken_rule(paths.find(Vertex(root), delta), ShortestPaths::kUnreached, root);
        EXPECT_EQ(broken, nullptr) << broken << ", " << threads << " threads, delta " << delta;
      }
    }
  }
}

TEST(RawSssp, FindsTheDistancesOnAPath) {
  const EdgeList edges = path(100);
  const Csr graph(100, edges.data(), int64_t(edges.size()), 2);
  ShortestPaths paths(&graph, kSeed, kLargest, 2);
  const uint32_t* const distances = paths.find(0, 16);
  int64_t expected = 0;
  for (int64_t v = 1; v < 100; ++v) {
    expected += Grappa::edge_weight(v - 1, v, kSeed, kLargest);
    EXPECT_EQ(distances[v], expected) << v;
  }
}

TEST(RawSssp, FindsTheDistancesOfSimpleGraphs) {
  expect_right(1, {});
  expect_right(300, path(200));
  expect_right(3000, star(3000, 2999));
}

TEST(RawSssp, FindsTheDistancesOfKroneckerGraphs) {
  for (const int64_t edgefactor : {1, 16}) expect_right(1 << 9, kronecker(9, edgefactor));
}

TEST(RawSsspVerdict, RejectsAWrongDistance) {
  const EdgeList edges = path(3);  // and vertex 3 without neighbours
  const DistanceCheck check(4, edges.data(), 2, kSeed, kLargest);
  const auto a = uint32_t(Grappa::edge_weight(0, 1, kSeed, kLargest));
  const auto b = uint32_t(Grappa::edge_weight(1, 2, kSeed, kLargest));
  constexpr uint32_t kNone = ShortestPaths::kUnreached;
  const auto is_right = [&check](const std::vector<uint32_t>& distances) {
    return check.broken_rule(distances.data(), kNone, 0) == nullptr;
  };
  EXPECT_TRUE(is_right({0, a, a + b, kNone}));
  EXPECT_FALSE(is_right({1, a + 1, a + b + 1, kNone}));
  EXPECT_FALSE(is_right({0, a, a + b + 1, kNone}));
  EXPECT_FALSE(is_right({0, a, a + b - 1, kNone}));
  EXPECT_FALSE(is_right({0, a, kNone, kNone}));
  EXPECT_FALSE(is_right({0, a, a + b, 5}));
}

}}  // namespace raw
