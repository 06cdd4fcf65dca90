#pragma once

/// Small trees of all types.

#include "apps/uts/uts_tree.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace uts {

struct KnownTree {
  Parameters parameters;
  Counts counts;
};

/// The counts were computed by an independent Python program, which follows the description in the
/// paper.
inline std::vector<KnownTree> known_trees() {
  return {
      {{Type::Geometric, Shape::Fixed, 4, 5, 0, 0, 7}, {7949, 6338, 5}},
      {{Type::Geometric, Shape::Linear, 4, 9, 0, 0, 1}, {3735, 2110, 9}},
      {{Type::Geometric, Shape::Cyclic, 3, 6, 0, 0, 7}, {2004, 1133, 31}},
      {{Type::Binomial, Shape::Linear, 100, 0, 0.12, 8, 3}, {6469, 5672, 68}},
      {{Type::Hybrid, Shape::Linear, 6, 7, 0.23, 4, 1}, {12399, 9317, 73}},
  };
}

/// A tree whose root has no children.
inline KnownTree tree_of_one_node() {
  return {{Type::Geometric, Shape::Fixed, 4, 5, 0, 0, 2}, {1, 1, 0}};
}

inline void expect_equal(const Counts& found, const Counts& right) {
  EXPECT_EQ(found.nodes, right.nodes);
  EXPECT_EQ(found.leaves, right.leaves);
  EXPECT_EQ(found.depth, right.depth);
}

}  // namespace uts
