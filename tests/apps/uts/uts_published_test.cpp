#include "bench/raw_uts.hpp"
#include "tests/apps/uts/trees.hpp"

#include <gtest/gtest.h>
#include <string>

namespace uts { namespace {

const PublishedTree& published(const std::string& name) {
  for (const PublishedTree& tree : kPublishedTrees) {
    if (tree.name == name) return tree;
  }
  ADD_FAILURE() << name << " is not published";
  return kPublishedTrees[0];
}

void expect_published_counts(const std::string& name) {
  const PublishedTree& tree = published(name);
  expect_equal(raw::search(Tree(tree.parameters)), tree.counts);
}

TEST(PublishedTrees, GeometricOfFixedShape) { expect_published_counts("T1"); }

TEST(PublishedTrees, GeometricOfCyclicShape) { expect_published_counts("T2"); }

TEST(PublishedTrees, Binomial) { expect_published_counts("T3"); }

TEST(PublishedTrees, Hybrid) { expect_published_counts("T4"); }

TEST(PublishedTrees, GeometricOfLinearShape) { expect_published_counts("T5"); }

TEST(WrongCounts, AreNoneIfTheCountsMatch) {
  const PublishedTree& tree = published("T1");
  EXPECT_EQ(wrong_counts(&tree, tree.counts), "");
}

TEST(WrongCounts, AreNoneIfNothingIsPublished) { EXPECT_EQ(wrong_counts(nullptr, {1, 2, 3}), ""); }

TEST(WrongCounts, NameTheTreeAndBothCounts) {
  EXPECT_EQ(wrong_counts(&published("T1"), {4130070, 3305118, 10}),
            "the tree T1 has 4130071 nodes, 3305118 leaves and depth 10; "
            "the search found 4130070 nodes, 3305118 leaves and depth 10");
}

TEST(WrongCounts, AreFoundInLeavesAndDepth) {
  EXPECT_NE(wrong_counts(&published("T1"), {4130071, 3305119, 10}), "");
  EXPECT_NE(wrong_counts(&published("T1"), {4130071, 3305118, 9}), "");
}

}}  // namespace uts
