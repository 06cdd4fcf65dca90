#include "apps/cc/cc_verify.hpp"

#include "tests/apps/cc/graphs.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace cc { namespace {

//     1
//   /   \         .
//  0     3 - 4 - 5     6 - 7     8
//   \   /
//     2
// The graph also has a self-loop at 5, and contains the edge 0 - 1 twice.
const int64_t kVertices = 9;
const Edges kEdges = {{0, 1}, {0, 2}, {1, 3}, {3, 2}, {3, 4}, {4, 5}, {5, 5}, {1, 0}, {7, 6}};
const Labels kLabels = {2, 2, 2, 2, 2, 2, 7, 7, 8};

// A graph and a verifier of its labels.
class Judge {
 public:
  Judge(int64_t nv, const Edges& edges, VerifyLevel level) : Judge(nv, edges, edges, level) {}
  // Builds the graph from the edges `built`. They may differ from the input `edges`.
  Judge(int64_t nv, const Edges& edges, const Edges& built, VerifyLevel level)
      : graph_(TupleGraph::from_edges(nv, edges)), g_(build(nv, built)) {
    verifier_.reset(new Verifier(graph_, g_, level));
  }
  ~Judge() {
    verifier_.reset();
    g_->destroy();
    graph_.destroy();
  }

  Verdict operator()(const Labels& labels) {
    const GlobalAddress<VertexID> array = to_global(labels);
    const Verdict verdict = verifier_->verify(array);
    Grappa::global_free(array);
    return verdict;
  }

 private:
  static GlobalAddress<LabelGraph> build(int64_t nv, const Edges& edges) {
    TupleGraph tuples = TupleGraph::from_edges(nv, edges);
    const GlobalAddress<LabelGraph> g = LabelGraph::create(tuples);
    tuples.destroy();
    return g;
  }

  TupleGraph graph_;
  const GlobalAddress<LabelGraph> g_;
  std::unique_ptr<Verifier> verifier_;
};

Verdict judge(const Labels& labels, VerifyLevel level = VerifyLevel::Full) {
  return Judge(kVertices, kEdges, level)(labels);
}

struct Change {
  VertexID vertex;
  VertexID label;
};

Labels with(Labels labels, const std::vector<Change>& changes) {
  for (const Change& change : changes) labels[size_t(change.vertex)] = change.label;
  return labels;
}

void expect_valid(const Verdict& verdict) {
  EXPECT_TRUE(verdict.valid) << verdict.sentence;
  EXPECT_EQ(verdict.rule, 0);
  EXPECT_EQ(verdict.vertex, -1);
}

void expect_broken(const Verdict& verdict, int rule, VertexID vertex) {
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.rule, rule) << verdict.sentence;
  EXPECT_EQ(verdict.vertex, vertex) << verdict.sentence;
  const std::string who = vertex < 0 ? "the labels break" : "vertex " + std::to_string(vertex);
  EXPECT_EQ(verdict.sentence.compare(0, who.size(), who), 0) << verdict.sentence;
  EXPECT_EQ(verdict.sentence.find('\n'), std::string::npos);
}

// Checks that the verifier finds the error, both with and without the serial union-find.
void expect_labels_broken(int rule, VertexID vertex, const std::vector<Change>& changes) {
  expect_broken(judge(with(kLabels, changes), VerifyLevel::Rules), rule, vertex);
  expect_broken(judge(with(kLabels, changes)), rule, vertex);
}

TEST(Verify, AcceptsAnyMemberOfAComponentAsItsLabel) {
  for (const VerifyLevel level : {VerifyLevel::None, VerifyLevel::Rules, VerifyLevel::Full}) {
    expect_valid(judge(kLabels, level));
    expect_valid(judge({5, 5, 5, 5, 5, 5, 6, 6, 8}, level));
  }
}

TEST(Verify, AcceptsAGraphOfOneVertexAndOneWithoutEdges) {
  expect_valid(Judge(1, {}, VerifyLevel::Full)({0}));
  expect_valid(Judge(1, {{0, 0}}, VerifyLevel::Full)({0}));
  expect_valid(Judge(4, {}, VerifyLevel::Full)({0, 1, 2, 3}));
}

TEST(Verify, FindsALabelOutOfRange) {
  expect_labels_broken(1, 8, {{8, kVertices}});
  expect_labels_broken(1, 3, {{3, -1}, {4, INT64_MIN}});
}

TEST(Verify, FindsALabelWithAnotherLabel) {
  expect_labels_broken(2, 6, {{6, 7}, {7, 6}});
  expect_labels_broken(2, 4, {{4, 5}});  // the label of 5 is 2
}

TEST(Verify, FindsASplitComponent) {
  expect_labels_broken(3, 3, {{4, 4}, {5, 4}});  // the edge 3 - 4 has two labels
  expect_labels_broken(3, 7, {{6, 6}});
}

TEST(Verify, FindsMergedComponents) {
  expect_labels_broken(4, 8, {{8, 2}});
  expect_labels_broken(4, 6, {{6, 2}, {7, 2}});
  expect_labels_broken(4, 6, {{6, 8}, {7, 8}});
  expect_labels_broken(4, 0, {{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}});
}

// The built graph has an edge that is not in the input. Only the union-find detects this error.
TEST(Verify, FindsComponentsMergedByTheBuiltGraph) {
  Edges more = kEdges;
  more.push_back({5, 6});
  const Labels merged = with(kLabels, {{6, 2}, {7, 2}});
  expect_valid(Judge(kVertices, kEdges, more, VerifyLevel::Rules)(merged));
  expect_broken(Judge(kVertices, kEdges, more, VerifyLevel::Full)(merged), 5, -1);
}

TEST(Verify, NamesTheLowestVertexOfTheLowestRule) {
  expect_labels_broken(3, 7, {{6, 6}, {8, 2}});
  expect_labels_broken(1, 1, {{8, 2}, {1, 99}, {2, 99}, {6, 6}});
}

TEST(Verify, CountsLabelsAfterTheFirstVerification) {
  Judge rules(kVertices, kEdges, VerifyLevel::Rules);
  expect_valid(rules(kLabels));
  expect_valid(rules({0, 0, 0, 0, 0, 0, 6, 6, 8}));
  expect_broken(rules(with(kLabels, {{8, 2}})), 4, -1);
  expect_broken(rules(with(kLabels, {{4, 4}, {5, 4}})), 3, 3);
  expect_valid(rules(kLabels));
}

TEST(Verify, AcceptsRightLabelsAfterWrongOnes) {
  Judge rules(kVertices, kEdges, VerifyLevel::Rules);
  expect_broken(rules(with(kLabels, {{8, 2}})), 4, 8);
  expect_valid(rules(kLabels));
}

TEST(Verify, AcceptsAnyLabelsAtLevelNone) {
  expect_valid(judge(with(kLabels, {{8, 2}, {0, 99}}), VerifyLevel::None));
}

TEST(Verify, VerifiesALongPath) {
  const int64_t n = 20000;
  Judge path(n, path_edges(n), VerifyLevel::Full);
  const Labels one(static_cast<size_t>(n), n / 2);
  expect_valid(path(one));
  Labels two = one;
  for (int64_t v = 0; v < n / 2; ++v) two[size_t(v)] = 0;
  expect_broken(path(two), 3, n / 2 - 1);
}

}}  // namespace cc
