#pragma once

/// The trees of the Unbalanced Tree Search benchmark: S. Olivier, J. Huan, J. Liu, J. Prins,
/// J. Dinan, P. Sadayappan, C. Tseng, "UTS: An Unbalanced Tree Search Benchmark", LCPC 2006.
///
/// A tree is a function of a few parameters and is nowhere stored. A node is 20 bytes of SHA-1: a
/// child's are the hash of its parent's and of its place among the children, and how many children
/// it has in turn is drawn from them. So whoever has a node can search below it, on any core, and
/// nobody can tell how much there is without doing so.
///
/// Binomial: the root has b0 children, any other node m with probability q and otherwise none. The
/// tree below a node is as large on average wherever the node is, and its variance is huge.
/// Geometric: the number of children is geometrically distributed, with a mean that depends on the
/// depth alone. Hybrid: geometric above half of gen_mx, binomial from there on.

#include <cstdint>
#include <vector>

namespace uts {

enum class Type { Binomial, Geometric, Hybrid };

/// How the mean number of children of a geometric node follows from its depth; at the root it is
/// b0. Fixed: b0 down to gen_mx. Linear: falls from b0 to 0 at gen_mx. Cyclic: b0 to the power of a
/// sine with period gen_mx, down to five times that.
enum class Shape { Linear, Cyclic, Fixed };

/// What a type does not use is zero (Shape::Linear), so that equal trees have equal parameters.
struct Parameters {
  Type type;
  Shape shape;     // not binomial
  double b0;       // children of the root; on average, if it is geometric
  int64_t gen_mx;  // not binomial
  double q;        // not geometric
  int64_t m;       // not geometric
  int64_t seed;
};

/// What a search finds out.
struct Counts {
  int64_t nodes;
  int64_t leaves;
  int64_t depth;  // of the deepest node; the root's is 0
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

  /// How many nodes trees of these parameters have on average over all seeds; may be infinite.
  double expected_nodes() const;

 private:
  int64_t geometric_levels() const;
  double mean_children(int64_t depth) const;
  int32_t draw_children(const Node& node) const;

  const Parameters parameters_;
  std::vector<double> log_of_another_;  // by depth of a geometric node: of P(has one child more)
};

}  // namespace uts
