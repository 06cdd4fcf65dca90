#include "bench/raw_uts.hpp"
#include "tests/apps/uts/trees.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace uts { namespace {

void expect_serial_counts(const Parameters& parameters) {
  const std::vector<Counts> by_core = search(parameters);
  EXPECT_EQ(by_core.size(), size_t(Grappa::cores()));
  expect_equal(total(by_core), raw::search(Tree(parameters)));
}

TEST(Search, CountsTreesOfEachTypeAndShapeLikeASerialSearch) {
  for (const KnownTree& known : known_trees()) expect_serial_counts(known.parameters);
}

TEST(Search, CountsARootAlone) { expect_serial_counts(tree_of_one_node().parameters); }

TEST(Search, CountsARootWithLeavesOnly) {
  expect_serial_counts({Type::Binomial, Shape::Linear, 2000, 0, 0, 1, 1});
}

TEST(Search, SearchesADeepNarrowTree) {
  // The tree has 83,803 nodes and 1,005 levels below the root.
  expect_serial_counts({Type::Binomial, Shape::Linear, 10, 0, 0.499, 2, 33});
}

TEST(Search, DoesNotDependOnThePreviousSearch) {
  const std::vector<KnownTree> known = known_trees();
  for (int k = 0; k < 3; ++k) {
    search(known.back().parameters);
    expect_serial_counts(known.front().parameters);
    expect_serial_counts(tree_of_one_node().parameters);
  }
}

TEST(Search, CountsManySmallTrees) {
  Parameters parameters = {Type::Geometric, Shape::Fixed, 3, 3, 0, 0, 0};
  for (parameters.seed = 0; parameters.seed < 100; ++parameters.seed) {
    expect_serial_counts(parameters);
  }
}

TEST(Total, AddsUpCountsAndTakesTheGreatestDepth) {
  expect_equal(total({{10, 4, 3}, {0, 0, 0}, {5, 2, 7}}), {15, 6, 7});
}

}}  // namespace uts
