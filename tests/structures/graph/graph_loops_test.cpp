#include "structures/graph/graph.hpp"

#include <Grappa.hpp>

#include "structures/graph/edge_weight.hpp"
#include "structures/graph/make/generators.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

struct Sum {
  int64_t in;
  int64_t out;
};
struct Weight {
  int64_t weight;
};
typedef Graph<Sum, Weight> WeightGraph;
typedef WeightGraph::Vertex Vertex;
typedef WeightGraph::Edge Edge;
typedef std::set<std::pair<VertexID, VertexID>> Entries;

constexpr int64_t kVertices = 500;

TupleGraph some_tuples() {
  const KroneckerGenerator generator(8, 5, 6);
  std::vector<TupleEdge> edges;
  for (int64_t i = 0; i < 3000; ++i) edges.push_back(generator.edge(i));
  edges.push_back(TupleEdge{kVertices - 1, 0});
  return TupleGraph::from_edges(kVertices, edges);
}

// The entries that this core has visited in the test.
std::vector<std::pair<VertexID, VertexID>> seen;

Entries seen_everywhere() {
  Entries all;
  for (Core c = 0; c < cores(); ++c) {
    const size_t n = delegate::call(c, [] { return seen.size(); });
    for (size_t i = 0; i < n; ++i) {
      const auto entry = delegate::call(c, [i] {
        return TupleEdge{seen[i].first, seen[i].second};
      });
      EXPECT_TRUE(all.insert({entry.v0, entry.v1}).second) << "visited twice";
    }
  }
  on_all_cores([] { seen.clear(); });
  return all;
}

Entries entries_of(GlobalAddress<WeightGraph> g) {
  Entries all;
  for (VertexID v = 0; v < g->nv; ++v) {
    const int64_t n = delegate::call(g->vs + v, [](Vertex& x) { return int64_t{x.nadj}; });
    for (int64_t i = 0; i < n; ++i) {
      all.insert({v, delegate::call(g->vs + v, [g, i](Vertex& x) { return g->edge(x, i).id; })});
    }
  }
  return all;
}

class GraphLoops : public ::testing::TestWithParam<GraphLayout> {
 protected:
  GraphLoops()
      : tuples(some_tuples()),
        g(WeightGraph::create(tuples, false, GetParam())),
        entries(entries_of(g)) {}
  ~GraphLoops() override {
    g->destroy();
    tuples.destroy();
  }

  TupleGraph tuples;
  const GlobalAddress<WeightGraph> g;
  const Entries entries;
};

INSTANTIATE_TEST_SUITE_P(Layouts, GraphLoops,
                         testing::Values(GraphLayout::Interleaved, GraphLayout::Ranges));

TEST_P(GraphLoops, VisitEachEdgeAtItsSource) {
  const GlobalAddress<WeightGraph> graph = g;
  forall(g, [graph](Vertex& v, Edge& e) {
    EXPECT_EQ(e.ga, graph->vs + e.id);
    seen.push_back({graph->id(v), e.id});
  });
  EXPECT_EQ(seen_everywhere(), entries);
}

TEST_P(GraphLoops, VisitEachEdgeAtItsTargetWithItsData) {
  const GlobalAddress<WeightGraph> graph = g;
  forall(g, [graph](Vertex& v, Edge& e) { e->weight = graph->id(v); });
  forall(g, [graph](Edge& e, Vertex& w) {
    EXPECT_EQ(graph->id(w), e.id);
    EXPECT_EQ(e.ga, graph->vs + e.id);
    seen.push_back({e->weight, e.id});
  });
  EXPECT_EQ(seen_everywhere(), entries);
}

TEST_P(GraphLoops, AreAsyncInTheScopeOfTheirCaller) {
  const GlobalAddress<WeightGraph> graph = g;
  finish([graph] {
    forall<async>(graph, [graph](Vertex& v, Edge& e) { seen.push_back({graph->id(v), e.id}); });
  });
  EXPECT_EQ(seen_everywhere(), entries);
}

