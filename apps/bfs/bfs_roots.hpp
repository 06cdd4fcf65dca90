#pragma once

/// Choice of the vertices to search from.

#include "apps/bfs/search.hpp"

#include <vector>

namespace bfs {

/// Chooses `count` random vertices that have a neighbour, or all such vertices if there are fewer:
/// the vertices whose hashes with `seed` are smallest, in the order of hashes. The result does not
/// depend on the number of cores.
/// From: task, one at a time. Suspends. Messages: at most `count` from each core to the caller's
/// core.
std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed);

}  // namespace bfs
