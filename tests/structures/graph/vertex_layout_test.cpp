#include "structures/graph/csr/vertex_layout.hpp"

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"
#include "structures/graph/make/generators.hpp"

#include <gtest/gtest.h>
#include <set>

namespace Grappa {

using namespace detail;

namespace {

struct Vertex16 {
  char bytes[16];
};

struct Vertex40 {
  char bytes[40];
};

void expect_same_slots(const VertexLayout& layout) {
  std::vector<uint32_t> ids;
  for (VertexID v = 0; v < layout.nv(); v += 1 + v % 3) ids.push_back(uint32_t(v));
  std::vector<uint64_t> wide(ids.size());
  std::vector<uint32_t> narrow(ids.size());
  layout.find_slots(ids.data(), int64_t(ids.size()), wide.data());
  layout.find_slots(ids.data(), int64_t(ids.size()), narrow.data());
  for (size_t k = 0; k < ids.size(); ++k) {
    ASSERT_EQ(wide[k], layout.slot(VertexID(ids[k]))) << "vertex " << ids[k];
    ASSERT_EQ(narrow[k], layout.slot(VertexID(ids[k]))) << "vertex " << ids[k];
  }
}

TEST(VertexLayout, FindsTheSlotsOfAListLikeThoseOfItsVertices) {
  for (const size_t bytes : {size_t(8), size_t(16), size_t(64)}) {
    expect_same_slots(VertexLayout(5000, bytes));
  }
  const int64_t nv = 10000;
  const auto survey = symmetric<RangeSurvey>(nv);
  VertexLayout ranges = RangeSurvey::choose(survey, GraphLayout::Ranges, 16);
  ASSERT_TRUE(ranges.has_ranges());
  expect_same_slots(ranges);
  ranges.destroy();
}

std::vector<VertexID> firsts_of(const VertexLayout& layout) {
  std::vector<VertexID> firsts;
  for (Core core = 0; core < cores(); ++core) firsts.push_back(layout.id(core, 0));
  return firsts;
}

// Random neighbours that are mostly close, so the degrees of the blocks differ.
TEST(RangeSurvey, CountsListsLikeTheirEntries) {
  const int64_t nv = 30000;
  for (const bool directed : {false, true}) {
    const auto by_edge = symmetric<RangeSurvey>(nv), by_list = symmetric<RangeSurvey>(nv);
    std::vector<std::set<VertexID>> lists(nv);
    for (VertexID v = 1; v < nv; ++v) {
      for (const VertexID w : {v - 1, v * v % nv, v / 50}) {
        if (v == w) continue;
        lists[size_t(v)].insert(w);
        if (!directed) lists[size_t(w)].insert(v);
      }
    }
    for (VertexID v = 0; v < nv; ++v) {
      for (const VertexID w : lists[size_t(v)]) by_edge->add(v, w);
      const std::vector<uint32_t> list(lists[size_t(v)].begin(), lists[size_t(v)].end());
      by_list->add_list(v, list.data(), int64_t(list.size()), directed);
    }
    VertexLayout expected = RangeSurvey::choose(by_edge, GraphLayout::Ranges, 16);
    VertexLayout chosen = RangeSurvey::choose(by_list, GraphLayout::Ranges, 16);
    EXPECT_EQ(firsts_of(chosen), firsts_of(expected));
    expected.destroy();
    chosen.destroy();
  }
}

TEST(VertexLayout, MatchesTheLayoutOfALinearArray) {
  const int64_t nv = 1000;
  const GlobalAddress<Vertex16> vs = global_alloc<Vertex16>(size_t(nv));
  const VertexLayout layout(nv, sizeof(Vertex16));
  for (VertexID v = 0; v < nv; ++v) {
    const GlobalAddress<Vertex16> vertex = vs + v;
    ASSERT_EQ(layout.core(v), vertex.core());
    ASSERT_EQ(layout.place(v), vertex.pointer() - vs.localize(vertex.core()));
    ASSERT_EQ(layout.id(layout.core(v), layout.place(v)), v);
  }
  global_free(vs);
}

TEST(VertexLayout, CountsTheVerticesOfEachCore) {
  for (const size_t bytes : {8, 16, 32, 64}) {
    for (int64_t nv = 0; nv < 100; ++nv) {
      const VertexLayout layout(nv, bytes);
      std::vector<int64_t> count(size_t(cores()), 0);
      for (VertexID v = 0; v < nv; ++v) ++count[size_t(layout.core(v))];
      for (Core c = 0; c < cores(); ++c) ASSERT_EQ(layout.vertices_of(c), count[size_t(c)]);
    }
  }
}

TEST(VertexLayout, GivesEachVertexASlotInTheOrderOfIdsOfACore) {
  const int64_t nv = 777;
  const VertexLayout layout(nv, 16);
  std::set<uint64_t> slots;
  std::vector<uint64_t> last(size_t(cores()), 0);
  for (VertexID v = 0; v < nv; ++v) {
    const uint64_t slot = layout.slot(v);
    EXPECT_LT(slot, layout.slots());
    EXPECT_TRUE(slots.insert(slot).second);
    EXPECT_EQ(layout.core_of_slot(slot), layout.core(v));
    EXPECT_EQ(layout.place_of_slot(slot), layout.place(v));
    EXPECT_EQ(layout.id_of_slot(slot), v);
    uint64_t& before = last[size_t(layout.core(v))];
    EXPECT_TRUE(layout.place(v) == 0 || slot == before + 1);
    before = slot;
  }
}

VertexLayout layout_of(int64_t nv, const std::vector<TupleEdge>& edges, GraphLayout layout,
                       size_t vertex_bytes = 16) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const VertexLayout chosen = choose_layout(tuples, layout, vertex_bytes);
  tuples.destroy();
  return chosen;
}

std::vector<TupleEdge> path(int64_t nv) {
  std::vector<TupleEdge> edges;
  for (VertexID v = 1; v < nv; ++v) edges.push_back({v - 1, v});
  return edges;
}

// Checks that each core owns consecutive ids, that slots and indices are different, and that both
// lead back to the id.
void expect_ranges(const VertexLayout& layout) {
  ASSERT_TRUE(layout.has_ranges());
  VertexID v = 0;
  std::set<int64_t> indices;
  for (Core core = 0; core < cores(); ++core) {
    ASSERT_LE(layout.vertices_of(core), layout.most_vertices());
    ASSERT_LE(layout.most_vertices(), int64_t{1} << layout.index_bits());
    for (int64_t place = 0; place < layout.vertices_of(core); ++place, ++v) {
      ASSERT_EQ(layout.core(v), core);
      ASSERT_EQ(layout.place(v), place);
      ASSERT_EQ(layout.id(core, place), v);
      ASSERT_EQ(layout.slot(v), layout.slot(core, place));
      ASSERT_EQ(layout.id_of_slot(layout.slot(v)), v);
      const VertexLayout::Names names = layout.names_of_slot(layout.slot(v));
      ASSERT_EQ(names.id, v);
      ASSERT_EQ(names.index, layout.index(v));
      ASSERT_LT(layout.index(v), layout.elements());
      ASSERT_TRUE(indices.insert(layout.index(v)).second);
    }
  }
  ASSERT_EQ(v, layout.nv());
}

TEST(VertexLayout, HasRangesOfConsecutiveIds) {
  for (const int64_t nv : {1, 2, 63, 64, 65, 1000, 5000}) {
    SCOPED_TRACE(nv);
    for (const size_t bytes : {8, 64}) {
      VertexLayout layout = layout_of(nv, path(nv), GraphLayout::Ranges, bytes);
      expect_ranges(layout);
      VertexLayout other = layout.with_vertex_bytes(72 - bytes);
      expect_ranges(other);
      for (VertexID v = 0; v < nv; ++v) ASSERT_EQ(layout.core(v), other.core(v));
      layout.destroy();
      other.destroy();
    }
  }
}

TEST(VertexLayout, PlacesTheElementsOfEachCoreAtItsOwnAddresses) {
  VertexLayout layout = layout_of(3000, path(3000), GraphLayout::Ranges);
  const auto vs = global_alloc<Vertex16>(layout.elements());
  for (VertexID v = 0; v < layout.nv(); ++v) {
    const GlobalAddress<Vertex16> vertex = vs + layout.index(v);
    ASSERT_EQ(vertex.core(), layout.core(v));
    ASSERT_EQ(vertex.pointer(), vs.localize(vertex.core()) + layout.place(v));
  }
  global_free(vs);
  layout.destroy();
}

bool chooses_ranges(int64_t nv, const std::vector<TupleEdge>& edges) {
  VertexLayout layout = layout_of(nv, edges, GraphLayout::Automatic);
  const bool ranges = layout.has_ranges();
  layout.destroy();
  return ranges;
}

// A path of 4,096 vertices, and edges between random vertices: `random_share` of all edges.
std::vector<TupleEdge> path_and_random_edges(double random_share) {
  const uint64_t nv = 4096;
  const UniformGenerator uniform(int64_t{nv}, 1);
  std::vector<TupleEdge> edges = path(nv);
  const auto count = int64_t(double(edges.size()) * random_share / (1 - random_share));
  for (int64_t i = 0; i < count; ++i) edges.push_back(uniform.edge(i));
  return edges;
}

TEST(VertexLayout, ChoosesRangesIfNearlyAllEdgesStayWithinOneCore) {
  EXPECT_EQ(chooses_ranges(4096, path(4096)), cores() > 1);
  EXPECT_EQ(chooses_ranges(4096, path_and_random_edges(0.07)), cores() > 1);
  EXPECT_FALSE(chooses_ranges(4096, path_and_random_edges(0.13)));
  EXPECT_FALSE(chooses_ranges(4096, path_and_random_edges(0.9)));
  EXPECT_FALSE(chooses_ranges(100, {})) << "there are no edges";
  std::vector<TupleEdge> far, few;
  for (VertexID v = 0; v < 2048; ++v) far.push_back({v, v + 2048});
  EXPECT_FALSE(chooses_ranges(4096, far));
}

// Self-loops would count as edges within one core.
TEST(VertexLayout, IgnoresSelfLoops) {
  std::vector<TupleEdge> edges = path_and_random_edges(0.9);
  for (int64_t k = 0; k < 1000000; ++k) edges.push_back({k % 4096, k % 4096});
  EXPECT_FALSE(chooses_ranges(4096, edges));
}

// Two groups of vertices with random edges, in equal shares of the ids. A quarter of the edges join
// the groups, which is half of the number for random ends.
TEST(VertexLayout, ComparesWithEdgesBetweenRandomEnds) {
  std::vector<TupleEdge> edges;
  const UniformGenerator uniform(2048, 1), anywhere(4096, 2);
  for (int64_t i = 0; i < 10000; ++i) {
    const VertexID group = i % 2 * 2048;
    edges.push_back({uniform.edge(i).v0 + group, uniform.edge(i).v1 + group});
    edges.push_back(anywhere.edge(i));
  }
  EXPECT_FALSE(chooses_ranges(4096, edges));
}

TEST(VertexLayout, HasEqualRangesByDefault) {
  for (const int64_t nv : {1000, 4096, 5001}) {
    VertexLayout layout = layout_of(nv, path(nv), GraphLayout::Automatic);
    if (cores() > 1) {
      expect_ranges(layout);
      EXPECT_EQ(layout.most_vertices(), (nv + cores() - 1) / cores());
    }
    EXPECT_LE(layout.index_bits(), VertexLayout(nv, 16).index_bits()) << "bitmaps would grow";
    layout.destroy();
  }
}

// The first vertices have most edges. With equal numbers of vertices, core 0 would have nearly all
// of the edges.
TEST(VertexLayout, BalancesEdgesAndLimitsTheVerticesOfACore) {
  const int64_t nv = 12288;
  std::vector<TupleEdge> edges = path(nv);
  for (int64_t k = 0; k < 100000; ++k) edges.push_back({k % 1000, (k + 1) % 1000});
  VertexLayout layout = layout_of(nv, edges, GraphLayout::Ranges);
  std::vector<int64_t> ends(size_t(cores()), 0);
  for (const TupleEdge& e : edges) {
    ++ends[size_t(layout.core(e.v0))];
    ++ends[size_t(layout.core(e.v1))];
  }
  const double mean_ends = 2 * double(edges.size()) / cores();
  const int64_t mean_vertices = nv / cores();
  for (Core core = 0; core < cores(); ++core) {
    if (cores() > 2) {
      EXPECT_LE(double(ends[size_t(core)]), 2.1 * mean_ends) << "on core " << core;
    }
    EXPECT_LE(layout.vertices_of(core), 2 * mean_vertices) << "on core " << core;
  }
  layout.destroy();
  EXPECT_FALSE(chooses_ranges(nv, edges)) << "in equal ranges, core 0 would have nearly all edges";
}

TEST(VertexLayout, FreesItsMemory) {
  TupleGraph tuples = TupleGraph::Grid(100, 100);
  Graph<int64_t>::create(tuples, false, GraphLayout::Ranges)->destroy();
  const size_t before = heap_bytes_free();
  for (int i = 0; i < 3; ++i) {
    Graph<int64_t>::create(tuples, false, GraphLayout::Ranges)->destroy();
    Graph<int64_t>::create(tuples, false, GraphLayout::Ranges)
        ->transform<Vertex40>([](Graph<int64_t>::Vertex&, Vertex40&) {})
        ->destroy();
  }
  EXPECT_EQ(before, heap_bytes_free());
  tuples.destroy();
}

TEST(VertexLayout, NeedsMoreThan32BitsForLargeSlotsOrIds) {
  EXPECT_TRUE(VertexLayout(0, 16).fits_in_32_bits());
  EXPECT_TRUE(VertexLayout(int64_t{1} << 31, 16).fits_in_32_bits() || cores() == 3);
  EXPECT_FALSE(VertexLayout(int64_t{1} << 32, 16).fits_in_32_bits())
      << "no number is left that is neither a slot nor an id";
  EXPECT_FALSE(VertexLayout(int64_t{1} << 40, 64).fits_in_32_bits());
}

TEST(VertexLayout, HasAtLeastAWordOfIndices) {
  EXPECT_EQ(VertexLayout(0, 16).index_bits(), 6);
  EXPECT_EQ(VertexLayout(1, 16).index_bits(), 6);
  EXPECT_EQ(VertexLayout(64 * cores(), 16).index_bits(), 6);
  EXPECT_EQ(VertexLayout(64 * cores() + 1, 16).index_bits(), 7);
}

}  // namespace
}  // namespace Grappa