TEST_P(GraphLoops, VisitNeighboursAtTheOwnerInEachForm) {
  const GlobalAddress<WeightGraph> graph = g;
  for (VertexID v = 0; v < kVertices; ++v) {
    const Core owner = (g->vs + v).core();
    forall(adj(g, v), [owner, v](Edge& e) {
      EXPECT_EQ(mycore(), owner);
      seen.push_back({v, e.id});
    });
  }
  EXPECT_EQ(seen_everywhere(), entries);
  for (VertexID v = 0; v < kVertices; ++v) {
    forall(adj(g, g->vs + v), [graph, v](int64_t i, Edge& e) {
      EXPECT_EQ(graph->edge(*(graph->vs + v), i).id, e.id);
      seen.push_back({v, e.id});
    });
  }
  EXPECT_EQ(seen_everywhere(), entries);
  for (VertexID v = 0; v < kVertices; ++v) {
    forall<8>(adj(g, v), [graph, v](int64_t i) {
      seen.push_back({v, graph->edge(*(graph->vs + v), i).id});
    });
  }
  EXPECT_EQ(seen_everywhere(), entries);
}

TEST_P(GraphLoops, VisitNeighboursAsyncFromALoopOverVertices) {
  const GlobalAddress<WeightGraph> graph = g;
  forall(g, [graph](VertexID id, Vertex& v) {
    forall<async>(adj(graph, v), [id](Edge& e) { seen.push_back({id, e.id}); });
  });
  EXPECT_EQ(seen_everywhere(), entries);
}

TEST_P(GraphLoops, VisitNeighboursAsyncFromOtherCoresInBodiesThatSuspend) {
  const GlobalAddress<WeightGraph> graph = g;
  for (const bool at_once : {true, false}) {
    finish([graph, at_once] {
      for (VertexID v = 0; v < kVertices; ++v) {
        const Core next = Core(((graph->vs + v).core() + 1) % cores());
        const auto visit = [next, v](Edge& e) {
          const VertexID id = e.id;
          EXPECT_EQ(delegate::call(next, [id] { return id + 1; }), id + 1);
          seen.push_back({v, id});
        };
        if (at_once) {
          forall<async>(adj(graph, v), visit);
        } else {
          forall<async, 2>(adj(graph, v), visit);  // splits even short lists
        }
      }
    });
    EXPECT_EQ(seen_everywhere(), entries);
  }
}

GlobalCompletionEvent event;
int64_t visited;  // each core has its own instance

TEST_P(GraphLoops, OverNeighboursEnrollInTheirEvent) {
  on_all_cores([] { visited = 0; });
  const GlobalAddress<WeightGraph> graph = g;
  for (VertexID v = 0; v < kVertices; ++v) {
    forall<async, &event>(adj(graph, v), [](Edge&) {
      yield();
      ++visited;
    });
  }
  event.wait();
  EXPECT_EQ(sum_all_cores([] { return visited; }), g->nadj);
}

TEST_P(GraphLoops, VisitNeighboursInOrderInTheCallingTask) {
  const GlobalAddress<WeightGraph> graph = g;
  forall(g, [graph](VertexID id, Vertex& v) {
    VertexID before = -1;
    serial_for(adj(graph, v), [&before, id](int64_t i, Edge& e) {
      EXPECT_EQ(i == 0, before == -1);
      EXPECT_LT(before, e.id);
      before = e.id;
      seen.push_back({id, e.id});
    });
  });
  EXPECT_EQ(seen_everywhere(), entries);
}

TEST_P(GraphLoops, AreTheSameWithSlotsOf64Bits) {
  const auto wide = WeightGraph::create(tuples, false, GetParam(), SlotWidth::k64);
  forall(wide, [wide](Vertex& v, Edge& e) {
    EXPECT_EQ(e.ga, wide->vs + e.id);
    seen.push_back({wide->id(v), e.id});
  });
  EXPECT_EQ(seen_everywhere(), entries);
  wide->destroy();
}

TEST_P(GraphLoops, WaitForWorkThatBodiesStart) {
  const GlobalAddress<WeightGraph> graph = g;
  forall(g, [graph](Vertex& v) {
    forall(adj(graph, v), [](Edge& e) { delegate::call<async>(e.ga, [](Vertex& w) { ++w->in; }); });
  });
  forall(g, [](Vertex& v) { EXPECT_EQ(v->in, v.nadj) << "in-degree and out-degree differ"; });
}

