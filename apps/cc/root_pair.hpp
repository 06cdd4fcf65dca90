#pragma once

/// An edge of the reduced graph: the roots of two traversals that have met.

#include "structures/graph/edge.hpp"

#include <cstddef>
#include <cstdint>

namespace cc {

struct RootPair {
  Grappa::VertexID low;
  Grappa::VertexID high;

  /// The pair of two different roots, given in any order.
  static RootPair of(Grappa::VertexID a, Grappa::VertexID b) {
    return a < b ? RootPair{a, b} : RootPair{b, a};
  }

  bool operator==(const RootPair& other) const { return low == other.low && high == other.high; }
};

struct RootPairHash {
  size_t operator()(const RootPair& pair) const {
    // Roots are often multiples of a power of two, and hash tables use the lower bits. The upper
    // bits are therefore folded in.
    const uint64_t mixed = static_cast<uint64_t>(pair.low) * 0x9E3779B97F4A7C15u ^
                           static_cast<uint64_t>(pair.high) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<size_t>(mixed ^ mixed >> 32);
  }
};

}  // namespace cc
