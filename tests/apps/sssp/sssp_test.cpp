#include "apps/sssp/sssp.hpp"

#include "structures/graph/edge_weight.hpp"
#include "tests/apps/edge_lists.hpp"
#include "tests/apps/vertex_values.hpp"

#include <gtest/gtest.h>
#include <queue>
#include <utility>
#include <vector>

namespace sssp { namespace {

typedef WeightedGraph::Vertex Vertex;

constexpr uint64_t kSeed = 5;
constexpr int64_t kMaxWeight = 255;

int64_t weight(VertexID one, VertexID other) {
  return Grappa::edge_weight(one, other, kSeed, kMaxWeight);
}

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
      queue.push({next.first + weight(next.second, v), v});
    }
  }
  return distances;
}

class Weighted {
 public:
  explicit Weighted(const apps::EdgeList& list,
                    Grappa::GraphLayout layout = Grappa::GraphLayout::Automatic)
      : tuples_(Grappa::TupleGraph::from_edges(list.nv, list.edges)),
        g_(WeightedGraph::create(tuples_, false, layout)) {
    const GlobalAddress<WeightedGraph> g = g_;
    Grappa::forall(
        g, [g](Vertex& v, WeightedGraph::Edge& e) { e.data = uint8_t(weight(g->id(v), e.id)); });
  }
  ~Weighted() {
    g_->destroy();
    tuples_.destroy();
  }

  GlobalAddress<WeightedGraph> operator*() const { return g_; }

  std::vector<int64_t> distances() const {
    return apps::vertex_values<int64_t>(g_, [](const Vertex& v) { return v->distance; });
  }

 private:
  Grappa::TupleGraph tuples_;
  const GlobalAddress<WeightedGraph> g_;
};

TEST(Sssp, FindsTheDistancesOfDijkstra) {
  for (const apps::EdgeList& list : apps::families()) {
    const Weighted graph(list, Grappa::GraphLayout::Ranges);
    for (const VertexID root : {VertexID(0), list.nv / 2, list.nv - 1}) {
      const std::vector<int64_t> expected = serial_distances(list, root);
      for (const int64_t delta : {1, 16, 100, 1000000}) {
        SCOPED_TRACE(list.name + ", root " + std::to_string(root) + ", delta " +
                     std::to_string(delta));
        find_distances(*graph, root, delta);
        ASSERT_EQ(graph.distances(), expected);
        ASSERT_EQ(count_wrong(*graph, root), 0);
      }
    }
  }
}

// Replaces the distance of vertex v, and returns the number of wrong distances that the check
// finds.
int64_t wrong_with(const Weighted& graph, VertexID root, VertexID v, int64_t distance) {
  find_distances(*graph, root, 16);
  Grappa::delegate::call((*graph)->vs + v, [distance](Vertex& its) { its->distance = distance; });
  return count_wrong(*graph, root);
}

TEST(SsspCheck, FindsAWrongDistance) {
  const apps::EdgeList list = apps::grid_edges(20, 30);
  const Weighted graph(list);
  const std::vector<int64_t> right = serial_distances(list, 0);
  for (const VertexID v : {0, 1, 30, 299, 599}) {
    SCOPED_TRACE(v);
    EXPECT_EQ(wrong_with(graph, 0, v, right[size_t(v)]), 0);
    EXPECT_GT(wrong_with(graph, 0, v, right[size_t(v)] - 1), 0);
    EXPECT_GT(wrong_with(graph, 0, v, right[size_t(v)] + 1), 0);
    EXPECT_GT(wrong_with(graph, 0, v, kUnreached), 0);
  }
}

TEST(SsspCheck, FindsAnUnreachedComponent) {
  const Weighted graph({"two edges", 5, {{0, 1}, {3, 4}}});
  EXPECT_EQ(wrong_with(graph, 0, 2, kUnreached), 0);
  EXPECT_GT(wrong_with(graph, 0, 2, 7), 0);
  EXPECT_GT(wrong_with(graph, 0, 3, 7), 0);
}

}}  // namespace sssp
