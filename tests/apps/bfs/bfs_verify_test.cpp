#include "apps/bfs/bfs_verify.hpp"

#include "structures/graph/graph.hpp"
#include "tests/apps/bfs/graphs.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace bfs { namespace {

//     1
//   /   \         .
//  0     3 - 4 - 5     6 - 7     8
//   \   /
//     2
// The graph also has a self-loop at 5, and contains the edge 0 - 1 twice.
const int64_t kVertices = 9;
const Edges kEdges = {{0, 1}, {0, 2}, {1, 3}, {3, 2}, {3, 4}, {4, 5}, {5, 5}, {1, 0}, {7, 6}};
const std::vector<VertexID> kTree = {0, 0, 0, 1, 3, 4, -1, -1, -1};

struct Result : Verdict, Traversed {
  Result(const Verdict& verdict, const Traversed& traversed)
      : Verdict(verdict), Traversed(traversed) {}
};

Result judge(int64_t nv, const Edges& edges, VertexID root, const std::vector<VertexID>& tree,
             VerifyLevel level = VerifyLevel::Full) {
  TupleGraph graph = TupleGraph::from_edges(nv, edges);
  const GlobalAddress<VertexID> parent = to_global(tree);
  Verifier verifier(graph, level);
  const Result result(verifier.verify(root, parent), verifier.count_traversed(parent));
  Grappa::global_free(parent);
  graph.destroy();
  return result;
}

struct Change {
  VertexID vertex;
  int64_t value;
};

std::vector<int64_t> with(std::vector<int64_t> values, const std::vector<Change>& changes) {
  for (const Change& change : changes) values[size_t(change.vertex)] = change.value;
  return values;
}

void expect_broken(const Verdict& verdict, int rule, VertexID vertex) {
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.rule, rule) << verdict.sentence;
  EXPECT_EQ(verdict.vertex, vertex) << verdict.sentence;
  const std::string start =
      "vertex " + std::to_string(vertex) + " breaks rule " + std::to_string(rule) + " (";
  EXPECT_EQ(verdict.sentence.compare(0, start.size(), start), 0) << verdict.sentence;
  EXPECT_EQ(verdict.sentence.find('\n'), std::string::npos);
}

void expect_tree_broken(int rule, VertexID vertex, const std::vector<Change>& changes) {
  expect_broken(judge(kVertices, kEdges, 0, with(kTree, changes)), rule, vertex);
}

void expect_valid(const Result& result, int64_t reached, int64_t traversed_edges) {
  EXPECT_TRUE(result.valid) << result.sentence;
  EXPECT_EQ(result.rule, 0);
  EXPECT_EQ(result.vertex, -1);
  EXPECT_EQ(result.reached, reached);
  EXPECT_EQ(result.edges, traversed_edges);
}

TEST(Verify, AcceptsATreeAndCountsInputEdgesOfTheComponent) {
  expect_valid(judge(kVertices, kEdges, 0, kTree), 6, 8);
  expect_valid(judge(kVertices, kEdges, 0, with(kTree, {{3, 2}})), 6, 8);
  expect_valid(judge(kVertices, kEdges, 7, {-1, -1, -1, -1, -1, -1, 7, 7, -1}), 2, 1);
}

// The lists of neighbours contain neither the self-loop nor the repeated edge.
TEST(Verify, ReadsTheEdgesOfAGraphFromItsLists) {
  TupleGraph graph = TupleGraph::from_edges(kVertices, kEdges);
  const auto g = Grappa::Graph<Grappa::NoData>::create(graph);
  const apps::InputEdges edges(g->lists());
  EXPECT_EQ(edges.nedge(), 7);
  Verifier verifier(edges, VerifyLevel::Full);
  const auto judge_tree = [&verifier](const std::vector<VertexID>& tree) {
    const GlobalAddress<VertexID> parent = to_global(tree);
    const Result result(verifier.verify(0, parent), verifier.count_traversed(parent));
    Grappa::global_free(parent);
    return result;
  };
  expect_valid(judge_tree(kTree), 6, 6);
  expect_broken(judge_tree(with(kTree, {{4, -1}, {5, -1}})), 4, 4);
  expect_broken(judge_tree(with(kTree, {{3, 0}, {4, 3}})), 5, 3);
  g->destroy();
  graph.destroy();
}

TEST(Verify, AcceptsARootWithoutNeighbours) {
  expect_valid(judge(kVertices, kEdges, 8, {-1, -1, -1, -1, -1, -1, -1, -1, 8}), 1, 0);
  expect_valid(judge(1, {}, 0, {0}), 1, 0);
  expect_valid(judge(1, {{0, 0}, {0, 0}}, 0, {0}), 1, 2);
}

TEST(Verify, AcceptsAPathOf100000Vertices) {
  const int64_t n = 100000;
  std::vector<VertexID> tree(static_cast<size_t>(n), 0);
  for (VertexID v = 1; v < n; ++v) tree[size_t(v)] = v - 1;
  expect_valid(judge(n, path_edges(n), 0, tree), n, n - 1);
}

