#include "apps/kcore/kcore.hpp"

#include "apps/common/vertex_values.hpp"
#include "apps/kcore/kcore_verify.hpp"
#include "tests/apps/built_graph.hpp"
#include "tests/apps/edge_lists.hpp"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace kcore { namespace {

using Grappa::VertexID;
typedef CoreGraph::Vertex Vertex;

// The definition: for each k, removes vertices with less than k neighbours until there are none.
std::vector<uint32_t> cores_by_definition(const apps::EdgeList& list) {
  std::vector<std::set<VertexID>> neighbours(static_cast<size_t>(list.nv));
  for (const Grappa::TupleEdge& edge : list.edges) {
    if (edge.v0 == edge.v1) continue;
    neighbours[size_t(edge.v0)].insert(edge.v1);
    neighbours[size_t(edge.v1)].insert(edge.v0);
  }
  std::vector<uint32_t> cores(neighbours.size(), 0);
  bool any = true;
  for (uint32_t k = 1; any; ++k) {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t v = 0; v < neighbours.size(); ++v) {
        if (neighbours[v].empty() || neighbours[v].size() >= k) continue;
        for (const VertexID w : neighbours[v]) neighbours[size_t(w)].erase(VertexID(v));
        neighbours[v].clear();
        changed = true;
      }
    }
    any = false;
    for (size_t v = 0; v < neighbours.size(); ++v) {
      if (neighbours[v].empty()) continue;
      cores[v] = k;
      any = true;
    }
  }
  return cores;
}

class Cored : public apps::BuiltGraph<CoreGraph> {
 public:
  using BuiltGraph::BuiltGraph;

  std::vector<uint32_t> cores() const {
    return apps::vertex_values<uint32_t>(**this, [](const Vertex& v) { return v->core; });
  }
};

TEST(KCore, HasTheCoreNumbersOfTheDefinition) {
  for (const apps::EdgeList& list : apps::families()) {
    SCOPED_TRACE(list.name);
    const std::vector<uint32_t> expected = cores_by_definition(list);
    for (const auto layout : {Grappa::GraphLayout::Interleaved, Grappa::GraphLayout::Ranges}) {
      const Cored graph(list, layout);
      find_cores(*graph);
      EXPECT_EQ(graph.cores(), expected);
      find_cores(*graph);
      EXPECT_EQ(graph.cores(), expected) << "in the second call";
    }
  }
}

TEST(KCoreCheck, HasTheCoreNumbersOfTheDefinition) {
  for (const apps::EdgeList& list : apps::families()) {
    SCOPED_TRACE(list.name);
    const Cored graph(list);
    EXPECT_EQ(cores_serially(graph.tuples()), cores_by_definition(list));
  }
}

TEST(KCoreCheck, CountsWrongCoreNumbers) {
  const Cored graph(apps::grid_edges(20, 30));
  find_cores(*graph);
  EXPECT_EQ(count_wrong(*graph, graph.tuples()), 0);
  for (const VertexID v : {0, 31, 599}) {
    Grappa::delegate::call((*graph)->vs + v, [](Vertex& its) { ++its->core; });
  }
  EXPECT_EQ(count_wrong(*graph, graph.tuples()), 3);
}

}}  // namespace kcore
