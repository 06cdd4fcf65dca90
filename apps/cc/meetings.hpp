#pragma once

/// Where the traversals of phase 1 have met (traversals.hpp): the edges whose ends have different
/// roots.
///
/// They are looked for when each vertex has its root: each core gets the labels of all vertices
/// that its own lead to (ghost_labels.hpp) and looks at each edge once, at either end.

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/root_pair.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// Is told of a meeting, on the core where it is seen, by one of many tasks. May suspend.
typedef void (*OnMeeting)(const RootPair& roots);

/// Tells `on_meeting` of the edges of `g` between different roots of which this core is in charge:
/// on all cores together, of each once. `asked` has a bit for each slot, set if a vertex of this
/// core leads there: bit b of `asked[w]` is that of slot 64 w + b.
/// From: task, one on each core. Suspends. Messages: 2 for each vertex of another core that is
/// asked. Memory: on each core 2 bits for each slot, and a label for each that is asked.
void tell_meetings(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                   OnMeeting on_meeting);

}  // namespace cc
