#pragma once

/// The simplest form of the search (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2). The frontier is a GlobalQueue, with one task for each
/// vertex. The first vertex that claims a neighbour becomes its parent and pushes the neighbour for
/// the next level.

#include "apps/bfs/search.hpp"

#include "structures/combining.hpp"

namespace bfs {

/// Messages of a search: one of 16 bytes for each neighbour of each reached vertex, and those of
/// the queue for each vertex. From: task. Suspends.
std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode);

}  // namespace bfs
