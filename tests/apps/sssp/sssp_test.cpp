#include "apps/sssp/sssp.hpp"

#include "apps/sssp/sssp_verify.hpp"
#include "tests/apps/built_graph.hpp"
#include "tests/apps/edge_lists.hpp"

#include <gtest/gtest.h>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace sssp { namespace {

const Weights kWeights = Weights::random(5, 255);
constexpr int64_t kUnreached = -1;

typedef std::vector<Grappa::EdgeAttributes> Attributes;

// The weights of edges differ, also those of a repeated edge. Weights of self-loops are invalid.
Attributes weights_for(const apps::EdgeList& list) {
  Attributes attributes;
  for (size_t i = 0; i < list.edges.size(); ++i) {
    const bool loop = list.edges[i].v0 == list.edges[i].v1;
    attributes.push_back({loop ? 0.5 : double(1 + i * i % 97), 0});
  }
  return attributes;
}

// Computes the distances with Dijkstra's algorithm on the list of edges. The weights are
// `attributes`, or kWeights if there are none.
std::vector<int64_t> serial_distances(const apps::EdgeList& list, VertexID root,
                                      const Attributes& attributes = {}) {
  typedef std::pair<int64_t, VertexID> Distant;  // or a weight and a neighbour
  std::vector<std::vector<Distant>> neighbours(static_cast<size_t>(list.nv));
  for (size_t i = 0; i < list.edges.size(); ++i) {
    const VertexID v = list.edges[i].v0, w = list.edges[i].v1;
    const int64_t weight = attributes.empty() ? Grappa::edge_weight(v, w, 5, 255)
                                              : static_cast<int64_t>(attributes[i].weight);
    neighbours[size_t(v)].push_back({weight, w});
    neighbours[size_t(w)].push_back({weight, v});
  }
  std::vector<int64_t> distances(size_t(list.nv), kUnreached);
  std::priority_queue<Distant, std::vector<Distant>, std::greater<Distant>> queue;
  queue.push({0, root});
  while (!queue.empty()) {
    const Distant next = queue.top();
    queue.pop();
    if (distances[size_t(next.second)] != kUnreached) continue;
    distances[size_t(next.second)] = next.first;
    for (const Distant& each : neighbours[size_t(next.second)]) {
      queue.push({next.first + each.first, each.second});
    }
  }
  return distances;
}

class Searched {
 public:
  explicit Searched(const apps::EdgeList& list,
                    Grappa::GraphLayout layout = Grappa::GraphLayout::Automatic,
                    const Attributes& attributes = {})
      : g_(list, layout, Grappa::detail::SlotWidth::kAutomatic, attributes),
        weights_(attributes.empty() ? kWeights : Weights::from(g_.tuples(), "the list")),
        verifier_(g_.tuples(), weights_),
        distances_(Grappa::global_alloc<int64_t>(list.nv)),
        parents_(Grappa::global_alloc<VertexID>(list.nv)) {}
  ~Searched() {
    Grappa::global_free(distances_);
    Grappa::global_free(parents_);
  }

  /// Finds the distances and the parents.
  void find(VertexID root, int64_t delta) {
    const auto paths = delta_stepping(*g_, weights_, delta);
    for (int repeat = 0; repeat < 2; ++repeat) {
      paths->find(root);
      paths->find_parents();
    }
    paths->copy_distances(distances_);
    paths->copy_parents(parents_);
  }

  std::vector<int64_t> distances() const {
    std::vector<int64_t> all;
    for (int64_t v = 0; v < (*g_)->nv; ++v) all.push_back(Grappa::delegate::read(distances_ + v));
    return all;
  }

  GlobalAddress<PathGraph> graph() const { return *g_; }
  const Weights& weights() const { return weights_; }
  void set_distance(VertexID v, int64_t distance) {
    Grappa::delegate::write(distances_ + v, distance);
  }
  void set_parent(VertexID v, VertexID parent) { Grappa::delegate::write(parents_ + v, parent); }

  apps::Verdict verify(VertexID root) { return verifier_.verify(root, distances_, parents_); }
  apps::Verdict verify_distances(VertexID root) {
    return verifier_.verify(root, distances_, GlobalAddress<VertexID>());
  }
  Traversed traversed() const { return verifier_.traversed(); }

 private:
  const apps::BuiltGraph<PathGraph> g_;
  const Weights weights_;
  PathVerifier verifier_;
  const GlobalAddress<int64_t> distances_;
  const GlobalAddress<VertexID> parents_;
};

TEST(Sssp, FindsTheDistancesOfDijkstra) {
  for (const apps::EdgeList& list : apps::families()) {
    Searched graph(list, Grappa::GraphLayout::Ranges);
    for (const VertexID root : {VertexID(0), list.nv / 2, list.nv - 1}) {
      const std::vector<int64_t> expected = serial_distances(list, root);
      for (const int64_t delta : {1, 16, 100, 1000000}) {
        SCOPED_TRACE(list.name + ", root " + std::to_string(root) + ", delta " +
                     std::to_string(delta));
        graph.find(root, delta);
        ASSERT_EQ(graph.distances(), expected);
        ASSERT_EQ(graph.verify(root).sentence, "");
        ASSERT_EQ(graph.verify_distances(root).sentence, "");
      }
    }
  }
}

