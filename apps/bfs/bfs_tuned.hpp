#pragma once

/// The fastest search of this program, on one node and across nodes: direction-optimising
/// (direction_rule.hpp), with nothing between it and the lists of neighbours.
///
/// Top-down, each core expands its own vertices from a plain vector. It remembers in a bitmap over
/// all slots which vertices it has claimed, so that it sends at most one message for each vertex,
/// however many edges lead there, and it claims its own vertices at once. Bottom-up steps are those
/// of bottom_up.hpp. A reduction of two numbers ends a level: by what was found each core decides
/// alike on the next direction. Parents are slots, in 4 bytes where these fit, until they are
/// copied.

#include "apps/bfs/direction_rule.hpp"
#include "apps/bfs/search.hpp"

namespace bfs {

/// Memory: for each vertex the size of a slot; on each core 3 bits for each slot. Messages of a
/// search: from each core at most one of 8 bytes (16, where slots take 8) for each vertex of
/// others; for each bottom-up step a bit for each slot of a core to each other core; a reduction
/// and at most a barrier a level. From: task. Suspends.
std::unique_ptr<Search> tuned_search(GlobalAddress<SearchGraph> g, const DirectionOptions& options);

}  // namespace bfs
