#pragma once

/// Choice of the vertices to search from.

#include "apps/bfs/bfs_graph.hpp"

#include <vector>

namespace bfs {

/// `count` different vertices that have a neighbour, chosen at random by `seed`; all of them if the
/// graph has no more. The choice and its order do not depend on the number of cores: it is those
/// whose hash with the seed is smallest, in that order.
/// From: task, one at a time. Suspends. Messages: at most `count` from each core to the caller's.
std::vector<VertexID> choose_roots(GlobalAddress<SearchGraph> g, int64_t count, uint64_t seed);

}  // namespace bfs
