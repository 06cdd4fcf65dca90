#pragma once

/// The edges of a Kronecker graph as defined by the Graph500 specification (version 1.2, "Kronecker
/// generator"). At each of `scale` levels an edge falls into one quadrant of the adjacency matrix,
/// with the probabilities A = 0.57, B = 0.19, C = 0.19, D = 0.05. Vertex labels are scrambled, to
/// make them independent of degrees. Self-loops and repeated edges occur and are kept.
///
/// Edge number i is a pure function of (scale, seeds, i), so any core can generate any edge. Edges
/// are independent of each other, so the specification's shuffle of the edge list is not needed.
/// Scrambling is a bijection on [0, 2^scale): each round is an odd multiplication, an addition, and
/// an exclusive-or of the upper half onto the lower half, and each of these steps is invertible.

#include "structures/graph/edge.hpp"
#include "structures/graph/make/philox.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Trivially copyable: a loop over all cores captures it by value.
class KroneckerGenerator {
 public:
  static constexpr int kMaxScale = 62;

  /// `scale` in 1 .. kMaxScale; the graph has 2^scale vertices.
  KroneckerGenerator(int scale, uint64_t seed1, uint64_t seed2);

  /// Returns edge number `index` (0 or more) with scrambled labels.
  TupleEdge edge(int64_t index) const;

  /// The same edge before scrambling: bit k of its vertices encodes the quadrant of that level.
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
