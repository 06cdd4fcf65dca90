#include "apps/uts/uts_report.hpp"

#include <gtest/gtest.h>

namespace uts {
namespace {

RunResult run_of(const PublishedTree* published, const Counts& counts) {
  RunResult run = {};
  run.published = published;
  run.counts = counts;
  return run;
}

TEST(WrongCounts, AreNoneIfTheCountsMatch) {
  const PublishedTree* tree = find_published("T1");
  EXPECT_EQ(wrong_counts(run_of(tree, tree->counts)), "");
}

TEST(WrongCounts, AreNoneIfNothingIsPublished) {
  EXPECT_EQ(wrong_counts(run_of(nullptr, {1, 2, 3})), "");
}

TEST(WrongCounts, NameTheTreeAndBothCounts) {
  EXPECT_EQ(wrong_counts(run_of(find_published("T1"), {4130070, 3305118, 10})),
            "the tree T1 has 4130071 nodes, 3305118 leaves and depth 10; "
            "the search found 4130070 nodes, 3305118 leaves and depth 10");
}

TEST(WrongCounts, AreFoundInLeavesAndDepth) {
  EXPECT_NE(wrong_counts(run_of(find_published("T1"), {4130071, 3305119, 10})), "");
  EXPECT_NE(wrong_counts(run_of(find_published("T1"), {4130071, 3305118, 9})), "");
}

}  // namespace
}  // namespace uts
