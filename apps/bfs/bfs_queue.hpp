#pragma once

/// The search in its simplest form, as the paper has it (B. Holt et al., "Flat Combining
/// Synchronized Global Data Structures", PGAS 2013, section 5.2): the frontier is a GlobalQueue,
/// with a task for each of its vertices; whoever claims a neighbour first becomes its parent and
/// pushes it for the next level.

#include "apps/bfs/search.hpp"

#include "structures/combining.hpp"

namespace bfs {

/// Messages of a search: one of 16 bytes for each neighbour of each vertex reached, and those of
/// the queue for each vertex. From: task. Suspends.
std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode);

}  // namespace bfs
