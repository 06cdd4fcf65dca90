#include "apps/common/plain_graph.hpp"

#include <Grappa.hpp>

#include "tests/apps/edge_lists.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace apps { namespace {

TEST(PlainGraph, HasTheNeighboursOfEachVertexOnceAndInOrder) {
  for (const EdgeList& list : families()) {
    SCOPED_TRACE(list.name);
    std::vector<std::set<Grappa::VertexID>> expected(static_cast<size_t>(list.nv));
    for (const Grappa::TupleEdge& edge : list.edges) {
      if (edge.v0 == edge.v1) continue;
      expected[size_t(edge.v0)].insert(edge.v1);
      expected[size_t(edge.v1)].insert(edge.v0);
    }
    Grappa::TupleGraph tuples = Grappa::TupleGraph::from_edges(list.nv, list.edges);
    const PlainGraph g(tuples);
    tuples.destroy();
    ASSERT_EQ(g.nv(), list.nv);
    for (Grappa::VertexID v = 0; v < list.nv; ++v) {
      const std::vector<Grappa::VertexID> found(g.begin(v), g.end(v));
      const std::set<Grappa::VertexID>& its = expected[size_t(v)];
      ASSERT_EQ(found, std::vector<Grappa::VertexID>(its.begin(), its.end())) << v;
      ASSERT_EQ(g.degree(v), int64_t(its.size()));
    }
  }
}

}}  // namespace apps
