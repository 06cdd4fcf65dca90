#include "apps/uts/uts_tree.hpp"

#include "bench/raw_uts.hpp"
#include "tests/apps/uts/trees.hpp"

#include <arpa/inet.h>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

namespace uts { namespace {

const Parameters kFixed = {Type::Geometric, Shape::Fixed, 4, 10, 0, 0, 19};

std::string hex(const Node& node) {
  std::string text;
  for (const uint32_t word : node.state) {
    char digits[9];
    std::snprintf(digits, sizeof digits, "%08x", ntohl(word));
    text += digits;
  }
  return text;
}

TEST(Tree, DerivesTheRootFromTheSeedAfter16Zeros) {
  const Node root = Tree(kFixed).root();
  EXPECT_EQ(hex(root), "c6988ab70cc9559ae4d6cba254e29a845a85f86b");
  EXPECT_EQ(root.depth, 0);
}

TEST(Tree, DerivesAChildFromItsParentAndIndex) {
  const Tree tree(kFixed);
  const Node root = tree.root();
  EXPECT_EQ(hex(tree.child(root, 0)), "2fb3131030280c1617a81d6a49c1e29effb19645");
  EXPECT_EQ(hex(tree.child(root, 256)), "b27c437447d200c75a07f6aaa1f8d80a5f8384bf");
  EXPECT_EQ(tree.child(tree.child(root, 0), 0).depth, 2);
}

TEST(Tree, HasTheKnownCountsForEachTypeAndShape) {
  for (const KnownTree& known : known_trees()) {
    expect_equal(raw::search(Tree(known.parameters)), known.counts);
  }
}

TEST(Tree, MayConsistOfTheRoot) {
  const KnownTree alone = tree_of_one_node();
  expect_equal(raw::search(Tree(alone.parameters)), alone.counts);
}

TEST(Tree, HasAtMost100GeometricChildrenPerNode) {
  // Without the limit, the root has 123 children.
  expect_equal(raw::search(Tree({Type::Geometric, Shape::Fixed, 100, 1, 0, 0, 19})), {101, 100, 1});
}

TEST(Tree, RoundsTheNumberOfChildrenOfABinomialRootDown) {
  expect_equal(raw::search(Tree({Type::Binomial, Shape::Linear, 1000.9, 0, 0, 8, 5})),
               {1001, 1000, 1});
}

}}  // namespace uts
