#pragma once

/// Weights for edges that come without: a function of the ends of an edge, in any order, so that
/// both entries of an undirected edge have the same one, on any number of cores.

#include "structures/graph/edge.hpp"
#include "structures/graph/philox.hpp"

#include <algorithm>
#include <cstdint>

namespace Grappa {

/// 1 to `largest`, each as likely as the others.
inline int64_t edge_weight(VertexID one, VertexID other, uint64_t seed, int64_t largest) {
  const uint64_t low = static_cast<uint64_t>(std::min(one, other));
  const uint64_t high = static_cast<uint64_t>(std::max(one, other));
  const detail::PhiloxCounter random =
      detail::philox4x64(detail::PhiloxCounter{{low, high, 0, 0}}, detail::PhiloxKey{{seed, 0}});
  return 1 + static_cast<int64_t>(random.word[0] % static_cast<uint64_t>(largest));
}

}  // namespace Grappa
