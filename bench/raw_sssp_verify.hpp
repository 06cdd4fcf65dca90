#pragma once

/// Verification of shortest paths in the memory of one process, from only the distances and the
/// input edges. The code is independent of the measured programs.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <vector>

namespace raw {

class DistanceCheck {
 public:
  /// Computes the weights (Grappa::edge_weight) of the `n` edges, without self-loops. Takes 12
  /// bytes for each edge.
  DistanceCheck(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, uint64_t weight_seed,
                int64_t largest_weight);

  /// Returns null if the distances are right: 0 at the root, and elsewhere the minimum over all
  /// edges of the distance of the other end plus the weight. `unreached` is the distance of
  /// vertices without a path. Otherwise returns the broken rule. Because all weights are positive,
  /// only the right distances satisfy these rules.
  const char* broken_rule(const uint32_t* distances, uint32_t unreached, int64_t root) const;

 private:
  struct Weighted {
    int32_t v, w;
    uint32_t weight;
  };

  const int64_t nv_;
  std::vector<Weighted> edges_;
};

}  // namespace raw
