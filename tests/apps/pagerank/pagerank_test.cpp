#include "apps/pagerank/pagerank.hpp"

#include "apps/common/vertex_values.hpp"
#include "tests/apps/built_graph.hpp"
#include "tests/apps/edge_lists.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace pagerank { namespace {

typedef RankGraph::Vertex Vertex;
typedef std::vector<double> Ranks;

constexpr double kDamping = 0.85;
constexpr double kClose = 1e-12;
constexpr int64_t kEnough = 1000;

// Computes the ranks with kEnough steps of a serial power iteration.
Ranks serial_ranks(const apps::EdgeList& list, double damping) {
  const size_t nv = size_t(list.nv);
  std::vector<std::set<size_t>> neighbours(nv);
  for (const Grappa::TupleEdge& edge : list.edges) {
    if (edge.v0 == edge.v1) continue;
    neighbours[size_t(edge.v0)].insert(size_t(edge.v1));
    neighbours[size_t(edge.v1)].insert(size_t(edge.v0));
  }
  Ranks ranks(nv, 1 / double(nv));
  for (int64_t iteration = 0; iteration < kEnough; ++iteration) {
    Ranks next(nv, (1 - damping) / double(nv));
    for (size_t v = 0; v < nv; ++v) {
      for (const size_t w : neighbours[v]) next[w] += damping * ranks[v] / neighbours[v].size();
      if (!neighbours[v].empty()) continue;
      for (double& anywhere : next) anywhere += damping * ranks[v] / double(nv);
    }
    ranks.swap(next);
  }
  return ranks;
}

class Ranked : public apps::BuiltGraph<RankGraph> {
 public:
  using BuiltGraph::BuiltGraph;

  Ranks ranks() const {
    return apps::vertex_values<double>(**this, [](const Vertex& v) { return v->rank; });
  }
};

Options options_of(double damping, double tolerance, int64_t most = kEnough) {
  Options options;
  options.damping = damping;
  options.tolerance = tolerance;
  options.max_iterations = most;
  return options;
}

TEST(PageRank, FindsTheRanksOfASerialIteration) {
  for (const apps::EdgeList& list : apps::families()) {
    SCOPED_TRACE(list.name);
    const Ranked graph(list);
    for (const double damping : {0.0, 0.5, kDamping}) {
      const Ranks expected = serial_ranks(list, damping);
      for (const Method method : {Method::Jacobi, Method::GaussSeidel}) {
        Options options = options_of(damping, kClose);
        options.method = method;
        EXPECT_LT(find_ranks(*graph, options), kEnough);
        const Ranks found = graph.ranks();
        for (size_t v = 0; v < found.size(); ++v) ASSERT_NEAR(found[v], expected[v], 1e-9) << v;
        EXPECT_LT(error_of(*graph, damping), 2 * kClose + 1e-10);
      }
    }
  }
}

// The shares have 4 bytes each, and their rounding changes the ranks by less than the tolerance.
TEST(PageRank, MeetsATolerantGoalWithSmallShares) {
  const Ranked graph(apps::kronecker_edges(10, 16), Grappa::GraphLayout::Ranges);
  const Ranks expected = serial_ranks(apps::kronecker_edges(10, 16), kDamping);
  for (const Method method : {Method::Jacobi, Method::GaussSeidel}) {
    Options options = options_of(kDamping, 1e-6);
    options.method = method;
    EXPECT_LT(find_ranks(*graph, options), 100);
    EXPECT_LE(error_of(*graph, kDamping), 1e-6);
    const Ranks found = graph.ranks();
    double difference = 0;
    for (size_t v = 0; v < found.size(); ++v) difference += std::abs(found[v] - expected[v]);
    EXPECT_LE(difference, 1e-6 / (1 - kDamping));
  }
}

// On several cores, the shares of the vertices of other cores are not the latest.
TEST(PageRank, NeedsFewerIterationsWithTheLatestShares) {
  const Ranked graph(apps::grid_edges(50, 60));
  Options options = options_of(kDamping, 1e-9);
  const int64_t jacobi = find_ranks(*graph, options);
  options.method = Method::GaussSeidel;
  const int64_t latest = find_ranks(*graph, options);
  EXPECT_LT(latest, Grappa::cores() == 1 ? jacobi * 3 / 4 : jacobi);
}

TEST(PageRank, NeedsFewerIterationsOnSeveralCoresToo) {
  const Ranked graph(apps::kronecker_edges(12, 16));
  Options options = options_of(kDamping, 1e-6);
  const int64_t jacobi = find_ranks(*graph, options);
  options.method = Method::GaussSeidel;
  EXPECT_LE(find_ranks(*graph, options), jacobi * 4 / 5);
}

// All runs update the vertices in the same order. (The sums of all cores may be rounded otherwise.)
TEST(PageRank, ReadsTheSameSharesInEachRun) {
  const Ranked graph(apps::kronecker_edges(12, 16));
  Options options = options_of(kDamping, 0, 2);
  options.method = Method::GaussSeidel;
  find_ranks(*graph, options);
  const Ranks first = graph.ranks();
  for (int run = 0; run < 20; ++run) {
    find_ranks(*graph, options);
    const Ranks again = graph.ranks();
    for (size_t v = 0; v < first.size(); ++v) ASSERT_NEAR(again[v], first[v], 1e-9) << v;
  }
}

TEST(PageRank, EndsWhenRanksHardlyChange) {
  const Ranked graph(apps::kronecker_edges(9, 8));
  const int64_t few = find_ranks(*graph, options_of(kDamping, 1e-2));
  EXPECT_LE(error_of(*graph, kDamping), 1e-2);
  const int64_t more = find_ranks(*graph, options_of(kDamping, 1e-6));
  EXPECT_LE(error_of(*graph, kDamping), 1e-6);
  EXPECT_LT(few, more);
  EXPECT_EQ(find_ranks(*graph, options_of(kDamping, 1e-6, more - 1)), more - 1);
  EXPECT_EQ(find_ranks(*graph, options_of(kDamping, 0, 3)), 3);
}

TEST(PageRankCheck, FindsAWrongRank) {
  const Ranked graph(apps::grid_edges(20, 30));
  for (const Grappa::VertexID v : {0, 31, 599}) {
    find_ranks(*graph, options_of(kDamping, kClose));
    Grappa::delegate::call((*graph)->vs + v, [](Vertex& its) { its->rank += 1e-6; });
    EXPECT_GT(error_of(*graph, kDamping), 1e-6);
  }
}

// If the damping is 1 and all ranks are 0, an iteration does not change the ranks. Only their sum
// is wrong.
TEST(PageRankCheck, FindsAWrongSum) {
  const Ranked graph(apps::grid_edges(20, 30));
  Grappa::forall(*graph, [](Vertex& v) { v.data = State{0}; });
  EXPECT_GE(error_of(*graph, 1), 1);
}

}}  // namespace pagerank
