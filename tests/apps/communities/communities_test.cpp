#include "apps/communities/communities.hpp"

#include "apps/common/vertex_values.hpp"
#include "apps/communities/communities_verify.hpp"
#include "tests/apps/built_graph.hpp"
#include "tests/apps/edge_lists.hpp"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <vector>

namespace communities { namespace {

using Grappa::VertexID;
typedef CommunityGraph::Vertex Vertex;
typedef std::vector<VertexID> Labels;

constexpr int64_t kIterations = 10;

Labels own_ids(int64_t nv) {
  Labels labels;
  for (VertexID v = 0; v < nv; ++v) labels.push_back(v);
  return labels;
}

// The definition, for all iterations.
Labels labels_by_definition(const apps::EdgeList& list, int64_t iterations) {
  std::vector<std::set<VertexID>> neighbours(static_cast<size_t>(list.nv));
  for (const Grappa::TupleEdge& edge : list.edges) {
    if (edge.v0 == edge.v1) continue;
    neighbours[size_t(edge.v0)].insert(edge.v1);
    neighbours[size_t(edge.v1)].insert(edge.v0);
  }
  Labels labels = own_ids(list.nv);
  for (; iterations > 0; --iterations) {
    const Labels last = labels;
    for (size_t v = 0; v < labels.size(); ++v) {
      std::map<VertexID, int64_t> counts;
      for (const VertexID w : neighbours[v]) ++counts[last[size_t(w)]];
      int64_t highest = 0;
      for (const auto& each : counts) {
        if (each.second <= highest) continue;
        highest = each.second;
        labels[v] = each.first;
      }
    }
  }
  return labels;
}

class Labelled : public apps::BuiltGraph<CommunityGraph> {
 public:
  using BuiltGraph::BuiltGraph;

  // Starts with the ids as labels.
  int64_t propagate(int64_t iterations) {
    Grappa::forall(**this, [](VertexID id, Vertex& v) { v->label = id; });
    return propagate_labels(**this, iterations);
  }
  Labels labels() const {
    return apps::vertex_values<VertexID>(**this, [](const Vertex& v) { return v->label; });
  }
};

TEST(Communities, HaveTheLabelsOfTheDefinition) {
  for (const apps::EdgeList& list : apps::families()) {
    SCOPED_TRACE(list.name);
    for (const int64_t iterations : {int64_t{1}, int64_t{2}, kIterations}) {
      const Labels expected = labels_by_definition(list, iterations);
      for (const auto layout : {Grappa::GraphLayout::Interleaved, Grappa::GraphLayout::Ranges}) {
        Labelled graph(list, layout);
        EXPECT_LE(graph.propagate(iterations), iterations);
        EXPECT_EQ(graph.labels(), expected);
        Grappa::forall(*graph, [](VertexID id, Vertex& v) { v->label = id; });
        detail::propagate<uint64_t>(*graph, iterations);
        EXPECT_EQ(graph.labels(), expected) << "in a second call, with long labels";
      }
    }
  }
}

// In the first iteration, all labels are equally frequent. Two cliques of five with a common edge
// become two communities.
TEST(Communities, AreCliques) {
  apps::EdgeList list = {"two cliques", 10, {{4, 5}}};
  for (VertexID v = 0; v < 5; ++v) {
    for (VertexID w = 0; w < v; ++w) {
      list.edges.push_back({v, w});
      list.edges.push_back({v + 5, w + 5});
    }
  }
  Labelled graph(list);
  EXPECT_LT(graph.propagate(1000), 10) << "no label changes any more";
  const Labels labels = graph.labels();
  for (size_t v = 0; v < 5; ++v) {
    EXPECT_EQ(labels[v], labels[0]);
    EXPECT_EQ(labels[v + 5], labels[9]);
  }
  EXPECT_NE(labels[0], labels[9]);
}

TEST(Communities, GiveTwoNeighboursEachOthersLabels) {
  Labelled graph({"an edge", 3, {{0, 2}}});
  EXPECT_EQ(graph.propagate(5), 5);
  EXPECT_EQ(graph.labels(), (Labels{2, 1, 0}));
  EXPECT_EQ(graph.propagate(6), 6);
  EXPECT_EQ(graph.labels(), (Labels{0, 1, 2}));
}

TEST(Communities, ContinueFromTheLabelsOfTheVertices) {
  for (const apps::EdgeList& list : apps::families()) {
    Labelled graph(list);
    EXPECT_EQ(graph.propagate(0), 0);
    EXPECT_EQ(graph.labels(), own_ids(list.nv));
    graph.propagate(2);
    propagate_labels(*graph, 3);
    EXPECT_EQ(graph.labels(), labels_by_definition(list, 5)) << list.name;
  }
}

TEST(CommunitiesCheck, HasTheLabelsOfTheDefinition) {
  for (const apps::EdgeList& list : apps::families()) {
    SCOPED_TRACE(list.name);
    const Labelled graph(list);
    for (const int64_t iterations : {int64_t{0}, int64_t{1}, kIterations}) {
      EXPECT_EQ(propagate_serially(graph.tuples(), own_ids(list.nv), iterations),
                labels_by_definition(list, iterations));
    }
  }
}

}}  // namespace communities
