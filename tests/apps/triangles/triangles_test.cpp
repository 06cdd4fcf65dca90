#include "apps/triangles/triangles.hpp"

#include "apps/triangles/triangles_verify.hpp"
#include "tests/apps/edge_lists.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace triangles { namespace {

using Grappa::GraphLayout;

// Tries all triples of vertices.
int64_t count_triples(const apps::EdgeList& list) {
  const size_t nv = size_t(list.nv);
  std::vector<std::vector<bool>> adjacent(nv, std::vector<bool>(nv));
  for (const Grappa::TupleEdge& edge : list.edges) {
    adjacent[size_t(edge.v0)][size_t(edge.v1)] = adjacent[size_t(edge.v1)][size_t(edge.v0)] = true;
  }
  int64_t triples = 0;
  for (size_t a = 0; a < nv; ++a) {
    for (size_t b = a + 1; b < nv; ++b) {
      for (size_t c = b + 1; adjacent[a][b] && c < nv; ++c) {
        triples += adjacent[a][c] && adjacent[b][c];
      }
    }
  }
  return triples;
}

// Every vertex is a neighbour of every other.
apps::EdgeList complete(int64_t nv) {
  apps::EdgeList list = {"complete graph", nv, {}};
  for (int64_t v = 0; v < nv; ++v) {
    for (int64_t w = 0; w < v; ++w) list.edges.push_back({v, w});
  }
  return list;
}

int64_t count_in(const apps::EdgeList& list, GraphLayout layout, Grappa::detail::SlotWidth width) {
  Grappa::TupleGraph tuples = Grappa::TupleGraph::from_edges(list.nv, list.edges);
  const auto g = PlainGraph::create(tuples, false, layout, width);
  tuples.destroy();
  const int64_t found = count_triangles(g);
  g->destroy();
  return found;
}

TEST(Triangles, AreAllTriplesOfNeighbours) {
  std::vector<apps::EdgeList> lists = apps::families();
  lists.push_back(complete(100));
  for (const apps::EdgeList& list : lists) {
    SCOPED_TRACE(list.name);
    const int64_t expected = count_triples(list);
    for (const GraphLayout layout : {GraphLayout::Interleaved, GraphLayout::Ranges}) {
      for (const auto width :
           {Grappa::detail::SlotWidth::kAutomatic, Grappa::detail::SlotWidth::k64}) {
        EXPECT_EQ(count_in(list, layout, width), expected);
      }
    }
  }
}

TEST(Triangles, AreCountedAlsoIfListsAreOrderedByDegree) {
  const apps::EdgeList list = apps::kronecker_edges(9, 8);
  Grappa::TupleGraph tuples = Grappa::TupleGraph::from_edges(list.nv, list.edges);
  const auto g = PlainGraph::create(tuples);
  tuples.destroy();
  g->order_by_degree();
  EXPECT_EQ(count_triangles(g), count_triples(list));
  EXPECT_EQ(count_triangles(g), count_triples(list));
  g->destroy();
}

TEST(TrianglesCheck, CountsAllTriplesOfNeighbours) {
  std::vector<apps::EdgeList> lists = apps::families();
  lists.push_back(complete(30));
  for (const apps::EdgeList& list : lists) {
    SCOPED_TRACE(list.name);
    Grappa::TupleGraph tuples = Grappa::TupleGraph::from_edges(list.nv, list.edges);
    EXPECT_EQ(count_serially(tuples), count_triples(list));
    tuples.destroy();
  }
}

}}  // namespace triangles
