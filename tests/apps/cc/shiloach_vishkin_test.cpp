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

// Returns the components of a reduced graph. All vertices are roots, and all cores have edges.
Result components_of(int64_t nv, const Edges& edges) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const GlobalAddress<LabelGraph> g = LabelGraph::create(tuples);
  Grappa::forall(g, [](VertexID id, Vertex& v) { v->label = id; });
  Grappa::forall(tuples.edges, tuples.nedge, [](TupleGraph::Edge& e) {
    if (e.v0 != e.v1) reduced_edges.push_back(RootPair::of(e.v0, e.v1));
  });
  Result result;
  result.rounds = shiloach_vishkin(g);
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

// Checks the components and the number of rounds. According to the theorem of the paper, there are
// at most log_{3/2} n + 2 rounds. The last round changes nothing.
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
  EXPECT_LE(double(result.rounds), std::log(double(nv)) / std::log(1.5) + 2);
}

TEST(ShiloachVishkin, KeepsVerticesWithoutEdges) {
  expect_components(1, {});
  expect_components(5, {{1, 3}});
}

TEST(ShiloachVishkin, FindsTheComponentOfAPathWithShuffledNumbers) {
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

// If the algorithm hooked trees only onto trees with smaller roots, each round would hook only the
// tree of the hub, and only onto the next smaller leaf, because the edge of this leaf comes first.
TEST(ShiloachVishkin, NeedsFewRoundsForAStarWithTheLargestVertexAsHub) {
  const int64_t n = 1000;
  Edges edges;
  for (VertexID leaf = n - 2; leaf >= 0; --leaf) edges.push_back({leaf, n - 1});
  expect_components(n, edges);
}

TEST(ShiloachVishkin, NeedsFewRoundsForAlternatingSmallAndLargeVertices) {
  // The graph is the path 0 - 1500 - 1 - 1501 - 2 - ..., in which every second vertex is a minimum.
  const int64_t n = 3000;
  Edges edges;
  for (VertexID i = 0; i < n / 2; ++i) {
    edges.push_back({i, n / 2 + i});
    if (i + 1 < n / 2) edges.push_back({n / 2 + i, i + 1});
  }
  expect_components(n, edges);
}

TEST(ShiloachVishkin, FindsTheComponentsOfRandomForests) {
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

}}  // namespace cc
