#include "bench/raw_bfs.hpp"

#include "bench/raw_bfs_verify.hpp"
#include "tests/bench/raw_graphs.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace raw { namespace {

using Grappa::TupleEdge;

constexpr int kMaxThreads = 4;
const Direction kDirections[] = {Direction::Optimising, Direction::TopDown};

// Returns the neighbours of each vertex, computed by a simple method.
std::vector<std::set<int64_t>> neighbours_of(int64_t nv, const EdgeList& edges) {
  std::vector<std::set<int64_t>> neighbours(static_cast<size_t>(nv));
  for (const TupleEdge& edge : edges) {
    if (edge.v0 == edge.v1) continue;
    neighbours[size_t(edge.v0)].insert(edge.v1);
    neighbours[size_t(edge.v1)].insert(edge.v0);
  }
  return neighbours;
}

std::vector<int64_t> levels_of(const std::vector<std::set<int64_t>>& neighbours, int64_t root) {
  std::vector<int64_t> level(neighbours.size(), -1);
  std::vector<int64_t> queue = {root};
  level[size_t(root)] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const int64_t v : neighbours[size_t(queue[i])]) {
      if (level[size_t(v)] >= 0) continue;
      level[size_t(v)] = level[size_t(queue[i])] + 1;
      queue.push_back(v);
    }
  }
  return level;
}

Csr build(int64_t nv, const EdgeList& edges, int threads) {
  return Csr(nv, edges.data(), int64_t(edges.size()), threads);
}

void expect_lists(int64_t nv, const EdgeList& edges) {
  const std::vector<std::set<int64_t>> neighbours = neighbours_of(nv, edges);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    Csr graph = build(nv, edges, threads);
    int64_t entries = 0;
    for (int64_t v = 0; v < nv; ++v) {
      const std::vector<int64_t> list(graph.begin(Vertex(v)), graph.end(Vertex(v)));
      const std::set<int64_t>& expected = neighbours[size_t(v)];
      ASSERT_EQ(list, std::vector<int64_t>(expected.begin(), expected.end())) << v;
      entries += int64_t(list.size());
    }
    EXPECT_EQ(graph.entries(), entries);
    graph.order_by_degree(threads);
    const auto later = [&graph](Vertex a, Vertex b) { return graph.degree(a) > graph.degree(b); };
    for (int64_t v = 0; v < nv; ++v) {
      ASSERT_TRUE(std::is_sorted(graph.begin(Vertex(v)), graph.end(Vertex(v)), later)) << v;
      const std::set<int64_t> list(graph.begin(Vertex(v)), graph.end(Vertex(v)));
      ASSERT_EQ(list, neighbours[size_t(v)]) << v;
    }
  }
}

// Compares the levels of the parents with those of a simple search.
void expect_tree(const std::vector<std::set<int64_t>>& neighbours, int64_t root,
                 const Vertex* parents) {
  const std::vector<int64_t> level = levels_of(neighbours, root);
  EXPECT_EQ(parents[root], root);
  for (int64_t v = 0; v < int64_t(level.size()); ++v) {
    ASSERT_EQ(parents[v] >= 0, level[size_t(v)] >= 0) << v;
    if (parents[v] < 0 || v == root) continue;
    ASSERT_EQ(level[size_t(parents[v])] + 1, level[size_t(v)]) << v;
    ASSERT_EQ(neighbours[size_t(v)].count(parents[v]), 1u) << v;
  }
}

void expect_searches(int64_t nv, const EdgeList& edges, const std::vector<int64_t>& roots) {
  const std::vector<std::set<int64_t>> neighbours = neighbours_of(nv, edges);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const Csr graph = build(nv, edges, threads);
    Searcher searcher(&graph, threads);
    for (const int64_t root : roots) {
      for (const Direction direction : kDirections) {
        const Vertex* const parents = searcher.search(Vertex(root), direction);
        expect_tree(neighbours, root, parents);
        const Verdict verdict =
            verify(nv, edges.data(), int64_t(edges.size()), Vertex(root), parents, threads);
        EXPECT_EQ(verdict.broken, nullptr) << verdict.broken;
      }
    }
  }
}

