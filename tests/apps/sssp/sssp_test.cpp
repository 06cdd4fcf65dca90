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

constexpr Weights kWeights = {5, 255};
constexpr int64_t kUnreached = -1;

// Computes the distances with Dijkstra's algorithm on the list of edges.
std::vector<int64_t> serial_distances(const apps::EdgeList& list, VertexID root) {
  typedef std::pair<int64_t, VertexID> Distant;
  std::vector<std::vector<VertexID>> neighbours(static_cast<size_t>(list.nv));
  for (const Grappa::TupleEdge& edge : list.edges) {
    neighbours[size_t(edge.v0)].push_back(edge.v1);
    neighbours[size_t(edge.v1)].push_back(edge.v0);
  }
  std::vector<int64_t> distances(size_t(list.nv), kUnreached);
  std::priority_queue<Distant, std::vector<Distant>, std::greater<Distant>> queue;
  queue.push({0, root});
  while (!queue.empty()) {
    const Distant next = queue.top();
    queue.pop();
    if (distances[size_t(next.second)] != kUnreached) continue;
    distances[size_t(next.second)] = next.first;
    for (const VertexID v : neighbours[size_t(next.second)]) {
      queue.push({next.first + kWeights(next.second, v), v});
    }
  }
  return distances;
}

class Searched {
 public:
  explicit Searched(const apps::EdgeList& list,
                    Grappa::GraphLayout layout = Grappa::GraphLayout::Automatic)
      : g_(list, layout),
        verifier_(g_.tuples(), kWeights),
        distances_(Grappa::global_alloc<int64_t>(list.nv)),
        parents_(Grappa::global_alloc<VertexID>(list.nv)) {}
  ~Searched() {
    Grappa::global_free(distances_);
    Grappa::global_free(parents_);
  }

  /// Finds the distances and the parents.
  void find(VertexID root, int64_t delta) {
    const auto paths = delta_stepping(*g_, kWeights, delta);
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

TEST(Sssp, ChoosesADelta) {
  Searched graph(apps::kronecker_edges(7, 8));
  EXPECT_GE(good_delta(graph.graph(), kWeights), 1);
  const Weights large = {1, kMostWeight};
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
