#pragma once

/// The edges of a built graph as a list, for validation, relabelling or a file of edges.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"

namespace Grappa {

/// Returns each edge of a directed graph, or each edge of an undirected graph once, with v0 < v1.
/// Only the order of the edges depends on the number of cores. The caller must destroy the list. If
/// the heap is too small, the job aborts. From: task. Suspends. Messages: those of memcpy, for each
/// MiB of edges.
TupleGraph edges_of(GlobalAddress<detail::Csr> csr, bool directed);

}  // namespace Grappa
