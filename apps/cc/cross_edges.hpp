#pragma once

/// Cross edges: edges whose ends have different roots, because two traversals of phase 1 have met
/// (traversals.hpp).
///
/// The search for cross edges starts when each vertex has its root. Each core gets the labels of
/// all neighbours of its vertices (ghost_labels.hpp) and checks each edge once, at one of its ends.

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/root_pair.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// Called for each cross edge, on the core that finds it, by one of many tasks. May suspend.
typedef void (*OnMeeting)(const RootPair& roots);

/// Calls `on_meeting` for each cross edge of `g` whose deciding end is on this core: over all
/// cores, once for each cross edge. `asked` has one bit for each slot, set if a vertex of this core
/// has the slot as a neighbour: bit b of `asked[w]` is slot 64 w + b.
/// From: task, one on each core. Suspends. Messages: 2 for each such vertex of another core.
/// Memory: on each core 2 bits for each slot, and one label for each set bit.
void report_cross_edges(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                        OnMeeting on_meeting);

}  // namespace cc
