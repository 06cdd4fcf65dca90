#pragma once

/// The edges of a built graph as a list, for validation, relabelling or a file of edges.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"

namespace Grappa {

/// Returns each edge of a directed graph, or each edge of an undirected graph once, with v0 < v1.
/// Only their order depends on the number of cores. The caller must destroy the list. Aborts if the
/// heap is full. From: task. Suspends: until done. Messages: for each MiB of edges, as memcpy.
TupleGraph edges_of(GlobalAddress<detail::Csr> csr, bool directed);

}  // namespace Grappa
