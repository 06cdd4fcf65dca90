#pragma once

/// The start vertices of programs that search a graph.

#include <Grappa.hpp>

#include "structures/graph/csr/csr.hpp"

#include <vector>

namespace apps {

/// Chooses `count` random vertices that have a neighbour, or all such vertices if there are fewer,
/// in the order of root_order.hpp. From: task, one at a time. Suspends. Messages: at most `count`
/// from each core to the caller's core.
std::vector<Grappa::VertexID> choose_roots(Grappa::GlobalAddress<Grappa::detail::Csr> lists,
                                           int64_t count, uint64_t seed);

}  // namespace apps