TEST(Sssp, UsesTheWeightsOfTheEdges) {
  for (const apps::EdgeList& list : apps::families()) {
    if (list.edges.empty()) continue;
    const Attributes attributes = weights_for(list);
    Searched graph(list, Grappa::GraphLayout::Automatic, attributes);
    for (const int64_t delta : {1, 100}) {
      SCOPED_TRACE(list.name + ", delta " + std::to_string(delta));
      const VertexID root = list.nv / 2;
      graph.find(root, delta);
      ASSERT_EQ(graph.distances(), serial_distances(list, root, attributes));
      ASSERT_EQ(graph.verify(root).sentence, "");
    }
  }
}

TEST(SsspCheck, UsesTheWeightsOfTheEdges) {
  const apps::EdgeList list = {"path", 3, {{0, 1}, {1, 2}, {2, 1}}};
  Searched graph(list, Grappa::GraphLayout::Automatic, {{3, 0}, {9, 0}, {5, 0}});
  graph.find(0, 1);
  EXPECT_EQ(graph.distances(), (std::vector<int64_t>{0, 3, 8}));
  EXPECT_EQ(graph.verify(0).sentence, "");
  graph.set_distance(2, 12);  // a path, but not the shortest
  EXPECT_FALSE(graph.verify(0).valid);
}

TEST(Sssp, KnowsTheRangeOfWeights) {
  const Searched graph({"loop", 2, {{0, 1}, {1, 1}, {1, 0}}}, Grappa::GraphLayout::Automatic,
                       {{double(kMostWeight), 0}, {-1, 0}, {2, 0}});
  EXPECT_EQ(graph.weights().largest, kMostWeight);
  EXPECT_EQ(graph.weights().mean, (double(kMostWeight) + 2) / 2);
  EXPECT_FALSE(graph.weights().are_random());
  EXPECT_TRUE(kWeights.are_random());
}

TEST(Sssp, ChoosesADelta) {
  Searched graph(apps::kronecker_edges(7, 8));
  EXPECT_GE(good_delta(graph.graph(), kWeights), 1);
  const Weights large = Weights::random(1, kMostWeight);
  EXPECT_GE(good_delta(graph.graph(), large), smallest_delta(large));
  EXPECT_EQ(smallest_delta(large), 1 << 15);
  EXPECT_EQ(smallest_delta(kWeights), 1);
}

TEST(SsspCheck, FindsAWrongDistance) {
  const apps::EdgeList list = apps::grid_edges(20, 30);
  Searched graph(list);
  const std::vector<int64_t> right = serial_distances(list, 0);
  graph.find(0, 16);
  for (const VertexID v : {0, 1, 30, 299, 599}) {
    SCOPED_TRACE(v);
    for (const int64_t distance : {right[size_t(v)] - 1, right[size_t(v)] + 1}) {
      graph.set_distance(v, distance);
      EXPECT_FALSE(graph.verify(0).valid);
      EXPECT_FALSE(graph.verify_distances(0).valid);
    }
    graph.set_distance(v, -1);
    EXPECT_FALSE(graph.verify_distances(0).valid);
    graph.set_distance(v, right[size_t(v)]);
    EXPECT_TRUE(graph.verify(0).valid);
  }
}

// Only the root has a path of length 0. If all distances are larger by 1, no edge is a shortcut.
TEST(SsspCheck, FindsDistancesFromNoRoot) {
  const apps::EdgeList list = apps::grid_edges(1, 10);
  Searched graph(list);
  graph.find(0, 16);
  const std::vector<int64_t> right = graph.distances();
  for (VertexID v = 0; v < 10; ++v) graph.set_distance(v, right[size_t(v)] + 1);
  EXPECT_FALSE(graph.verify_distances(0).valid);
}

TEST(SsspCheck, FindsAnUnreachedComponent) {
  Searched graph({"two edges", 5, {{0, 1}, {3, 4}}});
  graph.find(0, 16);
  EXPECT_EQ(graph.verify(0).sentence, "");
  EXPECT_EQ(graph.traversed().reached, 2);
  EXPECT_EQ(graph.traversed().edges, 1);
  for (const VertexID v : {2, 3}) {
    graph.set_distance(v, 7);
    EXPECT_FALSE(graph.verify_distances(0).valid);
    graph.set_distance(v, -1);
  }
}

TEST(SsspCheck, FindsAWrongParent) {
  const apps::EdgeList list = apps::grid_edges(1, 10);
  Searched graph(list);
  graph.find(0, 16);
  for (const VertexID wrong : {-1, 0, 5, 6, 9}) {  // the parent of 5 is 4
    graph.set_parent(5, wrong);
    EXPECT_FALSE(graph.verify(0).valid) << wrong;
  }
  graph.set_parent(5, 4);
  EXPECT_EQ(graph.verify(0).sentence, "");
  graph.set_parent(0, 1);
  EXPECT_FALSE(graph.verify(0).valid);
}

}}  // namespace sssp
