#include "system/parallel/collective_tree.hpp"
#include "tests/harness/random_seed.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;
using detail::CollectiveTree;

/// The topology of a job in which core k belongs to locale locale_of[k].
Topology job_of(const std::vector<Locale>& locale_of) {
  Topology topology;
  topology.cores = static_cast<Core>(locale_of.size());
  topology.locales = 0;
  topology.locale_of = locale_of;
  for (const Locale locale : locale_of) {
    topology.locales = std::max(topology.locales, static_cast<Locale>(locale + 1));
  }
  return topology;
}

/// The topology of a job with `each` consecutive cores in each locale.
Topology job_of_rows(int locales, int each) {
  std::vector<Locale> locale_of;
  for (int core = 0; core < locales * each; ++core) {
    locale_of.push_back(static_cast<Locale>(core / each));
  }
  return job_of(locale_of);
}

std::vector<CollectiveTree> trees_of(Topology topology) {
  std::vector<CollectiveTree> trees;
  for (int core = 0; core < topology.cores; ++core) {
    topology.mycore = static_cast<Core>(core);
    trees.push_back(CollectiveTree(topology));
  }
  return trees;
}

size_t at(int index) { return static_cast<size_t>(index); }

/// Appends a core and its subtree in the order in which their values are combined.
void append_subtree(const std::vector<CollectiveTree>& trees, Core core, std::vector<Core>* order) {
  order->push_back(core);
  const std::vector<Core>& branches = trees[at(core)].branches;
  EXPECT_EQ(core, branches[0]);
  for (size_t k = 1; k < branches.size(); ++k) {
    EXPECT_EQ(core, trees[at(branches[k])].parent);
    append_subtree(trees, branches[k], order);
  }
}

/// Checks that the views of all cores agree. Returns the order in which values are combined.
std::vector<Core> order_of(const Topology& topology) {
  const std::vector<CollectiveTree> trees = trees_of(topology);
  std::vector<Core> order;
  for (int core = 0; core < topology.cores; ++core) {
    if (trees[at(core)].parent < 0) append_subtree(trees, static_cast<Core>(core), &order);
  }
  return order;
}

/// Checks that all cores belong to one tree. The tree must combine the values of each locale in the
/// order of its cores.
void expect_one_tree(const Topology& topology) {
  std::vector<Core> expected;
  for (int core = 0; core < topology.cores; ++core) expected.push_back(static_cast<Core>(core));
  std::stable_sort(expected.begin(), expected.end(), [&topology](Core left, Core right) {
    return topology.locale_of[at(left)] < topology.locale_of[at(right)];
  });
  EXPECT_EQ(expected, order_of(topology)) << "values would be lost or reordered";
}

TEST(CollectiveTree, IsOneTreeOverAllCores) {
  for (const int locales : {1, 2, 3, 4, 5, 8, 13, 64}) {
    for (const int each : {1, 2, 3, 15, 16, 17, 18, 33, 64}) {
      SCOPED_TRACE(testing::Message() << locales << " locales of " << each << " cores");
      expect_one_tree(job_of_rows(locales, each));
    }
  }
  expect_one_tree(job_of_rows(1, 300));  // this tree has three levels
}

TEST(CollectiveTree, TakesLocalesOfDifferentSizesAndCoresInAnyOrder) {
  const auto seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int turn = 0; turn < 20; ++turn) {
    std::vector<Locale> locale_of;
    Locale locales = 0;  // locales are always numbered in the order of their first cores
    for (int core = 0; core < 100; ++core) {
      const auto locale = static_cast<Locale>(random() % 8);
      locale_of.push_back(std::min(locale, locales));
      if (locale_of.back() == locales) ++locales;
    }
    expect_one_tree(job_of(locale_of));
  }
}

TEST(CollectiveTree, PutsTheCoresOfALocaleTogether) {
  EXPECT_EQ((std::vector<Core>{0, 2, 4, 1, 3}), order_of(job_of({0, 1, 0, 1, 0})));
}

TEST(CollectiveTree, LeavesALocaleThroughItsFirstCoreOnly) {
  const Topology topology = job_of_rows(16, 40);
  const std::vector<CollectiveTree> trees = trees_of(topology);
  for (int core = 0; core < topology.cores; ++core) {
    const Core parent = trees[at(core)].parent;
    const bool leader = core % 40 == 0;
    if (parent < 0) continue;
    EXPECT_EQ(!leader, topology.locale_of[at(parent)] == topology.locale_of[at(core)]);
    EXPECT_TRUE(!leader || parent % 40 == 0) << "a locale is entered through its first core";
  }
}

TEST(CollectiveTree, GivesNoCoreManyBranches) {
  // A core has one branch for itself, up to 15 branches on each level of the tree in its locale,
  // and up to log2(locales) branches to other locales.
  EXPECT_EQ(1u + 15u, trees_of(job_of_rows(1, 16))[0].branches.size());
  EXPECT_EQ(1u + 15u + 3u, trees_of(job_of_rows(1, 64))[0].branches.size());
  EXPECT_EQ(1u + 6u, trees_of(job_of_rows(64, 1))[0].branches.size());
  EXPECT_EQ(1u + 3u + 5u, trees_of(job_of_rows(32, 4))[0].branches.size());
  for (const CollectiveTree& tree : trees_of(job_of_rows(32, 64))) {
    EXPECT_LE(tree.branches.size(), 1u + 15u + 3u + 5u);
  }
}

TEST(CollectiveTree, OfOneCoreIsThatCore) {
  const CollectiveTree tree = CollectiveTree(job_of_rows(1, 1));
  EXPECT_EQ(-1, tree.parent);
  EXPECT_EQ(1u, tree.branches.size());
}

}  // namespace
