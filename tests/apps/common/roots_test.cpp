#include "apps/common/roots.hpp"

#include "structures/graph/graph.hpp"
#include "tests/apps/bfs/graphs.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace bfs { namespace {

typedef std::vector<VertexID> Roots;
typedef Grappa::Graph<int64_t> Graph;

Roots roots_of(int64_t nv, const Edges& edges, int64_t count, uint64_t seed) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const GlobalAddress<Graph> g = Graph::create(tuples);
  const Roots roots = apps::choose_roots(g->lists(), count, seed);
  g->destroy();
  tuples.destroy();
  return roots;
}

TEST(Roots, AreDifferentVerticesWithNeighbours) {
  Edges edges;
  for (VertexID v = 0; v < 300; v += 3) edges.push_back(TupleGraph::Edge{v, v + 1});
  edges.push_back(TupleGraph::Edge{2, 2});  // a self-loop is not a neighbour
  const Roots roots = roots_of(301, edges, 64, 1);
  EXPECT_EQ(roots.size(), 64u);
  EXPECT_EQ(std::set<VertexID>(roots.begin(), roots.end()).size(), 64u);
  for (const VertexID root : roots) EXPECT_NE(root % 3, 2) << root;
}

// The roots must be the same in jobs of any number of cores.
TEST(Roots, AreTheSameOnAnyNumberOfCores) {
  EXPECT_EQ(roots_of(1000, path_edges(1000), 8, 1),
            (Roots{208, 667, 520, 713, 551, 416, 886, 838}));
}

TEST(Roots, DependOnTheSeed) {
  EXPECT_NE(roots_of(1000, path_edges(1000), 8, 1), roots_of(1000, path_edges(1000), 8, 2));
}

TEST(Roots, AreAllCandidatesIfFewerThanCount) {
  Roots roots = roots_of(100, {{3, 50}, {50, 99}}, 64, 1);
  std::sort(roots.begin(), roots.end());
  EXPECT_EQ(roots, (Roots{3, 50, 99}));
  EXPECT_EQ(roots_of(100, {{7, 7}}, 64, 1), Roots());
}

TEST(Roots, DoNotDependOnThePreviousChoice) {
  const Roots first = roots_of(1000, path_edges(1000), 8, 1);
  EXPECT_EQ(roots_of(1000, path_edges(1000), 8, 1), first);
}

}}  // namespace bfs