TEST(Verify, FindsACycle) {
  expect_tree_broken(1, 4, {{4, 5}, {5, 4}});
  expect_tree_broken(1, 3, {{3, 4}});  // the parent of 5 is in the cycle 3, 4
  expect_tree_broken(1, 6, {{6, 7}, {7, 6}});
}

TEST(Verify, FindsASelfParentOtherThanTheRoot) {
  expect_tree_broken(1, 5, {{5, 5}});
  expect_tree_broken(1, 8, {{8, 8}});
}

TEST(Verify, FindsACycleAtTheEndOfALongPath) {
  const int64_t n = 3000;
  std::vector<VertexID> tree(static_cast<size_t>(n), 0);
  for (VertexID v = 1; v < n; ++v) tree[size_t(v)] = v - 1;
  tree[1500] = n - 1;  // a cycle of 1500 vertices
  expect_broken(judge(n, path_edges(n), 0, tree), 1, 1500);
  EXPECT_NE(judge(n, path_edges(n), 0, tree).sentence.find("never reaches the root"),
            std::string::npos);
}

TEST(Verify, FindsAParentOutOfRange) {
  expect_tree_broken(1, 3, {{3, kVertices}});
  expect_tree_broken(1, 4, {{4, -2}});
  expect_tree_broken(1, 1, {{1, INT64_MAX}, {2, INT64_MIN}});
}

TEST(Verify, FindsAnUnreachedParent) {
  expect_tree_broken(1, 5, {{5, 7}});
  expect_tree_broken(1, 4, {{3, -1}});
}

TEST(Verify, FindsARootWithAnotherParent) {
  expect_tree_broken(1, 0, {{0, 1}});
  expect_tree_broken(1, 0, {{0, -1}});
}

TEST(Verify, FindsAnEdgeThatSpansTwoLevels) {
  expect_tree_broken(3, 2, {{2, 3}});  // the path to 2 is 0 - 1 - 3 - 2 instead of 0 - 2
}

TEST(Verify, FindsAnUnreachedVertexOfTheComponent) {
  expect_tree_broken(4, 5, {{5, -1}});
  expect_tree_broken(4, 4, {{4, -1}, {5, -1}});
}

TEST(Verify, FindsAnEdgeFromTheTreeToAnotherComponent) {
  expect_tree_broken(4, 7, {{6, 0}});
  expect_tree_broken(4, 6, {{7, 0}});
}

TEST(Verify, FindsATreeEdgeThatIsNotAnInputEdge) {
  expect_tree_broken(5, 8, {{8, 0}});
  expect_tree_broken(5, 4, {{4, 1}});
}

TEST(Verify, NamesTheLowestVertexOfTheLowestRule) {
  expect_tree_broken(5, 4, {{8, 0}, {4, 1}});
  expect_tree_broken(3, 2, {{8, 0}, {2, 3}});
}

TEST(TreeLevels, AreTheNumbersOfStepsToTheRoot) {
  TupleGraph graph = TupleGraph::from_edges(kVertices, kEdges);
  const GlobalAddress<VertexID> parent = to_global(kTree);
  const GlobalAddress<int64_t> levels = Verifier(graph, VerifyLevel::Full).tree_levels(0, parent);
  EXPECT_EQ(from_global(levels, kVertices), (std::vector<int64_t>{0, 1, 1, 2, 3, 4, -1, -1, -1}));
  Grappa::global_free(levels);
  Grappa::global_free(parent);
  graph.destroy();
}

TEST(Verify, CountsTheSameAtEveryLevel) {
  for (const VerifyLevel level : {VerifyLevel::None, VerifyLevel::Sampled, VerifyLevel::Full}) {
    expect_valid(judge(kVertices, kEdges, 0, kTree, level), 6, 8);
  }
}

TEST(Verify, FindsACycleBySampling) {
  const std::vector<VertexID> cycle = with(kTree, {{3, 4}, {4, 3}});
  expect_broken(judge(kVertices, kEdges, 0, cycle, VerifyLevel::Sampled), 1, 3);
  EXPECT_TRUE(judge(kVertices, kEdges, 0, cycle, VerifyLevel::None).valid) << "no validation";
}

TEST(Verify, FindsManyWrongEdgesBySampling) {
  // The graph is a star. The parent of each even vertex is its predecessor instead of the centre.
  const int64_t n = 3000;
  Edges edges;
  std::vector<VertexID> tree(1, 0);
  for (VertexID v = 1; v < n; ++v) {
    edges.push_back(TupleGraph::Edge{v, 0});
    tree.push_back(v % 2 == 0 ? v - 1 : 0);
  }
  const Verdict verdict = judge(n, edges, 0, tree, VerifyLevel::Sampled);
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.rule, 3) << verdict.sentence;
  EXPECT_EQ(verdict.vertex % 2, 0);
}

}}  // namespace bfs
