#pragma once

/// Shortest paths by delta-stepping (U. Meyer, P. Sanders, "Delta-Stepping: A Parallelizable
/// Shortest Path Algorithm", Journal of Algorithms 49, 2003). All edges are treated as light,
/// because a second pass for heavy edges was slower. All functions: From: task. Suspends.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace sssp {
using Grappa::GlobalAddress;
using Grappa::VertexID;

constexpr int64_t kUnreached = INT64_MAX;

struct State {
  int64_t distance, nearest;  // distance from the root; minimum over the edges (count_wrong)
};
typedef Grappa::Graph<State, uint8_t> WeightedGraph;  // the data of an edge is its weight, above 0

/// Computes the distances. `delta` is the width of a bucket.
void find_distances(GlobalAddress<WeightedGraph> g, VertexID root, int64_t delta);

/// Counts wrong distances: not 0 at the root, or not the minimum over all edges. May be called only
/// once after each search.
int64_t count_wrong(GlobalAddress<WeightedGraph> g, VertexID root);

}  // namespace sssp
