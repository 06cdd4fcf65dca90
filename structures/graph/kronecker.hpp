#pragma once

/// Edges of a Kronecker graph as the Graph500 specification (version 1.2, "Kronecker generator")
/// asks for: at each of `scale` levels an edge falls into one quadrant of the adjacency matrix,
/// with probability A = 0.57, B = 0.19, C = 0.19, D = 0.05, and vertex labels are scrambled, so
/// that a label says nothing about a degree. Self-loops and repeated edges occur and stay.
///
/// Edge number i is a pure function of (scale, seeds, i): edges are independent of each other,
/// hence the specification's shuffle of the edge list is not needed, and any core can make any
/// edge. Scrambling is a bijection on [0, 2^scale): rounds of an odd multiplication, an addition
/// and a folding of the upper half onto the lower one, each of which can be undone.

#include "structures/graph/edge.hpp"
#include "structures/graph/philox.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Trivially copyable: a loop over all cores captures it by value.
class KroneckerGenerator {
 public:
  static constexpr int kMaxScale = 62;

  /// `scale` in 1 .. kMaxScale; the graph has 2^scale vertices.
  KroneckerGenerator(int scale, uint64_t seed1, uint64_t seed2);

  /// Edge number `index` (0 or more) with scrambled labels.
  TupleEdge edge(int64_t index) const;

  /// The same edge before scrambling: bit k of its ends shows the quadrant chosen at that level.
  TupleEdge unscrambled_edge(int64_t index) const;

  /// The label of vertex v; a bijection on [0, 2^scale).
  VertexID scramble(VertexID v) const;

 private:
  static constexpr int kScrambleRounds = 4;

  int scale_;
  PhiloxKey key_;
  uint64_t multiplier_[kScrambleRounds];  // odd
  uint64_t addend_[kScrambleRounds];
};

}  // namespace detail
}  // namespace Grappa
