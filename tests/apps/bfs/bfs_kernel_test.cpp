#include "apps/bfs/bfs_kernel.hpp"

#include "structures/graph/kronecker.hpp"
#include "tests/apps/bfs/graphs.hpp"

#include <gtest/gtest.h>
#include <set>
#include <utility>
#include <vector>

namespace bfs {
namespace {

std::vector<VertexID> parents_after(const TupleGraph& tuples, const std::vector<VertexID>& roots) {
  const GlobalAddress<SearchGraph> g = SearchGraph::create(tuples);
  for (const VertexID root : roots) search(g, root);
  const GlobalAddress<VertexID> array = Grappa::global_alloc<VertexID>(size_t(tuples.nv));
  copy_parents(g, array);
  const std::vector<VertexID> parents = from_global(array, tuples.nv);
  Grappa::global_free(array);
  g->destroy();
  return parents;
}

// Each vertex is reached or not as a serial search has it, from a neighbour one level above.
void expect_tree(int64_t nv, const Edges& edges, VertexID root,
                 const std::vector<VertexID>& parents) {
  const std::vector<int64_t> level = serial_levels(nv, edges, root);
  std::set<std::pair<VertexID, VertexID>> links;
  for (const TupleGraph::Edge& e : edges) {
    links.insert(std::make_pair(e.v0, e.v1));
    links.insert(std::make_pair(e.v1, e.v0));
  }
  for (VertexID v = 0; v < nv; ++v) {
    const VertexID parent = parents[size_t(v)];
    if (v == root) {
      ASSERT_EQ(parent, root);
    } else if (level[size_t(v)] < 0) {
      ASSERT_EQ(parent, -1) << "vertex " << v << " is in another component";
    } else {
      ASSERT_TRUE(parent >= 0 && parent < nv) << "vertex " << v << " has parent " << parent;
      ASSERT_EQ(level[size_t(parent)] + 1, level[size_t(v)]) << "vertex " << v;
      ASSERT_TRUE(links.count(std::make_pair(parent, v))) << "vertex " << v;
    }
  }
}

// Searches once from each root.
void expect_searches(int64_t nv, const Edges& edges, const std::vector<VertexID>& roots) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  for (const VertexID root : roots) {
    SCOPED_TRACE("root " + std::to_string(root));
    expect_tree(nv, edges, root, parents_after(tuples, {root}));
  }
  tuples.destroy();
}

TEST(Search, FindsTheLevelsOfASerialSearchInAKroneckerGraph) {
  const Grappa::KroneckerGenerator generator(10, 1, 2);
  Edges edges;
  for (int64_t i = 0; i < 8 << 10; ++i) edges.push_back(generator.edge(i));
  expect_searches(1 << 10, edges, {edges[0].v0, edges[1].v0, edges[2].v0, edges[3].v1});
}

TEST(Search, StaysInTheComponentOfItsRoot) {
  expect_searches(9, {{0, 1}, {1, 2}, {4, 5}, {5, 6}, {6, 4}}, {0, 2, 5, 3, 8});
}

TEST(Search, IgnoresSelfLoopsAndRepeatedEdges) {
  expect_searches(4, {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 3}}, {0, 1, 2, 3});
}

TEST(Search, ReachesOnlyAnIsolatedRoot) {
  expect_searches(1, {}, {0});
  expect_searches(1, {{0, 0}}, {0});
  expect_searches(5, {{0, 1}}, {4});
}

TEST(Search, GoesDownAPathOf100000Vertices) {
  const int64_t n = 100000;
  TupleGraph tuples = TupleGraph::from_edges(n, path_edges(n));
  const std::vector<VertexID> parents = parents_after(tuples, {0});
  for (VertexID v = 1; v < n; ++v) ASSERT_EQ(parents[size_t(v)], v - 1);
  tuples.destroy();
}

TEST(Search, GoesThroughAStarFromItsHubAndFromALeaf) {
  Edges edges;
  for (VertexID leaf = 1; leaf < 20000; ++leaf) edges.push_back(TupleGraph::Edge{leaf, 0});
  expect_searches(20000, edges, {0, 777, 19999});
}

TEST(Search, ForgetsTheSearchBefore) {
  const Edges edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {5, 6}};
  TupleGraph tuples = TupleGraph::from_edges(7, edges);
  expect_tree(7, edges, 5, parents_after(tuples, {0, 2, 5}));
  expect_tree(7, edges, 2, parents_after(tuples, {5, 0, 2}));
  tuples.destroy();
}

}  // namespace
}  // namespace bfs
