#pragma once

/// Phase 1 of S. Kahan's algorithm (J. Berry et al., "Software and Algorithms for Graph Queries on
/// Multithreaded Architectures", MTAAP 2007): parallel traversals start at unclaimed vertices, and
/// label each vertex that they claim with their root. If two traversals meet, the reduced graph has
/// an edge between their roots.
///
/// The number of traversals in flight is limited: traversals start in rounds, and a round starts
/// after all traversals of the previous round have finished. Each core divides its vertices into as
/// many sections as it may start traversals in a round, and starts one traversal at the next
/// unclaimed vertex of each section. The start vertices of one round are therefore far apart. With
/// few traversals, most cross edges join the same roots; with many, a graph of large diameter
/// finishes sooner.
///
/// A core claims each neighbour of its vertices only once. A traversal therefore does not see all
/// cross edges; these are collected after all vertices are claimed (cross_edges.hpp).

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/cross_edges.hpp"

#include <cstdint>

namespace cc {

/// Labels each vertex of `g` with the root that has claimed the vertex (a root with itself), and
/// calls `on_meeting` once for each edge between different roots. At most `concurrent_roots`
/// traversals are in flight, but at least one on each core.
/// From: task, one at a time. Suspends. Messages: at most one of 16 bytes from each core for each
/// vertex of another core, and 2 for the label of the vertex; 2 for each core and round. Memory: on
/// each core 3 bits for each slot, and one label for each neighbour of its vertices.
void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, OnMeeting on_meeting);

}  // namespace cc
