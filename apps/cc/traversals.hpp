#pragma once

/// Phase 1 of S. Kahan's algorithm (J. Berry et al., "Software and Algorithms for Graph Queries on
/// Multithreaded Architectures", MTAAP 2007): parallel traversals start at all vertices that no
/// other has claimed, and label what they claim with their root. Where two of them meet, the pair
/// of their roots is recorded: an edge of the reduced graph.
///
/// How many traversals are in flight is bounded: they start in rounds, the next when all of the
/// last have ended. Each core divides its vertices into as many sections as it may start
/// traversals in a round, and starts one at the next unclaimed vertex of each, so that those of one
/// round begin far apart. With few, most meetings are between the same roots; with many, the graph
/// is done in less time where its diameter is long.

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/root_pair.hpp"

#include <cstdint>

namespace cc {

/// Records a batch of meetings of this core. Runs in a task, and may suspend.
typedef void (*RecordMeetings)(const RootPair* met, int64_t count);

/// Labels each vertex of `g` with the root that has claimed it, roots with themselves. `record` is
/// called on every core with what has met there, the same pair any number of times; at most
/// `concurrent_roots` traversals are in flight, but at least one on each core.
/// From: task, one at a time. Suspends: until all is labelled and recorded. Messages: one of 16
/// bytes for each neighbour of each vertex; 2 for each core and round.
void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, RecordMeetings record);

}  // namespace cc
