#include "apps/cc/components.hpp"

#include "tests/apps/cc/graphs.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace cc { namespace {

struct Result {
  Labels labels;
  int64_t rounds;
};

// Returns the components of a reduced graph. All vertices are roots.
Result components_of(int64_t nv, const Edges& edges) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const GlobalAddress<LabelGraph> g = LabelGraph::create(tuples);
  Grappa::forall(g, [](VertexID id, Vertex& v) { v->label = id; });
  const GlobalAddress<PairSet> set = PairSet::create();
  Grappa::forall(tuples.edges, tuples.nedge, [set](TupleGraph::Edge& e) {
    if (e.v0 != e.v1) set->insert<Grappa::async>(RootPair::of(e.v0, e.v1));
  });
  Result result;
  result.rounds = connect_reduced_graph(g, set);
  set->destroy();
  const auto label = Grappa::global_alloc<VertexID>(static_cast<size_t>(nv));
  Grappa::forall(g, [label](VertexID id, Vertex& v) {
    Grappa::delegate::write<Grappa::async>(label + id, v->label);
  });
  result.labels = from_global(label, nv);
  Grappa::global_free(label);
  g->destroy();
  tuples.destroy();
  return result;
}

// Checks the components and the number of rounds. The source proves that there are at most
// 2 log2 n + 1 rounds; the last round changes nothing.
void expect_components(int64_t nv, const Edges& edges) {
  const Result result = components_of(nv, edges);
  const Labels expected = smallest_labels(nv, edges);
  for (int64_t v = 0; v < nv; ++v) {
    const VertexID label = result.labels[size_t(v)];
    ASSERT_TRUE(label >= 0 && label < nv) << "vertex " << v << " has label " << label;
    EXPECT_EQ(result.labels[size_t(label)], label) << "vertex " << v;
    EXPECT_EQ(expected[size_t(label)], expected[size_t(v)]) << "vertex " << v << " was merged";
    EXPECT_EQ(result.labels[size_t(expected[size_t(v)])], label) << "vertex " << v << " was split";
  }
  EXPECT_LE(double(result.rounds), 2 * std::log2(double(nv)) + 1);
}

TEST(ReducedGraph, KeepsVerticesWithoutEdges) {
  expect_components(1, {});
  expect_components(5, {{1, 3}});
}

TEST(ReducedGraph, FindsTheComponentOfAPathWithShuffledNumbers) {
  const int64_t n = 2000;
  expect_components(n, path_edges(n));
  std::vector<VertexID> order(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) order[size_t(i)] = i;
  std::mt19937 random(7);
  std::shuffle(order.begin(), order.end(), random);
  Edges edges;
  for (size_t i = 1; i < order.size(); ++i) edges.push_back({order[i - 1], order[i]});
  expect_components(n, edges);
}

// Each edge compares the tree of a leaf with that of the hub. The first round hooks the hub. The
// messages of a round overtake each other, so the label of the hub need not be the smallest leaf.
// But then the second round hooks the tree of the hub onto the smallest root, the third all other
// roots onto that, and the fourth changes nothing.
TEST(ReducedGraph, NeedsAtMostFourRoundsForAStarWithTheLargestVertexAsHub) {
  const int64_t n = 1000;
  Edges edges;
  for (VertexID leaf = n - 2; leaf >= 0; --leaf) edges.push_back({leaf, n - 1});
  expect_components(n, edges);
  EXPECT_LE(components_of(n, edges).rounds, 4);
}

TEST(ReducedGraph, NeedsFewRoundsForAlternatingSmallAndLargeVertices) {
  // The graph is the path 0 - 1500 - 1 - 1501 - 2 - ..., in which every second vertex is a minimum.
  const int64_t n = 3000;
  Edges edges;
  for (VertexID i = 0; i < n / 2; ++i) {
    edges.push_back({i, n / 2 + i});
    if (i + 1 < n / 2) edges.push_back({n / 2 + i, i + 1});
  }
  expect_components(n, edges);
}

TEST(ReducedGraph, FindsTheComponentsOfRandomForests) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 5; ++trial) {
    const int64_t n = 1000;
    Edges edges;
    for (VertexID v = 1; v < n; ++v) {
      if (random() % 20 != 0) edges.push_back({v, VertexID(random() % size_t(v))});
    }
    expect_components(n, edges);
  }
}

TEST(ReducedGraph, FindsTheComponentsOfRandomGraphs) {
  std::mt19937 random(13);
  const int64_t n = 1000;
  for (const int64_t most : {n / 2, n, 8 * n}) {
    Edges edges;
    for (int64_t i = 0; i < most; ++i)
      edges.push_back({VertexID(random() % n), VertexID(random() % n)});
    expect_components(n, edges);
  }
}

}}  // namespace cc
