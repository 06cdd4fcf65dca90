#pragma once

/// The fastest search of this program, on one node and across nodes: direction-optimising
/// (direction_rule.hpp), with direct access to the lists of neighbours.
///
/// In top-down steps, each core expands its own vertices from a plain vector and claims its own
/// vertices at once. A bitmap over all slots records which vertices the core has claimed; a core
/// therefore sends at most one claim for each vertex. Bottom-up steps are those of bottom_up.hpp.
/// Each level ends with a reduction of two numbers, from which every core computes the same next
/// direction. Parents are stored as slots, in 4 bytes if slots fit, until they are copied.

#include "apps/bfs/direction_rule.hpp"
#include "apps/bfs/search.hpp"

namespace bfs {

/// Memory: one slot for each vertex, and on each core 3 bits for each slot. Messages: in a search,
/// at most one of 8 bytes (16 if a slot has 8 bytes) from each core for each vertex of another
/// core; in a bottom-up step, one bit for each slot of a core to each other core; at each level,
/// one reduction and at most one barrier. From: task. Suspends.
std::unique_ptr<Search> tuned_search(GlobalAddress<SearchGraph> g, const DirectionOptions& options);

}  // namespace bfs
