#pragma once

/// Counts the traversed edges of a search where not every edge is checked. The count of edges for
/// each vertex is computed once for each graph.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::TupleGraph;
using Grappa::VertexID;

/// Returns, for each vertex, the number of edges of `graph` whose first end is the vertex, as a
/// linear array. The caller frees the array. From: task. Suspends. Messages: one for each edge.
GlobalAddress<int64_t> count_first_ends(const TupleGraph& graph);

struct Traversed {
  int64_t reached;  // vertices
  int64_t edges;    // input edges whose first end is a reached vertex
};

/// Counts the vertices and edges of a search with the result `parent` (linear, `nv` elements, -1 if
/// unreached). From: task, one at a time. Suspends. Messages: those of two reductions.
Traversed count_traversed(int64_t nv, GlobalAddress<VertexID> parent,
                          GlobalAddress<int64_t> first_ends);

}  // namespace bfs
