#include "structures/graph/triangle_survey.hpp"

#include <Grappa.hpp>

#include "structures/graph/make/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

class Surveys : public testing::TestWithParam<GraphLayout> {
 protected:
  Surveys() {
    TupleGraph tuples = make_tuples();
    g_ = MarkedGraph::create(tuples, false, GetParam());
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

INSTANTIATE_TEST_SUITE_P(Layouts, Surveys,
                         testing::Values(GraphLayout::Interleaved, GraphLayout::Ranges));

// On 3 or more cores, the lists need more packets than a core may have sent at a time.
TEST(Survey, SendsMorePacketsThanMayBeUnderWay) {
  TupleGraph tuples = TupleGraph::Uniform(3000, 400000, 3);
  const auto g = Graph<NoData>::create(tuples);
  tuples.destroy();
  visits = 0;
  triangle_survey(g, [](const Triangle<NoData, NoData>&) { ++visits; });
  // Each pair of vertices is an edge with the probability 1 - exp(-400000 / (3000 * 2999 / 2)).
  const double expected = 3000.0 * 2999 * 2998 / 6 * std::pow(0.0851, 3);
  EXPECT_NEAR(double(int64_t(visits)), expected, expected / 10);
  g->destroy();
}

}}  // namespace Grappa
