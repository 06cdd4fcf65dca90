#include "structures/graph/graph.hpp"

#include <Grappa.hpp>

#include "structures/graph/make/generators.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

struct Nothing {};
typedef Graph<int64_t> NumberGraph;
typedef std::vector<TupleEdge> Edges;
typedef std::vector<VertexID> Neighbours;

static_assert(sizeof(Graph<Nothing>::Vertex) == 8, "not padded");
static_assert(sizeof(Graph<int32_t>::Vertex) == 16, "padded to a power of two");
static_assert(sizeof(Graph<int64_t>::Vertex) == 16, "not padded");
static_assert(sizeof(Graph<char[11]>::Vertex) == 16, "not padded");
static_assert(sizeof(Graph<char[12]>::Vertex) == 32, "padded to a power of two");
static_assert(sizeof(Graph<char[56]>::Vertex) == 64, "padded to a power of two");

template <typename V, typename E>
std::vector<Neighbours> neighbours_of(GlobalAddress<Graph<V, E>> g) {
  typedef typename Graph<V, E>::Vertex Vertex;
  std::vector<Neighbours> all(static_cast<size_t>(g->nv));
  for (VertexID v = 0; v < g->nv; ++v) {
    const int64_t nadj = delegate::call(g->vs + v, [](Vertex& x) { return int64_t{x.nadj}; });
    for (int64_t k = 0; k < nadj; ++k) {
      all[static_cast<size_t>(v)].push_back(
          delegate::call(g->vs + v, [g, k](Vertex& x) { return g->edge(x, k).id; }));
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
void expect_model_in(GraphLayout layout, int64_t nv, const Edges& edges, bool directed,
                     SlotWidth width) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const auto g = Graph<V>::create(tuples, directed, layout, width);
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

template <typename V>
void expect_model(int64_t nv, const Edges& edges, bool directed,
                  SlotWidth width = SlotWidth::kAutomatic) {
  for (const GraphLayout layout :
       {GraphLayout::Automatic, GraphLayout::Interleaved, GraphLayout::Ranges}) {
    expect_model_in<V>(layout, nv, edges, directed, width);
  }
}

Edges kronecker_edges(int scale, int64_t count) {
  const KroneckerGenerator generator(scale, 1, 2);
  Edges edges;
  for (int64_t i = 0; i < count; ++i) edges.push_back(generator.edge(i));
  return edges;
}

TEST(Graph, ListsBothEndpointsOfEachEdgeSortedAndOnce) {
  expect_model<int64_t>(5, {{3, 1}, {1, 3}, {3, 0}, {3, 0}, {2, 2}, {3, 2}}, false);
}

TEST(Graph, ListsOneEndpointOfEachEdgeIfDirected) {
  expect_model<int64_t>(5, {{3, 1}, {1, 3}, {3, 0}, {3, 0}, {2, 2}, {3, 2}}, true);
}

TEST(Graph, MatchesASerialModelForKroneckerEdges) {
  expect_model<int64_t>(256, kronecker_edges(8, 2000), false);
  expect_model<int64_t>(256, kronecker_edges(8, 2000), true);
}

TEST(Graph, IsTheSameWithSlotsOf64Bits) {
  expect_model<int64_t>(256, kronecker_edges(8, 2000), false, SlotWidth::k64);
  expect_model<int64_t>(256, kronecker_edges(8, 2000), true, SlotWidth::k64);
}

TEST(Graph, HoldsVerticesOfAnySizeThatFitsInABlock) {
  expect_model<Nothing>(64, kronecker_edges(6, 300), false);
  expect_model<char[24]>(64, kronecker_edges(6, 300), false);
  expect_model<char[56]>(64, kronecker_edges(6, 300), false);
}

bool has_equal_lists(const Csr& one, const Csr& other) {
  if (one.vertices() != other.vertices()) return false;
  for (int64_t place = 0; place <= one.vertices(); ++place) {
    if (one.first(place) != other.first(place)) return false;
  }
  for (int64_t entry = 0; entry < one.entries(); ++entry) {
    if (one.slot(entry) != other.slot(entry)) return false;
  }
  return true;
}

TEST(Graph, ConsumesItsEdgesAndNothingElse) {
  constexpr int64_t kValues = 100000;  // beside the edges
  for (const bool directed : {false, true}) {
    const auto values = global_alloc<int64_t>(kValues);
    TupleGraph tuples = TupleGraph::Uniform(1 << 12, (int64_t{5} << 16) * cores(), 1);
    const auto more_values = global_alloc<int64_t>(kValues);
    const auto number = [](int64_t i, int64_t& value) { value = 3 * i; };
    forall(values, kValues, number);
    forall(more_values, kValues, number);

    const auto kept = NumberGraph::create(tuples, directed);
    const auto consumed = NumberGraph::consume(&tuples, directed);
    EXPECT_FALSE(tuples.edges);
    EXPECT_EQ(kept->nadj, consumed->nadj);
    EXPECT_EQ(directed, consumed->directed);
    on_all_cores([kept, consumed] { EXPECT_TRUE(has_equal_lists(kept->csr(), consumed->csr())); });

    const auto is_numbered = [](int64_t i, int64_t& value) { EXPECT_EQ(3 * i, value); };
    forall(values, kValues, is_numbered);
    forall(more_values, kValues, is_numbered);
    consumed->destroy();
    kept->destroy();
    global_free(more_values);
    global_free(values);
  }
}

// In a directed graph, a vertex that has only incoming edges is valid and has no neighbours.
TEST(Graph, MarksVerticesWithEdges) {
  TupleGraph tuples = TupleGraph::from_edges(6, {{0, 5}, {2, 3}, {4, 4}});
  for (const bool directed : {false, true}) {
    const auto g = NumberGraph::create(tuples, directed);
    std::vector<bool> valid;
    for (VertexID v = 0; v < 6; ++v) {
      valid.push_back(delegate::call(g->vs + v, [](NumberGraph::Vertex& x) { return x.valid; }));
    }
    EXPECT_EQ(valid, (std::vector<bool>{true, false, true, true, false, true}));
    g->destroy();
  }
  tuples.destroy();
}

TEST(Graph, MayHaveNoEdgeOrOneVertex) {
  expect_model<int64_t>(1, {}, false);
  expect_model<int64_t>(1, {{0, 0}}, false);
  expect_model<int64_t>(7, {}, false);
}

TEST(Graph, LoopsOverVerticesAtTheirOwners) {
  TupleGraph tuples = TupleGraph::from_edges(100, {{0, 99}});
  for (const GraphLayout layout : {GraphLayout::Interleaved, GraphLayout::Ranges}) {
    const auto g = NumberGraph::create(tuples, false, layout);
    forall(g, [](NumberGraph::Vertex& v) {
      EXPECT_EQ(*v.operator->(), 0) << "data are value-initialised";
      v.data = int64_t{v.nadj};
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
  }
  tuples.destroy();
}

TEST(Graph, FreesItsMemory) {
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

double sum_here;

double reduce_ranks(GlobalAddress<Graph<Rank>> g) {
  on_all_cores([] { sum_here = 0; });
  forall(g, [](Graph<Rank>::Vertex& v) { sum_here += v->rank; });
  return reduce<double, collective_add>(&sum_here);
}

TEST(Graph, IsUsedAsItsReadmeShows) {
  // clang-format off
  TupleGraph tuples = TupleGraph::Kronecker(10, 16 << 10, 1, 2);  // or TupleGraph::Load("roads.mtx")
  GlobalAddress<Graph<Rank>> g = Graph<Rank>::create(tuples);     // undirected
  forall(g, [g](Graph<Rank>::Vertex& v) {
    serial_for(adj(g, v), [&v](Graph<Rank>::Edge& e) {
      const double share = 1.0 / double(v.nadj);
      delegate::call<async>(e.ga, [share](Graph<Rank>::Vertex& w) { w->rank += share; });
    });
  });
  // clang-format on
  const double all = reduce_ranks(g);
  int64_t with_neighbours = 0;
  for (const Neighbours& neighbours : neighbours_of(g)) with_neighbours += !neighbours.empty();
  EXPECT_NEAR(all, double(with_neighbours), 1e-6) << "each vertex distributes a rank of 1";
  g->destroy();
  tuples.destroy();
}

TEST(Graph, IsAlsoCreatedByTheNameOfItsKind) {
  TupleGraph tuples = TupleGraph::from_edges(3, {{0, 1}, {2, 1}});
  const auto undirected = NumberGraph::Undirected(tuples);
  const auto directed = Graph<int64_t>::Directed(tuples);
  EXPECT_FALSE(undirected->directed);
  EXPECT_EQ(undirected->nadj, 4);
  EXPECT_TRUE(directed->directed);
  EXPECT_EQ(neighbours_of(directed), (std::vector<Neighbours>{{1}, {}, {1}}));
  undirected->destroy();
  directed->destroy();
  tuples.destroy();
}

}  // namespace
}  // namespace Grappa
