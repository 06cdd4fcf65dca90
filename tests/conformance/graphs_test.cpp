/// Reference section "Graphs": edge lists of generators, and graphs that are built, saved and
/// loaded.

#include "structures/graph/csr_edges.hpp"
#include "structures/graph/graph.hpp"
#include "structures/graph/relabel.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "tests/conformance/samples.hpp"

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

using namespace conformance;

namespace {

std::vector<TupleEdge> edges_of(const TupleGraph& graph) {
  return read_all(graph.edges, graph.nedge);
}

/// Checks that all edges connect vertices of the graph. Returns the number of edge ends at each
/// vertex.
std::vector<int64_t> ends_of(const TupleGraph& graph) {
  std::vector<int64_t> ends(static_cast<size_t>(graph.nv));
  for (const TupleEdge& edge : edges_of(graph)) {
    for (const VertexID end : {edge.v0, edge.v1}) {
      if (end < 0 || end >= graph.nv) {
        ADD_FAILURE() << "vertex " << end << " of " << graph.nv;
      } else {
        ++ends[static_cast<size_t>(end)];
      }
    }
  }
  return ends;
}

TEST(Graphs, Kronecker) {
  TupleGraph graph = TupleGraph::Kronecker(8, 4000, 1, 2);
  EXPECT_EQ(256, graph.nv);
  EXPECT_EQ(4000, graph.nedge);
  const std::vector<int64_t> ends = ends_of(graph);
  EXPECT_GT(*std::max_element(ends.begin(), ends.end()), 8 * 8000 / 256) << "skewed degrees";
  graph.destroy();
}

TEST(Graphs, Uniform) {
  TupleGraph graph = TupleGraph::Uniform(250, 4000, 7);
  EXPECT_EQ(250, graph.nv);
  EXPECT_EQ(4000, graph.nedge);
  const std::vector<int64_t> ends = ends_of(graph);
  EXPECT_LT(*std::max_element(ends.begin(), ends.end()), 3 * 8000 / 250) << "uniform degrees";
  TupleGraph same = TupleGraph::Uniform(250, 4000, 7);
  EXPECT_TRUE(edges_of(graph) == edges_of(same));
  TupleGraph other = TupleGraph::Uniform(250, 4000, 8);
  EXPECT_FALSE(edges_of(graph) == edges_of(other));
  for (TupleGraph* each : {&graph, &same, &other}) each->destroy();
}

TEST(Graphs, Grid) {
  TupleGraph graph = TupleGraph::Grid(3, 4);
  EXPECT_EQ(12, graph.nv);
  std::set<std::pair<VertexID, VertexID>> pairs;
  for (const TupleEdge& edge : edges_of(graph)) pairs.insert(std::minmax(edge.v0, edge.v1));
  EXPECT_EQ(17u, pairs.size());
  EXPECT_EQ(17, graph.nedge);
  for (const auto& pair : pairs) {
    const bool in_row = pair.second == pair.first + 1 && pair.second % 4 != 0;
    EXPECT_TRUE(in_row || pair.second == pair.first + 4) << pair.first << " " << pair.second;
  }
  graph.destroy();

  TupleGraph path = TupleGraph::Grid(1, 5);
  EXPECT_EQ(4, path.nedge);
  EXPECT_EQ((std::vector<int64_t>{1, 2, 2, 2, 1}), ends_of(path));
  path.destroy();
}

TEST(Graphs, FromEdges) {
  const std::vector<TupleEdge> edges = {{0, 4}, {4, 4}, {4, 0}};
  TupleGraph graph = TupleGraph::from_edges(6, edges);
  EXPECT_EQ(6, graph.nv);
  EXPECT_EQ(3, graph.nedge);
  EXPECT_TRUE(edges == edges_of(graph));
  graph.destroy();
}

TEST(Graphs, RelabelByDegree) {
  // A star with centre 3, an edge from 5 to 4, and a loop, which does not count for the degree.
  const std::vector<TupleEdge> edges = {{3, 0}, {1, 3}, {3, 5}, {2, 2}, {5, 4}};
  TupleGraph graph = TupleGraph::from_edges(6, edges);
  const GlobalAddress<VertexID> old_of_new = relabel_by_degree(&graph);
  EXPECT_EQ((std::vector<VertexID>{3, 5, 0, 1, 4, 2}), read_all(old_of_new, 6));
  const std::vector<TupleEdge> renamed = {{0, 2}, {3, 0}, {0, 1}, {5, 5}, {1, 4}};
  EXPECT_TRUE(renamed == edges_of(graph));
  EXPECT_EQ(6, graph.nv);
  global_free(old_of_new);
  graph.destroy();
}

struct Nothing {};
typedef Graph<Nothing> Plain;
typedef Graph<double, double> Weighted;

std::set<std::pair<VertexID, VertexID>> pairs_of(GlobalAddress<Weighted> g) {
  TupleGraph list = edges_of(g->lists(), g->directed);
  std::set<std::pair<VertexID, VertexID>> pairs;
  for (const TupleEdge& edge : edges_of(list)) pairs.emplace(edge.v0, edge.v1);
  EXPECT_EQ(size_t(list.nedge), pairs.size());
  list.destroy();
  return pairs;
}

TEST(Graphs, SaveAndLoad) {
  const std::string path = testing::TempDir() + "grappa_graph_" + std::to_string(::getpid());
  const std::vector<TupleEdge> edges = {{3, 0}, {0, 3}, {3, 5}, {2, 2}, {3, 5}};
  TupleGraph tuples = TupleGraph::from_edges(7, edges);
  for (const bool directed : {false, true}) {
    const GlobalAddress<Plain> plain = Plain::create(tuples, directed);
    plain->save(path);
    plain->destroy();
    const GlobalAddress<Weighted> g = Weighted::load(path);
    EXPECT_EQ(7, g->nv);
    EXPECT_EQ(directed ? 3 : 4, g->nadj);
    EXPECT_EQ(directed, g->directed);
    typedef std::set<std::pair<VertexID, VertexID>> Pairs;
    EXPECT_EQ((directed ? Pairs{{0, 3}, {3, 0}, {3, 5}} : Pairs{{0, 3}, {3, 5}}), pairs_of(g));
    g->destroy();
  }
  tuples.destroy();
  std::remove(path.c_str());
}

TEST(Graphs, TryLoadAndTrySave) {
  std::string error;
  GlobalAddress<Weighted> g;
  EXPECT_FALSE(Weighted::try_load("/nowhere/graph", &g, &error));
  EXPECT_EQ("/nowhere/graph: cannot be opened: No such file or directory", error);
  TupleGraph tuples = TupleGraph::from_edges(2, {{0, 1}});
  g = Weighted::create(tuples);
  EXPECT_FALSE(g->try_save("/nowhere/graph", &error));
  EXPECT_EQ("/nowhere/graph: cannot be written: No such file or directory", error);
  g->destroy();
  tuples.destroy();
}

}  // namespace
