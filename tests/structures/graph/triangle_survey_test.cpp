#include "structures/graph/triangle_survey.hpp"

#include <Grappa.hpp>

#include "structures/graph/make/generators.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace Grappa { namespace {

constexpr int64_t kVertices = 150;
constexpr int64_t kEdges = 1500;

struct Mark {
  int64_t cube;  // of the id
};
typedef Graph<Mark, int64_t> MarkedGraph;

// The data of an entry of a list, which differ between the two entries of an edge.
int64_t entry_data(VertexID of, VertexID neighbour) { return of * 1000 + neighbour; }

// A triangle as the visitor has seen it.
struct Seen {
  VertexID vertices[3];
  int64_t cubes[3];
  int64_t edges[3];
};
std::vector<Seen> seen;  // on core 0

TupleGraph make_tuples() { return TupleGraph::Uniform(kVertices, kEdges, 3); }

// The neighbours of each vertex.
std::vector<std::set<VertexID>> neighbours() {
  std::vector<std::set<VertexID>> all(static_cast<size_t>(kVertices));
  const detail::UniformGenerator generator(kVertices, 3);
  for (int64_t i = 0; i < kEdges; ++i) {
    const TupleEdge edge = generator.edge(i);
    if (edge.v0 == edge.v1) continue;
    all[size_t(edge.v0)].insert(edge.v1);
    all[size_t(edge.v1)].insert(edge.v0);
  }
  return all;
}

// The layout, and the width of the slots.
typedef std::pair<GraphLayout, detail::SlotWidth> Form;

class Surveys : public testing::TestWithParam<Form> {
 protected:
  Surveys() {
    TupleGraph tuples = make_tuples();
    g_ = MarkedGraph::create(tuples, false, GetParam().first, GetParam().second);
    tuples.destroy();
    const GlobalAddress<MarkedGraph> g = g_;
    forall(g, [](VertexID id, MarkedGraph::Vertex& v) { v->cube = id * id * id; });
    forall(g, [g](MarkedGraph::Vertex& v, MarkedGraph::Edge& e) {
      e.data = entry_data(g->id(v), e.id);
    });
    seen.clear();
  }
  ~Surveys() override { g_->destroy(); }

  void survey() const {
    triangle_survey(g_, [](const Triangle<Mark, int64_t>& t) {
      Seen one;
      for (int k = 0; k < 3; ++k) {
        one.vertices[k] = t.vertex(k);
        one.cubes[k] = t.data(k).cube;
        one.edges[k] = t.edge(k);
      }
      delegate::call<async>(0, [one] { seen.push_back(one); });
    });
  }

  GlobalAddress<MarkedGraph> g_;
};

TEST_P(Surveys, VisitEachTriangleOnce) {
  const std::vector<std::set<VertexID>> all = neighbours();
  std::set<std::array<VertexID, 3>> expected;
  for (VertexID a = 0; a < kVertices; ++a) {
    for (const VertexID b : all[size_t(a)]) {
      for (const VertexID c : all[size_t(b)]) {
        if (a < b && b < c && all[size_t(a)].count(c) != 0) expected.insert({{a, b, c}});
      }
    }
  }
  survey();
  std::set<std::array<VertexID, 3>> found;
  for (const Seen& one : seen) {
    std::array<VertexID, 3> sorted = {{one.vertices[0], one.vertices[1], one.vertices[2]}};
    std::sort(sorted.begin(), sorted.end());
    EXPECT_TRUE(found.insert(sorted).second) << "visited again";
  }
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(found, expected);
}

TEST_P(Surveys, OrderTheVerticesByDegreeAndThenById) {
  const std::vector<std::set<VertexID>> all = neighbours();
  survey();
  for (const Seen& one : seen) {
    for (int k = 0; k < 2; ++k) {
      const VertexID v = one.vertices[k], w = one.vertices[k + 1];
      EXPECT_LT(std::make_pair(all[size_t(v)].size(), v), std::make_pair(all[size_t(w)].size(), w));
    }
  }
}

TEST_P(Surveys, PassTheDataOfVerticesAndOfTheEntriesOfLowerVertices) {
  survey();
  for (const Seen& one : seen) {
    for (int k = 0; k < 3; ++k) {
      const VertexID v = one.vertices[k], w = one.vertices[(k + 1) % 3];
      EXPECT_EQ(one.cubes[k], v * v * v);
      EXPECT_EQ(one.edges[k], k < 2 ? entry_data(v, w) : entry_data(w, v));
    }
  }
}

Reducer<int64_t, ReducerType::Add> visits, overlaps;
bool visiting;

