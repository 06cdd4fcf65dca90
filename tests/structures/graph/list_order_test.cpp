#include "structures/graph/csr/csr.hpp"

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"
#include "structures/graph/make/generators.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

typedef Graph<int64_t> NumberGraph;
typedef std::vector<VertexID> Neighbours;

TupleGraph skewed_tuples() {
  const KroneckerGenerator generator(9, 7, 8);
  std::vector<TupleEdge> edges;
  for (int64_t i = 0; i < 6000; ++i) edges.push_back(generator.edge(i));
  return TupleGraph::from_edges(512, edges);
}

std::vector<Neighbours> lists_of(GlobalAddress<NumberGraph> g) {
  std::vector<Neighbours> all(static_cast<size_t>(g->nv));
  for (VertexID v = 0; v < g->nv; ++v) {
    const int64_t n =
        delegate::call(g->vs + v, [](NumberGraph::Vertex& x) { return int64_t{x.nadj}; });
    for (int64_t i = 0; i < n; ++i) {
      all[size_t(v)].push_back(
          delegate::call(g->vs + v, [g, i](NumberGraph::Vertex& x) { return g->edge(x, i).id; }));
    }
  }
  return all;
}

class ListOrder : public ::testing::TestWithParam<std::pair<GraphLayout, SlotWidth>> {};

TEST_P(ListOrder, SortsNeighboursByDegreeAndKeepsTheOrderOfEqualOnes) {
  TupleGraph tuples = skewed_tuples();
  const auto g = NumberGraph::create(tuples, false, GetParam().first, GetParam().second);
  const std::vector<Neighbours> before = lists_of(g);
  g->order_by_degree();
  const std::vector<Neighbours> after = lists_of(g);
  size_t long_lists = 0;
  for (size_t v = 0; v < before.size(); ++v) {
    const auto degree = [&before](VertexID w) { return double(before[size_t(w)].size()); };
    for (size_t i = 1; i < after[v].size(); ++i) {
      const VertexID first = after[v][i - 1], second = after[v][i];
      ASSERT_GE(degree(first) * 1.1 + 1, degree(second)) << "in the list of " << v;
      if (degree(first) == degree(second)) {
        ASSERT_LT(first, second) << "in the list of " << v;
      }
    }
    Neighbours sorted = after[v];
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, before[v]) << "the list of " << v << " has different neighbours";
    long_lists += before[v].size() > 100;
  }
  EXPECT_GT(long_lists, 0U) << "both sorting algorithms are tested";
  EXPECT_NE(after, before);
  g->destroy();
  tuples.destroy();
}
INSTANTIATE_TEST_SUITE_P(
    AllLayouts, ListOrder,
    ::testing::Values(std::make_pair(GraphLayout::Interleaved, SlotWidth::kAutomatic),
                      std::make_pair(GraphLayout::Interleaved, SlotWidth::k64),
                      std::make_pair(GraphLayout::Ranges, SlotWidth::kAutomatic)));

TEST(ListOrder, AcceptsAGraphWithoutEdges) {
  TupleGraph tuples = TupleGraph::from_edges(100, {});
  const auto g = NumberGraph::create(tuples);
  g->order_by_degree();
  EXPECT_EQ(g->nadj, 0);
  g->destroy();
  tuples.destroy();
}

}  // namespace
}  // namespace Grappa
