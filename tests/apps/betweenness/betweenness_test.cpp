#include "apps/betweenness/betweenness.hpp"

#include "apps/betweenness/betweenness_verify.hpp"
#include "apps/common/vertex_values.hpp"
#include "tests/apps/built_graph.hpp"
#include "tests/apps/edge_lists.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace betweenness { namespace {

using Grappa::GraphLayout;
using Grappa::VertexID;

typedef ScoreGraph::Vertex Vertex;

// The definition, for small graphs: matrices of distances and of numbers of shortest paths.
std::vector<double> scores_by_definition(const apps::EdgeList& list,
                                         const std::vector<VertexID>& sources) {
  const size_t nv = size_t(list.nv);
  std::vector<std::vector<bool>> adjacent(nv, std::vector<bool>(nv));
  for (const Grappa::TupleEdge& edge : list.edges) {
    adjacent[size_t(edge.v0)][size_t(edge.v1)] = adjacent[size_t(edge.v1)][size_t(edge.v0)] = true;
  }
  constexpr int kFar = 1 << 20;
  std::vector<std::vector<int>> distances(nv, std::vector<int>(nv, kFar));
  std::vector<std::vector<double>> paths(nv, std::vector<double>(nv, 0));
  for (size_t s = 0; s < nv; ++s) {
    distances[s][s] = 0;
    paths[s][s] = 1;
    for (int distance = 0; distance < int(nv); ++distance) {
      for (size_t v = 0; v < nv; ++v) {
        if (distances[s][v] != distance) continue;
        for (size_t w = 0; w < nv; ++w) {
          if (!adjacent[v][w] || distances[s][w] <= distance) continue;
          distances[s][w] = distance + 1;
          paths[s][w] += paths[s][v];
        }
      }
    }
  }
  std::vector<double> scores(nv, 0);
  for (const VertexID source : sources) {
    const size_t s = size_t(source);
    for (size_t v = 0; v < nv; ++v) {
      for (size_t t = 0; t < nv; ++t) {
        if (v == s || v == t || distances[s][t] >= kFar) continue;
        if (distances[s][v] + distances[v][t] != distances[s][t]) continue;
        scores[v] += paths[s][v] * paths[v][t] / paths[s][t];
      }
    }
  }
  return scores;
}

class Scored : public apps::BuiltGraph<ScoreGraph> {
 public:
  using BuiltGraph::BuiltGraph;

  std::vector<double> scores() const {
    return apps::vertex_values<double>(**this, [](const Vertex& v) { return v->score; });
  }
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t v = 0; v < found.size(); ++v) {
    ASSERT_NEAR(found[v], expected[v], 1e-9 * std::max(1.0, expected[v])) << v;
  }
}

std::vector<apps::EdgeList> small_graphs() {
  std::vector<apps::EdgeList> all;
  for (apps::EdgeList& list : apps::families()) {
    if (list.nv <= 150) all.push_back(list);
  }
  all.push_back(apps::grid_edges(8, 11));
  all.push_back(apps::star_edges(60));
  all.push_back(apps::kronecker_edges(7, 8));
  return all;
}

TEST(Betweenness, HasTheScoresOfItsDefinition) {
  for (const apps::EdgeList& list : small_graphs()) {
    SCOPED_TRACE(list.name);
    const std::vector<VertexID> sources = {0, list.nv / 2, list.nv - 1};
    const std::vector<double> expected = scores_by_definition(list, sources);
    for (const auto width :
         {Grappa::detail::SlotWidth::kAutomatic, Grappa::detail::SlotWidth::k64}) {
      const Scored graph(list, GraphLayout::Ranges, width);
      find_scores(*graph, sources);
      expect_near(graph.scores(), expected);
    }
  }
}

TEST(Betweenness, HasTheScoresOfTheSerialAlgorithmInLargerGraphs) {
  for (const apps::EdgeList& list : apps::families()) {
    SCOPED_TRACE(list.name);
    const Scored graph(list);
    const std::vector<VertexID> sources = {list.nv / 3, list.nv - 1};
    find_scores(*graph, sources);
    EXPECT_LE(error_of(*graph, graph.tuples(), sources), kLargestError);
    find_scores(*graph, {0});  // the scores do not include those of the call before
    EXPECT_LE(error_of(*graph, graph.tuples(), {0}), kLargestError);
  }
}

// Each vertex of a layer has an edge to each vertex of the next layer. The last layer has 2^1095
// shortest paths from vertex 0, more than a double can represent.
TEST(Betweenness, IsRightIfNumbersOfPathsOverflow) {
  constexpr int64_t kLayers = 221, kWidth = 32;
  apps::EdgeList list = {"layers", kLayers * kWidth, {}};
  for (VertexID v = 0; v < (kLayers - 1) * kWidth; ++v) {
    for (int64_t k = 0; k < kWidth; ++k) list.edges.push_back({v, (v / kWidth + 1) * kWidth + k});
  }
  const Scored graph(list);
  find_scores(*graph, {0});
  EXPECT_LE(error_of(*graph, graph.tuples(), {0}), kLargestError);
}

TEST(BetweennessCheck, HasTheScoresOfTheDefinition) {
  for (const apps::EdgeList& list : small_graphs()) {
    SCOPED_TRACE(list.name);
    const Scored graph(list);
    const std::vector<VertexID> sources = {0, list.nv / 2, list.nv - 1};
    expect_near(scores_serially(graph.tuples(), sources), scores_by_definition(list, sources));
  }
}

TEST(BetweennessCheck, FindsAWrongScore) {
  const Scored graph(apps::grid_edges(20, 30));
  for (const VertexID v : {1, 31, 598}) {
    find_scores(*graph, {0});
    Grappa::delegate::call((*graph)->vs + v, [](Vertex& its) { its->score += 1e-5; });
    EXPECT_GT(error_of(*graph, graph.tuples(), {0}), 1e-8) << v;
    Grappa::delegate::call((*graph)->vs + v, [](Vertex& its) { its->score = std::nan(""); });
    EXPECT_GT(error_of(*graph, graph.tuples(), {0}), 1e-8) << v;
  }
}

}}  // namespace betweenness
