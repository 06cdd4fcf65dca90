#include "bench/raw_uts.hpp"
#include "tests/apps/uts/trees.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace uts { namespace {

void expect_published_counts(const std::string& name) {
  const PublishedTree* tree = find_published(name);
  ASSERT_NE(tree, nullptr);
  expect_equal(raw::search(Tree(tree->parameters)), tree->counts);
}

TEST(PublishedTrees, GeometricOfFixedShape) { expect_published_counts("T1"); }

TEST(PublishedTrees, GeometricOfCyclicShape) { expect_published_counts("T2"); }

TEST(PublishedTrees, Binomial) { expect_published_counts("T3"); }

TEST(PublishedTrees, Hybrid) { expect_published_counts("T4"); }

TEST(PublishedTrees, GeometricOfLinearShape) { expect_published_counts("T5"); }

TEST(PublishedTrees, AreFoundByNameAndByParameters) {
  std::istringstream names(published_names());
  std::string name;
  int trees = 0;
  for (; names >> name; ++trees) {
    const PublishedTree* tree = find_published(name);
    ASSERT_NE(tree, nullptr) << name;
    EXPECT_EQ(tree->name, name);
    EXPECT_EQ(find_published(tree->parameters), tree);
  }
  EXPECT_EQ(trees, 8);
}

TEST(PublishedTrees, AreNotFoundByOtherNamesOrParameters) {
  EXPECT_EQ(find_published("T"), nullptr);
  EXPECT_EQ(find_published("t1"), nullptr);
  Parameters parameters = find_published("T4")->parameters;
  parameters.seed = 2;
  EXPECT_EQ(find_published(parameters), nullptr);
}

TEST(WrongCounts, AreNoneIfTheCountsMatch) {
  const PublishedTree* tree = find_published("T1");
  EXPECT_EQ(wrong_counts(tree, tree->counts), "");
}

TEST(WrongCounts, AreNoneIfNothingIsPublished) { EXPECT_EQ(wrong_counts(nullptr, {1, 2, 3}), ""); }

TEST(WrongCounts, NameTheTreeAndBothCounts) {
  EXPECT_EQ(wrong_counts(find_published("T1"), {4130070, 3305118, 10}),
            "the tree T1 has 4130071 nodes, 3305118 leaves and depth 10; "
            "the search found 4130070 nodes, 3305118 leaves and depth 10");
}

TEST(WrongCounts, AreFoundInLeavesAndDepth) {
  EXPECT_NE(wrong_counts(find_published("T1"), {4130071, 3305119, 10}), "");
  EXPECT_NE(wrong_counts(find_published("T1"), {4130071, 3305118, 9}), "");
}

}}  // namespace uts
