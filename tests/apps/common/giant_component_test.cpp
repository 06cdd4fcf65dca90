#include "apps/common/giant_component.hpp"

#include "structures/graph/graph.hpp"
#include "tests/apps/cc/graphs.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace cc { namespace {

typedef Grappa::Graph<int64_t> Graph;
typedef apps::GiantComponent<uint32_t> Giant;
using Grappa::detail::Csr;

int64_t sum(int64_t here) { return Grappa::allreduce<int64_t, Grappa::collective_add>(here); }

// Calls `check(lists, giant, open)` on all cores after each of two calls of find().
template <class F>
void find_twice(int64_t nv, const Edges& edges, F check) {
  TupleGraph tuples = TupleGraph::from_edges(nv, edges);
  const GlobalAddress<Graph> g = Graph::create(tuples);
  const auto members = Giant::create_members(g->csr());
  const GlobalAddress<Csr> lists = g->lists();
  Grappa::on_all_cores([lists, members, check] {
    Giant giant(*lists.pointer(), members.pointer());
    for (int call = 0; call < 2; ++call) {
      const int64_t open = giant.find();
      check(*lists.pointer(), giant, open);
      Grappa::barrier();
    }
  });
  Grappa::global_free(members);
  g->destroy();
  tuples.destroy();
}

// Labels of components are right with any seed, so only this test checks the seed.
TEST(GiantComponent, StartsAtTheFirstSlotWithTheMostNeighbours) {
  constexpr int64_t kVertices = 200, kCentres = 20;
  Edges edges;  // the star of each centre has 8 leaves, and the star of another vertex has 7
  for (VertexID centre = 0; centre < kCentres; ++centre) {
    for (VertexID leaf = 0; leaf < 8; ++leaf) {
      edges.push_back({kVertices - 1 - centre, 8 * centre + leaf});
    }
  }
  for (VertexID leaf = 0; leaf < 7; ++leaf) edges.push_back({170, leaf});
  find_twice(kVertices, edges, [](const Csr& lists, const Giant& giant, int64_t) {
    uint64_t first = lists.layout().slot(kVertices - 1);
    for (VertexID centre = 0; centre < kCentres; ++centre) {
      first = std::min(first, lists.layout().slot(kVertices - 1 - centre));
    }
    EXPECT_EQ(giant.seed(), first);
  });
}

constexpr int64_t kHalf = 1500;  // of the vertices of the next test

// The second half of the vertices is a path, and some of the first half have no neighbours.
TEST(GiantComponent, EachCoreKnowsTheSameSetOfOneComponent) {
  constexpr int64_t kVertices = 2 * kHalf;
  std::mt19937_64 random(1);
  Edges edges;
  for (int k = 0; k < 4000; ++k) {
    edges.push_back({VertexID(random() % kHalf), VertexID(random() % kHalf)});
  }
  for (VertexID v = kHalf; v + 1 < kVertices; ++v) edges.push_back({v, v + 1});
  find_twice(kVertices, edges, [](const Csr& lists, const Giant& giant, int64_t open) {
    int64_t open_here = 0, own_members = 0, with_neighbours = 0;
    giant.for_each_open([&](int64_t place) {
      ++open_here;
      EXPECT_NE(lists.size(place), 0);
      EXPECT_FALSE(giant.contains(uint32_t(lists.layout().slot(Grappa::mycore(), place))));
    });
    for (int64_t place = 0; place < lists.vertices(); ++place) {
      with_neighbours += lists.size(place) != 0 ? 1 : 0;
      own_members += giant.own_members()[place / 64] >> (place % 64) & 1;
    }
    EXPECT_EQ(sum(open_here), open);
    const int64_t members = sum(own_members);
    EXPECT_EQ(members + open, sum(with_neighbours));
    EXPECT_GT(members, kHalf / 2);
    int64_t known = 0;
    for (VertexID v = 0; v < kVertices; ++v) {
      if (!giant.contains(uint32_t(lists.layout().slot(v)))) continue;
      ++known;
      EXPECT_LT(v, kHalf);
    }
    EXPECT_EQ(known, members);
  });
}

TEST(GiantComponent, OfAGraphWithoutEdgesLeavesNoVertexOpen) {
  find_twice(3, {}, [](const Csr&, const Giant&, int64_t open) { EXPECT_EQ(open, 0); });
}

}}  // namespace cc
