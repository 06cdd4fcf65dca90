#include "structures/graph/relabel.hpp"

#include <Grappa.hpp>

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <utility>
#include <vector>

namespace Grappa { namespace {

typedef std::vector<TupleEdge> Edges;
typedef std::vector<VertexID> Vertices;

template <class T>
std::vector<T> elements_of(GlobalAddress<T> array, int64_t n) {
  std::vector<T> elements(static_cast<size_t>(n));
  Grappa::memcpy(elements.data(), array, n);
  return elements;
}

std::vector<int64_t> degrees_of(int64_t nv, const Edges& edges) {
  std::vector<int64_t> degrees(static_cast<size_t>(nv));
  for (const TupleEdge& e : edges) {
    if (e.v0 == e.v1) continue;
    ++degrees[size_t(e.v0)];
    ++degrees[size_t(e.v1)];
  }
  return degrees;
}

// A serial model of the relabelling. Returns the old label for each new label.
Vertices by_degree(int64_t nv, const Edges& edges) {
  const std::vector<int64_t> degrees = degrees_of(nv, edges);
  Vertices order(static_cast<size_t>(nv));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&degrees](VertexID a, VertexID b) {
    return degrees[size_t(a)] > degrees[size_t(b)];
  });
  return order;
}

void expect_relabelled(TupleGraph graph) {
  const Edges before = elements_of(graph.edges, graph.nedge);
  const GlobalAddress<VertexID> map = relabel_by_degree(&graph);
  const Vertices old_of_new = elements_of(map, graph.nv);
  EXPECT_EQ(old_of_new, by_degree(graph.nv, before));
  const Edges after = elements_of(graph.edges, graph.nedge);
  for (size_t i = 0; i < after.size(); ++i) {
    ASSERT_TRUE(std::max(after[i].v0, after[i].v1) < graph.nv);
    const TupleEdge named = {old_of_new[size_t(after[i].v0)], old_of_new[size_t(after[i].v1)]};
    ASSERT_EQ(named, before[i]) << "edge " << i;
  }
  std::vector<int64_t> degrees = degrees_of(graph.nv, before);
  std::sort(degrees.rbegin(), degrees.rend());
  EXPECT_EQ(degrees_of(graph.nv, after), degrees);
  global_free(map);
  graph.destroy();
}

TEST(RelabelByDegree, BreaksTiesByTheOldLabel) {
  // The degrees of the vertices are 1, 3, 1, 3, 0, 2.
  TupleGraph graph = TupleGraph::from_edges(6, {{0, 1}, {1, 3}, {3, 2}, {5, 1}, {3, 5}, {4, 4}});
  const GlobalAddress<VertexID> map = relabel_by_degree(&graph);
  EXPECT_EQ(elements_of(map, 6), (Vertices{1, 3, 5, 0, 2, 4}));
  EXPECT_EQ(elements_of(graph.edges, 6), (Edges{{3, 0}, {0, 1}, {1, 4}, {2, 0}, {1, 2}, {5, 5}}));
  global_free(map);
  graph.destroy();
}

TEST(RelabelByDegree, MatchesTheSerialModelOnAnyNumberOfCores) {
  expect_relabelled(TupleGraph::Kronecker(10, 8 << 10, 1, 2));
  expect_relabelled(TupleGraph::Uniform(777, 3000, 3));
}

TEST(RelabelByDegree, KeepsTheOrderOfVerticesOfOneDegree) {
  expect_relabelled(TupleGraph::Uniform(3000, 0, 3));
  expect_relabelled(TupleGraph::Grid(30, 41));
}

TEST(RelabelByDegree, AcceptsFewerVerticesThanCores) {
  expect_relabelled(TupleGraph::from_edges(1, {{0, 0}}));
  expect_relabelled(TupleGraph::from_edges(2, {{0, 1}, {1, 0}, {1, 1}}));
}

TEST(RelabelByDegree, AcceptsAnEmptyGraph) { expect_relabelled(TupleGraph::from_edges(0, {})); }

// Vertices of degree 65536 and more do not have a counter. One vertex has the degree 65535.
TEST(RelabelByDegree, OrdersVerticesOfVeryHighDegree) {
  Edges edges;
  const auto join = [&edges](VertexID a, VertexID b, int64_t times) {
    for (int64_t k = 0; k < times; ++k) edges.push_back(TupleEdge{a, b});
  };
  join(2, 1, 32768);
  join(1, 9, 32768);
  join(9, 2, 32768);
  join(9, 95, 1);
  join(7, 95, 65535);
  EXPECT_EQ(degrees_of(100, edges)[9], 65537);
  EXPECT_EQ(degrees_of(100, edges)[95], 65536);
  EXPECT_EQ(degrees_of(100, edges)[7], 65535);
  expect_relabelled(TupleGraph::from_edges(100, edges));
}

// The range has more vertices than a core reads in one step.
TEST(RelabelByDegree, AcceptsLongRangesOfVertices) {
  expect_relabelled(TupleGraph::Uniform(300001, 50000, 9));
}

}}  // namespace Grappa
