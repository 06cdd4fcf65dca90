#pragma once

/// Weights for the edges of an unweighted graph. The weight is a symmetric function of the two
/// vertices, so both entries of an undirected edge have the same weight, on any number of cores.

#include "structures/graph/edge.hpp"
#include "structures/graph/make/generators.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {

/// Returns one of the weights 1 to `largest`, with equal probability.
inline int64_t edge_weight(VertexID one, VertexID other, uint64_t seed, int64_t largest) {
  const auto low = uint64_t(std::min(one, other)), high = uint64_t(std::max(one, other));
  const detail::PhiloxCounter random =
      detail::philox4x64(detail::PhiloxCounter{{low, high, 0, 0}}, detail::PhiloxKey{{seed, 0}});
  return 1 + static_cast<int64_t>(random.word[0] % static_cast<uint64_t>(largest));
}

}  // namespace Grappa
