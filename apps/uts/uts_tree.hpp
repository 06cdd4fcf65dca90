#pragma once

/// The trees of the Unbalanced Tree Search benchmark: S. Olivier, J. Huan, J. Liu, J. Prins,
/// J. Dinan, P. Sadayappan, C. Tseng, "UTS: An Unbalanced Tree Search Benchmark", LCPC 2006.
///
/// A tree is a function of a few parameters and is not stored. A node is 20 bytes of SHA-1: the
/// hash of its parent and of its index among the children. The number of its children is a random
/// function of these bytes. Any core that has a node can search its subtree. The size of the
/// subtree is not known without a search.
///
/// Binomial: the root has b0 children; any other node has m children with probability q, otherwise
/// none. The mean size of a subtree does not depend on its depth, and the variance is very large.
/// Geometric: the number of children is geometrically distributed, with a mean that depends only on
/// the depth. Hybrid: geometric in the upper half of gen_mx levels, binomial below.

#include <cstdint>
#include <vector>

namespace uts {

enum class Type { Binomial, Geometric, Hybrid };

/// The mean number of children of a geometric node as a function of its depth; the mean at the root
/// is b0. Fixed: b0 down to depth gen_mx. Linear: decreases from b0 to 0 at depth gen_mx. Cyclic:
/// b0 to the power of a sine with period gen_mx, down to depth 5 * gen_mx.
enum class Shape { Fixed, Linear, Cyclic };

/// Parameters that a type does not use are zero, and the shape is Linear: equal trees have equal
/// parameters.
struct Parameters {
  Type type;
  Shape shape;     // not for binomial trees
  double b0;       // children of the root; the mean number if the root is geometric
  int64_t gen_mx;  // not for binomial trees
  double q;        // not for geometric trees
  int64_t m;       // not for geometric trees
  int64_t seed;
};

/// The result of a search.
struct Counts {
  int64_t nodes;
  int64_t leaves;
  int64_t depth;  // depth of the deepest node; the root has depth 0
};

struct Node {
  uint8_t state[20];
  int32_t depth;
  int32_t children;
};

class Tree {
 public:
  explicit Tree(const Parameters& parameters);

  Node root() const;

  /// `index` is 0 to parent.children - 1.
  Node child(const Node& parent, int32_t index) const;

  /// Mean number of nodes of trees with these parameters, over all seeds; may be infinite.
  double expected_nodes() const;

 private:
  int64_t geometric_levels() const;
  double mean_children(int64_t depth) const;
  int32_t draw_children(const Node& node) const;

  const Parameters parameters_;
  std::vector<double> log_of_another_;  // by depth, for geometric nodes: log of P(one more child)
};

}  // namespace uts
