#pragma once

/// Phase 1 of S. Kahan's algorithm (J. Berry et al., "Software and Algorithms for Graph Queries on
/// Multithreaded Architectures", MTAAP 2007): parallel traversals start at all vertices that no
/// other has claimed, and label what they claim with their root. Where two of them meet, there is
/// an edge between their roots in the reduced graph.
///
/// How many traversals are in flight is bounded: they start in rounds, the next when all of the
/// last have ended. Each core divides its vertices into as many sections as it may start
/// traversals in a round, and starts one at the next unclaimed vertex of each, so that those of one
/// round begin far apart. With few, most meetings are between the same roots; with many, a graph
/// of long diameter is done sooner.
///
/// A core asks once for each vertex that its vertices lead to, however many edges do. So a
/// traversal does not see all that it meets; meetings are looked for when all is claimed
/// (meetings.hpp).

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/meetings.hpp"

#include <cstdint>

namespace cc {

/// Labels each vertex of `g` with the root that has claimed it, roots with themselves, and tells
/// `on_meeting` of each edge between different roots, once. At most `concurrent_roots` traversals
/// are in flight, but at least one on each core.
/// From: task, one at a time. Suspends. Messages: at most one of 16 bytes from each core for each
/// vertex of another one, and 2 more for its label; 2 for each core and round. Memory: on each core
/// 3 bits for each slot, and a label for each vertex that its own lead to.
void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, OnMeeting on_meeting);

}  // namespace cc
