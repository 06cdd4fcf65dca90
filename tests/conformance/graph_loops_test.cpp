/// Reference section "Graphs": loops over graphs and transformed vertex data.

#include "structures/graph/loops/graph_loops.hpp"
#include "structures/graph/edge_weight.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "tests/conformance/samples.hpp"

#include <gtest/gtest.h>
#include <vector>

using namespace conformance;

namespace {

struct Count {
  int64_t in;
  int64_t out;
};
struct Weight {
  int64_t weight;
};
typedef Graph<Count, Weight> G;

// A graph in which vertex 0 is connected to all other vertices, which form a path.
TupleGraph wheel(int64_t n) {
  std::vector<TupleEdge> edges;
  for (VertexID v = 1; v < n; ++v) {
    edges.push_back(TupleEdge{0, v});
    if (v + 1 < n) edges.push_back(TupleEdge{v + 1, v});
  }
  return TupleGraph::from_edges(n, edges);
}

constexpr int64_t kVertices = 50;

TEST(Graphs, VerticesHaveDataAndEdges) {
  TupleGraph tuples = wheel(kVertices);
  const GlobalAddress<G> g = G::Undirected(tuples);
  forall(g, [g](VertexID id, G::Vertex& v) {
    EXPECT_EQ(g->id(v), id);
    EXPECT_TRUE(v.valid);
    EXPECT_EQ(int64_t{v.nadj}, id == 0 ? kVertices - 1 : id == 1 || id == kVertices - 1 ? 2 : 3);
    EXPECT_EQ(g->edge(v, 0).id, id == 0 ? 1 : 0);
    EXPECT_EQ(g->edge(v, 0).ga, g->vs + g->edge(v, 0).id);
    EXPECT_EQ(v->in + v->out + v.data.in, 0);
  });
  g->destroy();
  const GlobalAddress<G> directed = G::Directed(tuples);
  EXPECT_EQ(directed->nadj, 2 * kVertices - 3);
  EXPECT_EQ(delegate::call(directed->vs + 1, [](G::Vertex& v) { return int64_t{v.nadj}; }), 0);
  directed->destroy();
  tuples.destroy();
}

TEST(Graphs, LoopsVisitVerticesAndEdges) {
  TupleGraph tuples = wheel(kVertices);
  const GlobalAddress<G> g = G::create(tuples);
  forall(g, [g](G::Vertex& v, G::Edge& e) { e.data.weight = g->id(v) + e.id; });
  forall(g, [](G::Edge& e, G::Vertex& v) { v->in += e->weight; });
  forall(g,
         [g](G::Vertex& v) { serial_for(adj(g, v), [&v](G::Edge& e) { v->out += e->weight; }); });
  forall(g, [](G::Vertex& v) { EXPECT_EQ(v->in, v->out); });
  g->destroy();
  tuples.destroy();
}

TEST(Graphs, LoopsVisitTheNeighboursOfAVertexOfAnyCore) {
  TupleGraph tuples = wheel(kVertices);
  const GlobalAddress<G> g = G::create(tuples);
  for (VertexID v = 0; v < kVertices; ++v) {
    forall(adj(g, v),
           [](G::Edge& e) { delegate::call<async>(e.ga, [](G::Vertex& w) { ++w->in; }); });
    forall(adj(g, g->vs + v), [g, v](int64_t i) {
      const VertexID w = g->edge(*(g->vs + v).pointer(), i).id;
      delegate::call<async>(g->vs + w, [](G::Vertex& x) { ++x->in; });
    });
    finish([g, v] {
      forall<async>(adj(g, v), [](int64_t, G::Edge& e) {
        delegate::call<async>(e.ga, [](G::Vertex& w) { ++w->in; });
      });
    });
  }
  forall(g, [](G::Vertex& v) { EXPECT_EQ(v->in, 3 * int64_t{v.nadj}); });
  g->destroy();
  tuples.destroy();
}

TEST(Graphs, TransformReplacesTheVertexData) {
  TupleGraph tuples = wheel(kVertices);
  const GlobalAddress<G> g = G::create(tuples);
  forall(g, [](VertexID id, G::Vertex& v) { v->in = id; });
  typedef Graph<double, Weight> Next;
  const GlobalAddress<Next> next =
      g->transform<double>([](G::Vertex& old, double& data) { data = 0.5 * double(old->in); });
  forall(next, [](VertexID id, Next::Vertex& v) { EXPECT_EQ(v.data, 0.5 * double(id)); });
  next->destroy();
  tuples.destroy();
}

TEST(Graphs, OrderByDegreePutsNeighboursOfHighDegreeFirst) {
  TupleGraph tuples = wheel(kVertices);
  const GlobalAddress<Graph<int64_t>> g = Graph<int64_t>::create(tuples);
  g->order_by_degree();
  forall(g, [g](VertexID id, Graph<int64_t>::Vertex& v) {
    if (id != 0) {
      EXPECT_EQ(g->edge(v, 0).id, 0);
    }
  });
  g->destroy();
  tuples.destroy();
}

TEST(Graphs, EdgeWeightIsTheSameInBothLists) {
  TupleGraph tuples = wheel(kVertices);
  const GlobalAddress<G> g = G::create(tuples);
  forall(g, [g](G::Vertex& v, G::Edge& e) { e->weight = edge_weight(g->id(v), e.id, 1, 1000); });
  forall(g, [](G::Vertex& v, G::Edge& e) { v->out += e->weight; });
  forall(g, [](G::Edge& e, G::Vertex& v) { v->in += e->weight; });
  forall(g, [](G::Vertex& v) {
    EXPECT_EQ(v->in, v->out);
    EXPECT_GE(v->in, int64_t{v.nadj});
    EXPECT_LE(v->in, 1000 * int64_t{v.nadj});
  });
  g->destroy();
  tuples.destroy();
}

}  // namespace
