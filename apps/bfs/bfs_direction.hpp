#pragma once

/// The direction-optimising search of S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing
/// Breadth-First Search", SC 2012, as the paper of this system runs it: top-down steps have their
/// frontier in a GlobalQueue, as bfs_queue.hpp; bottom-up steps have it in bitmaps (bottom_up.hpp).

#include "apps/bfs/direction_rule.hpp"
#include "apps/bfs/search.hpp"

#include "structures/combining.hpp"

namespace bfs {

/// Messages of a search: in top-down steps those of queue_search, in bottom-up steps a bit for each
/// vertex of a core to each other core, and a few a level. From: task. Suspends.
std::unique_ptr<Search> direction_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                                         const DirectionOptions& options);

}  // namespace bfs