TEST(RawCsr, HasEachNeighbourOnceInOrder) {
  expect_lists(1, {});
  expect_lists(5, {{3, 1}, {1, 3}, {1, 3}, {2, 2}, {1, 0}, {4, 1}});
  expect_lists(5000, star(5000, 4321));
  expect_lists(1 << 10, kronecker(10));
  expect_lists(1 << 13, kronecker(13));  // several blocks
}

TEST(RawCsr, CountsItsBytes) { EXPECT_EQ(build(3, {{0, 1}, {1, 0}}, 1).bytes(), 4 * 8 + 2 * 4); }

TEST(RawBfs, FindsTheTreeOfAPath) { expect_searches(300, path(300), {0, 150, 299}); }

TEST(RawBfs, FindsTheTreeOfAStar) { expect_searches(5000, star(5000, 77), {77, 0, 4999}); }

TEST(RawBfs, StaysWithinTheComponent) {
  expect_searches(130, {{0, 1}, {1, 2}, {2, 0}, {64, 65}, {65, 129}}, {0, 129, 64});
}

TEST(RawBfs, ReachesOnlyARootWithoutNeighbours) {
  expect_searches(70, {{0, 1}, {69, 69}}, {69, 5});
}

TEST(RawBfs, IgnoresRepeatedEdges) {
  expect_searches(4, {{0, 1}, {1, 0}, {0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 2}}, {0, 3});
}

TEST(RawBfs, FindsTheTreesOfAKroneckerGraph) {
  expect_searches(1 << 10, kronecker(10), {0, 1, 2, 3, 500, 1023});
  expect_searches(1 << 13, kronecker(13), {0, 1, 8191});
}

class RawBfsVerdict : public testing::Test {
 protected:
  // The graph is 0 - 1 - 2 - 3, 1 - 3, and the separate vertex 4.
  std::string broken(const std::vector<Vertex>& parents) const {
    const char* const rule = judge(parents).broken;
    return rule == nullptr ? "" : rule;
  }
  Verdict judge(const std::vector<Vertex>& parents) const {
    return verify(5, edges_.data(), int64_t(edges_.size()), 0, parents.data(), 2);
  }

 private:
  const EdgeList edges_ = {{0, 1}, {2, 1}, {2, 3}, {3, 1}, {1, 3}, {2, 2}, {4, 4}};
};

TEST_F(RawBfsVerdict, CountsReachedVerticesAndInputEdges) {
  const Verdict verdict = judge({0, 0, 1, 1, -1});
  EXPECT_EQ(verdict.broken, nullptr);
  EXPECT_EQ(verdict.reached, 4);
  EXPECT_EQ(verdict.traversed_edges, 6);
}

TEST_F(RawBfsVerdict, NamesTheBrokenRule) {
  EXPECT_EQ(broken({1, 0, 1, 1, -1}), "parents lead to the root");
  EXPECT_EQ(broken({0, 0, 3, 2, -1}), "parents lead to the root");
  EXPECT_EQ(broken({0, 0, 2, 1, -1}), "parents lead to the root");
  EXPECT_EQ(broken({0, 0, 4, 1, -1}), "parents lead to the root");
  EXPECT_EQ(broken({0, 0, 5, 1, -1}), "parents lead to the root");
  EXPECT_EQ(broken({0, 0, 1, -1, -1}), "the tree spans the component");
  EXPECT_EQ(broken({0, 0, 3, 4, 0}), "edges connect levels at most one apart");
  EXPECT_EQ(broken({0, 0, 1, 0, -1}), "tree edges are edges of the graph");
  EXPECT_EQ(broken({0, 0, 1, 1, 0}), "tree edges are edges of the graph");
}

}}  // namespace raw
