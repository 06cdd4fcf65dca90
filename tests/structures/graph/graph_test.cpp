#include "structures/graph/graph.hpp"

#include <Grappa.hpp>

#include "structures/graph/kronecker.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace Grappa {
namespace {

struct Nothing {};
typedef Graph<int64_t> NumberGraph;
typedef std::vector<TupleEdge> Edges;
typedef std::vector<VertexID> Neighbours;

static_assert(sizeof(Graph<Nothing>::Vertex) == 32, "padded to a power of two");
static_assert(sizeof(Graph<int64_t>::Vertex) == 32, "padded to a power of two");
static_assert(sizeof(Graph<char[16]>::Vertex) == 32, "not padded");
static_assert(sizeof(Graph<char[17]>::Vertex) == 64, "padded to a power of two");
static_assert(sizeof(Graph<char[48]>::Vertex) == 64, "not padded");

template <typename V>
std::vector<Neighbours> neighbours_of(GlobalAddress<Graph<V>> g) {
  typedef typename Graph<V>::Vertex Vertex;
  std::vector<Neighbours> all(static_cast<size_t>(g->nv));
  for (VertexID v = 0; v < g->nv; ++v) {
    const int64_t nadj = delegate::call(g->vs + v, [](Vertex& x) { return x.nadj; });
    for (int64_t k = 0; k < nadj; ++k) {
      all[static_cast<size_t>(v)].push_back(
          delegate::call(g->vs + v, [k](Vertex& x) { return x.local_adj[k]; }));
    }
  }
  return all;
}

std::vector<Neighbours> model(int64_t nv, const Edges& edges, bool directed) {
  std::vector<std::set<VertexID>> sets(static_cast<size_t>(nv));
  for (const TupleEdge& e : edges) {
    if (e.v0 == e.v1) continue;
    sets[static_cast<size_t>(e.v0)].insert(e.v1);
    if (!directed) sets[static_cast<size_t>(e.v1)].insert(e.v0);
  }
  std::vector<Neighbours> all;
  for (const auto& set : sets) all.push_back(Neighbours(set.begin(), set.end()));
  return all;
}

template <typename V>
void expect_model(int64_t nv, const Edges& edges, bool directed) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const auto g = Graph<V>::create(tuples, directed);
  tuples.destroy();
  const std::vector<Neighbours> expected = model(nv, edges, directed);
  EXPECT_EQ(g->nv, nv);
  EXPECT_EQ(neighbours_of(g), expected);
  int64_t nadj = 0;
  for (const Neighbours& neighbours : expected) nadj += int64_t(neighbours.size());
  EXPECT_EQ(g->nadj, nadj);
  EXPECT_EQ(delegate::call(Core(cores() - 1), [g] { return g->nadj; }), nadj);
  g->destroy();
}

Edges kronecker_edges(int scale, int64_t count) {
  const KroneckerGenerator generator(scale, 1, 2);
  Edges edges;
  for (int64_t i = 0; i < count; ++i) edges.push_back(generator.edge(i));
  return edges;
}

TEST(Graph, HasBothEndsOfEachEdgeSortedAndOnce) {
  expect_model<int64_t>(5, {{3, 1}, {1, 3}, {3, 0}, {3, 0}, {2, 2}, {3, 2}}, false);
}

TEST(Graph, HasOneEndOfEachEdgeIfDirected) {
  expect_model<int64_t>(5, {{3, 1}, {1, 3}, {3, 0}, {3, 0}, {2, 2}, {3, 2}}, true);
}

TEST(Graph, IsThatOfASerialModelForKroneckerEdges) {
  expect_model<int64_t>(256, kronecker_edges(8, 2000), false);
  expect_model<int64_t>(256, kronecker_edges(8, 2000), true);
}

TEST(Graph, HoldsVerticesOfAnySizeThatFitsInABlock) {
  expect_model<Nothing>(64, kronecker_edges(6, 300), false);
  expect_model<char[48]>(64, kronecker_edges(6, 300), false);
}

TEST(Graph, MayHaveNoEdgeOrOneVertex) {
  expect_model<int64_t>(1, {}, false);
  expect_model<int64_t>(1, {{0, 0}}, false);
  expect_model<int64_t>(7, {}, false);
}

TEST(Graph, GivesItsVerticesToALoopAtTheirOwners) {
  TupleGraph tuples = TupleGraph::from_edges(100, {{0, 99}});
  const auto g = NumberGraph::create(tuples);
  forall(g, [](NumberGraph::Vertex& v) {
    EXPECT_EQ(*v.operator->(), 0) << "data is value-initialised";
    v.data = v.nadj;
  });
  forall(g, [g](VertexID id, NumberGraph::Vertex& v) {
    EXPECT_EQ((g->vs + id).core(), mycore());
    EXPECT_EQ((g->vs + id).pointer(), &v);
    EXPECT_EQ(g->id(v), id);
    v.data += 10 * id;
  });
  for (VertexID v = 0; v < 100; ++v) {
    const int64_t data = delegate::call(g->vs + v, [](NumberGraph::Vertex& x) { return x.data; });
    EXPECT_EQ(data, 10 * v + (v == 0 || v == 99));
  }
  g->destroy();
  tuples.destroy();
}

TEST(Graph, GivesItsMemoryBack) {
  TupleGraph tuples = TupleGraph::from_edges(1000, kronecker_edges(9, 5000));
  NumberGraph::create(tuples)->destroy();
  const size_t before = heap_bytes_free();
  for (int i = 0; i < 3; ++i) NumberGraph::create(tuples)->destroy();
  EXPECT_EQ(heap_bytes_free(), before);
  tuples.destroy();
}

struct Rank {
  double rank;
};

TEST(Graph, IsUsedAsItsReadmeShows) {
  // clang-format off
  TupleGraph tuples = TupleGraph::Kronecker(10, 16 << 10, 1, 2);  // or TupleGraph::Load("roads.mtx")
  GlobalAddress<Graph<Rank>> g = Graph<Rank>::create(tuples);     // undirected
  forall(g, [](VertexID, Graph<Rank>::Vertex& v) { v->rank = 1.0 / double(v.nadj); });
  // clang-format on
  forall(g, [](Graph<Rank>::Vertex& v) { EXPECT_EQ(1.0 / double(v.nadj), v->rank); });
  g->destroy();
  tuples.destroy();
}

}  // namespace
}  // namespace Grappa