struct Equal {
  int64_t value;
  int64_t more;
};
struct Half {
  int32_t value;
};
struct Wide {
  int64_t value;
  int64_t more[4];
};

template <class V2>
void expect_transformed_in(GraphLayout layout) {
  TupleGraph tuples = some_tuples();
  const GlobalAddress<WeightGraph> g = WeightGraph::create(tuples, true, layout);
  tuples.destroy();
  const Entries entries = entries_of(g);
  const int64_t nadj = g->nadj;
  forall(g, [g](VertexID id, Vertex& v) {
    v->out = 3 * id;
    serial_for(adj(g, v), [id](Edge& e) { e->weight = 1000 * id + e.id; });
  });
  std::vector<bool> valid;
  for (VertexID v = 0; v < kVertices; ++v) {
    valid.push_back(delegate::call(g->vs + v, [](Vertex& x) { return x.valid; }));
  }
  typedef Graph<V2, Weight> Next;
  const GlobalAddress<Next> next =
      g->transform<V2>([](Vertex& v, V2& data) { data.value = decltype(data.value)(v->out + 1); });
  EXPECT_EQ(next->nv, kVertices);
  EXPECT_EQ(next->nadj, nadj);
  forall(next, [next](VertexID id, typename Next::Vertex& v) {
    EXPECT_EQ(v->value, 3 * id + 1);
    serial_for(adj(next, v), [id](typename Next::Edge& e) {
      EXPECT_EQ(e->weight, 1000 * id + e.id);
      seen.push_back({id, e.id});
    });
  });
  EXPECT_EQ(seen_everywhere(), entries);
  for (VertexID v = 0; v < kVertices; ++v) {
    EXPECT_EQ(delegate::call(next->vs + v, [](typename Next::Vertex& x) { return x.valid; }),
              valid[size_t(v)]);
  }
  next->destroy();
}

template <class V2>
void expect_transformed() {
  for (const GraphLayout layout : {GraphLayout::Interleaved, GraphLayout::Ranges}) {
    expect_transformed_in<V2>(layout);
  }
}

TEST(GraphTransform, KeepsListsAndEdgeDataForVerticesOfTheSameSize) { expect_transformed<Equal>(); }
TEST(GraphTransform, MovesListsAndEdgeDataForVerticesOfAnotherSize) {
  expect_transformed<Half>();
  expect_transformed<Wide>();
}

TEST(GraphTransform, PassesTheIdOfAVertexToTheBody) {
  TupleGraph tuples = TupleGraph::from_edges(20, {{0, 1}, {1, 19}});
  const auto g = Graph<int64_t>::create(tuples);
  const auto next =
      g->transform<int64_t>([](VertexID id, Graph<int64_t>::Vertex&, int64_t& data) { data = id; });
  forall(next, [](VertexID id, Graph<int64_t>::Vertex& v) { EXPECT_EQ(v.data, id); });
  next->destroy();
  tuples.destroy();
}

TEST(GraphTransform, FreesItsMemory) {
  TupleGraph tuples = some_tuples();
  const auto round = [&tuples] {
    WeightGraph::create(tuples)->transform<Wide>([](Vertex&, Wide&) {})->destroy();
  };
  round();
  const size_t before = heap_bytes_free();
  round();
  EXPECT_EQ(heap_bytes_free(), before);
  tuples.destroy();
}

TEST(GraphEdges, HaveTheSameWeightInBothLists) {
  TupleGraph tuples = some_tuples();
  const GlobalAddress<WeightGraph> g = WeightGraph::create(tuples);
  forall(g, [g](Vertex& v, Edge& e) {
    e->weight = edge_weight(g->id(v), e.id, 1, 1000);
    v->out += e->weight;
  });
  forall(g, [](Edge& e, Vertex& w) { w->in += e->weight; });
  forall(g, [](Vertex& v) { EXPECT_EQ(v->in, v->out); });
  g->destroy();
  tuples.destroy();
}

}  // namespace
}  // namespace Grappa
