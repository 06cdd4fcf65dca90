#pragma once

/// Edges of a graph in which each end is any vertex with the same probability, as the GAP
/// benchmark's `-u` asks for. (S. Beamer, K. Asanovic, D. Patterson, "The GAP Benchmark Suite",
/// 2015.) Self-loops and repeated edges occur and stay.
///
/// Edge number i is a pure function of (nv, seed, i), so any core can make any edge. A vertex is a
/// random word times nv, its upper half; words that would give some vertices more than others are
/// drawn again. (D. Lemire, "Fast Random Integer Generation in an Interval", 2019.)

#include "structures/graph/edge.hpp"
#include "structures/graph/philox.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Trivially copyable: a loop over all cores captures it by value.
class UniformGenerator {
 public:
  /// `nv`, 1 or more, vertices.
  UniformGenerator(int64_t nv, uint64_t seed);

  /// Edge number `index` (0 or more).
  TupleEdge edge(int64_t index) const;

 private:
  uint64_t nv_;
  uint64_t refused_;  // words whose product has a lower half below this are drawn again
  PhiloxKey key_;
};

}  // namespace detail
}  // namespace Grappa
