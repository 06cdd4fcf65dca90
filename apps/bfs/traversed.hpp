#pragma once

/// What a search has traversed, where not every edge is looked at: what it has reached is looked up
/// in a count that is made once for each graph.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

/// How many edges of `graph` have each vertex for their first end, linear; the caller frees it.
/// From: task. Suspends. Messages: one for each edge.
GlobalAddress<int64_t> count_first_ends(const TupleGraph& graph);

struct Traversed {
  int64_t reached;  // vertices
  int64_t edges;    // input edges that begin there
};

/// Of a search that has left `parent` (linear, `nv` long, -1 where none was reached).
/// From: task, one at a time. Suspends. Messages: as two reductions.
Traversed count_traversed(int64_t nv, GlobalAddress<VertexID> parent,
                          GlobalAddress<int64_t> first_ends);

}  // namespace bfs
