#pragma once

/// The graph to search, and the result of a search for each vertex.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::VertexID;

/// Data of a search for each vertex.
struct Visit {
  VertexID parent;  // -1 until the vertex is reached; the root is its own parent
};

typedef Grappa::Graph<Visit> SearchGraph;

/// Copies the parent of each vertex v to parent[v], in a linear array of nv elements.
/// From: task. Suspends. Messages: one for each vertex.
void copy_parents(GlobalAddress<SearchGraph> g, GlobalAddress<VertexID> parent);

}  // namespace bfs
