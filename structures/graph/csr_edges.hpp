#pragma once

/// The edges of a built graph as a list, for what wants edges: validation, relabelling, a file of
/// edges.

#include "structures/graph/csr.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"

namespace Grappa {

/// Each edge of a directed graph as it is, each edge of an undirected one once, with v0 < v1. The
/// same edges on any number of cores, in an order that depends on it. The caller destroys the list:
/// 16 bytes of the heap an edge. Ends the job where there is no room.
/// From: task. Suspends. Messages: those of memcpy, for each MiB of edges.
TupleGraph edges_of(GlobalAddress<detail::Csr> csr, bool directed);

}  // namespace Grappa
