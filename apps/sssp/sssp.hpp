#pragma once

/// Shortest paths by delta-stepping (U. Meyer, P. Sanders, "Delta-Stepping: A Parallelizable
/// Shortest Path Algorithm", Journal of Algorithms 49, 2003). All edges count as light: to relax
/// heavy ones apart, in a second pass over each list, was slower. All: From: task. Suspends.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace sssp {
using Grappa::GlobalAddress;
using Grappa::VertexID;

constexpr int64_t kUnreached = INT64_MAX;

struct State {
  int64_t distance, nearest;  // from the root; the same by the best edge, for count_wrong()
};
typedef Grappa::Graph<State, uint8_t> WeightedGraph;  // an edge has its weight, above 0

/// Sets the distances; `delta` is the width of a bucket.
void find_distances(GlobalAddress<WeightedGraph> g, VertexID root, int64_t delta);

/// How many differ from 0 at the root, or from the best by an edge elsewhere; once a search.
int64_t count_wrong(GlobalAddress<WeightedGraph> g, VertexID root);

}  // namespace sssp
