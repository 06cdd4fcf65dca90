#pragma once

/// The edges of a graph in which each endpoint is any vertex with the same probability, as with
/// `-u` of the GAP benchmark. (S. Beamer, K. Asanovic, D. Patterson, "The GAP Benchmark Suite",
/// 2015.) Self-loops and repeated edges occur and are kept.
///
/// Edge number i is a pure function of (nv, seed, i), so any core can generate any edge. A vertex
/// is the upper half of the product of a random word and nv. Words that would bias this choice are
/// rejected. (D. Lemire, "Fast Random Integer Generation in an Interval", 2019.)

#include "structures/graph/edge.hpp"
#include "structures/graph/make/philox.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Trivially copyable: a loop over all cores captures it by value.
class UniformGenerator {
 public:
  /// `nv` is the number of vertices, 1 or more.
  UniformGenerator(int64_t nv, uint64_t seed);

  /// Returns edge number `index` (0 or more).
  TupleEdge edge(int64_t index) const;

 private:
  uint64_t nv_;
  uint64_t refused_;  // words whose product has a smaller lower half are rejected
  PhiloxKey key_;
};

}  // namespace detail
}  // namespace Grappa
