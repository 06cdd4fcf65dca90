#pragma once

/// Phase 1 of S. Kahan's algorithm (J. Berry et al., "Software and Algorithms for Graph Queries on
/// Multithreaded Architectures", MTAAP 2007): parallel traversals start at all vertices that no
/// other has claimed, and label what they claim with their root. Where two of them meet, there is an
/// edge between their roots in the reduced graph.
///
/// How many traversals are in flight is bounded: they start in rounds, the next when all of the
/// last have ended. Each core divides its vertices into as many sections as it may start
/// traversals in a round, and starts one at the next unclaimed vertex of each, so that those of one
/// round begin far apart. With few, most meetings are between the same roots; with many, a graph of
/// long diameter is done sooner.
///
/// A meeting at an edge is seen from one of its ends. The end with the larger slot always visits the
/// other one; the one with the smaller slot does so only to claim the other, so not if its core has
/// visited that before: a vertex that has been visited is claimed.

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/root_pair.hpp"

#include <cstdint>

namespace cc {

/// Is told of a meeting, on the core where it is seen, by a handler: must not suspend, may spawn.
typedef void (*OnMeeting)(const RootPair& roots);

/// Labels each vertex of `g` with the root that has claimed it, roots with themselves. At most
/// `concurrent_roots` traversals are in flight, but at least one on each core. `on_meeting` is told
/// of each edge between vertices with different roots, once or twice; the scope of the caller waits
/// for what it spawns.
/// From: task, one at a time. Suspends. Messages: one of 16 bytes for each edge, and at most one
/// from each core for each vertex; 2 for each core and round. Memory: on each core a bit for each
/// slot.
void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, OnMeeting on_meeting);

}  // namespace cc
