#include "structures/graph/csr_edges.hpp"

#include "tests/structures/graph/csr_files.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <utility>

namespace Grappa { namespace {

typedef std::set<std::pair<VertexID, VertexID>> Pairs;

Pairs pairs_of(GlobalAddress<Graph<Nothing>> g) {
  TupleGraph tuples = edges_of(g->lists(), g->directed);
  const Edges edges = edges_of(tuples);
  EXPECT_EQ(tuples.nv, g->nv);
  tuples.destroy();
  Pairs pairs;
  for (const TupleEdge& e : edges) pairs.emplace(e.v0, e.v1);
  EXPECT_EQ(pairs.size(), edges.size()) << "an edge is in the list twice";
  return pairs;
}

TEST(CsrEdges, ContainEachEdgeOnce) {
  const Edges edges = kronecker_edges(8, 2000);
  for (const bool directed : {false, true}) {
    const auto g = graph_of<Small>(256, edges, directed);
    Pairs expected;
    for (const TupleEdge& e : edges) {
      if (e.v0 == e.v1) continue;
      expected.insert(directed ? std::make_pair(e.v0, e.v1)
                               : std::make_pair(std::min(e.v0, e.v1), std::max(e.v0, e.v1)));
    }
    EXPECT_EQ(pairs_of(g), expected);
    g->destroy();
  }
  const auto none = graph_of<Small>(5, {{3, 3}}, false);
  EXPECT_EQ(pairs_of(none), Pairs());
  none->destroy();
}

}}  // namespace Grappa
