#pragma once

/// The direction-optimising search of S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing
/// Breadth-First Search", SC 2012. In top-down steps the frontier is a GlobalQueue (as in
/// bfs_queue.hpp); in bottom-up steps the frontier is a bitmap on each core (bottom_up.hpp).

#include "apps/bfs/direction_rule.hpp"
#include "apps/bfs/search.hpp"

#include "structures/combining.hpp"

namespace bfs {

/// Messages: in top-down steps those of queue_search; in bottom-up steps one bit for each vertex of
/// a core to each other core, and a few for each level. From: task. Suspends.
std::unique_ptr<Search> direction_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                                         const DirectionOptions& options);

}  // namespace bfs