// The visitor suspends while lists of other cores arrive.
TEST_P(Surveys, DoNotOverlapTheVisitsOfACore) {
  survey();
  visits = 0;
  overlaps = 0;
  triangle_survey(g_, [](const Triangle<Mark, int64_t>& t) {
    overlaps += visiting;
    visiting = true;
    const VertexID v = t.vertex(0);
    const int64_t cube = delegate::call((mycore() + 1) % cores(), [v] { return v * v * v; });
    overlaps += cube != t.data(0).cube;
    visiting = false;
    ++visits;
  });
  EXPECT_EQ(int64_t(overlaps), 0);
  EXPECT_EQ(int64_t(visits), int64_t(seen.size()));
}

INSTANTIATE_TEST_SUITE_P(Forms, Surveys,
                         testing::Values(Form(GraphLayout::Interleaved,
                                              detail::SlotWidth::kAutomatic),
                                         Form(GraphLayout::Interleaved, detail::SlotWidth::k64),
                                         Form(GraphLayout::Ranges, detail::SlotWidth::kAutomatic)));

// On up to 8 cores, each core has more lists for each other core than may be under way.
class LargeSurvey : public testing::Test {
 protected:
  static constexpr int64_t kMany = 3000;
  struct Wide {
    int64_t words[3];
  };
  typedef Graph<NoData, Wide> WideGraph;
  typedef Triangle<NoData, Wide> WideTriangle;

  LargeSurvey() {
    constexpr int64_t kManyEdges = 400000;
    TupleGraph tuples = TupleGraph::Uniform(kMany, kManyEdges, 3);
    g_ = WideGraph::create(tuples);
    tuples.destroy();
    const detail::UniformGenerator generator(kMany, 3);
    std::vector<std::bitset<kMany>> all(kMany);
    for (int64_t i = 0; i < kManyEdges; ++i) {
      const TupleEdge edge = generator.edge(i);
      if (edge.v0 == edge.v1) continue;
      all[size_t(edge.v0)].set(size_t(edge.v1));
      all[size_t(edge.v1)].set(size_t(edge.v0));
    }
    std::vector<size_t> degrees;
    for (const std::bitset<kMany>& its : all) degrees.push_back(its.count());
    upper_.resize(kMany);
    for (int64_t i = 0; i < kManyEdges; ++i) {
      const TupleEdge edge = generator.edge(i);
      auto v = size_t(edge.v0), w = size_t(edge.v1);
      if (std::make_pair(degrees[w], w) < std::make_pair(degrees[v], v)) std::swap(v, w);
      if (v == w || upper_[v][w]) continue;
      upper_[v].set(w);
      pairs_.emplace_back(v, w);
    }
  }
  ~LargeSurvey() override { g_->destroy(); }

  // The number of triangles whose vertices 0 and 1 satisfy the condition.
  template <class Condition>
  int64_t count(const Condition& condition) const {
    size_t triangles = 0;
    for (const auto& pair : pairs_) {
      if (!condition(VertexID(pair.first), VertexID(pair.second))) continue;
      triangles += (upper_[pair.first] & upper_[pair.second]).count();
    }
    return int64_t(triangles);
  }

  GlobalAddress<WideGraph> g_;

 private:
  std::vector<std::bitset<kMany>> upper_;         // the upper list of each vertex
  std::vector<std::pair<size_t, size_t>> pairs_;  // the entries of these lists
};

TEST_F(LargeSurvey, VisitsTheTrianglesOfMorePacketsThanMayBeUnderWay) {
  visits = 0;
  triangle_survey(g_, [](const WideTriangle&) { ++visits; });
  EXPECT_EQ(int64_t(visits), count([](VertexID, VertexID) { return true; }));
}

bool admitted;                        // on core 1
CountingSemaphore admission;          // on core 1
int64_t visits_for_other, too_early;  // on core 0

// Core 1 is suspended in its first visit until core 0 has visited all lists of core 1. A core
// visits its own lists after all of its packets are sent. So core 0 must not visit any before,
// because core 1 does not visit its packets.
TEST_F(LargeSurvey, DoesNotSendToACoreThatDoesNotVisit) {
  if (cores() == 1) GTEST_SKIP() << "a single core sends no packets";
  const GlobalAddress<WideGraph> g = g_;
  const int64_t expected = count(
      [g](VertexID a, VertexID b) { return (g->vs + a).core() == 1 && (g->vs + b).core() == 0; });
  ASSERT_GT(expected, 0);
  on_all_cores([] { admitted = false; });
  visits_for_other = 0;
  too_early = 0;
  triangle_survey(g, [g, expected](const WideTriangle& t) {
    if (mycore() == 1 && !admitted) {
      admitted = true;
      admission.decrement();
    }
    if (mycore() != 0) return;
    const Core core = (g->vs + t.vertex(0)).core();
    too_early += core == 0 && visits_for_other < expected;
    if (core == 1 && ++visits_for_other == expected) {
      delegate::call<async>(1, [] { admission.increment(); });
    }
  });
  EXPECT_EQ(visits_for_other, expected);
  EXPECT_EQ(too_early, 0);
}

}}  // namespace Grappa
