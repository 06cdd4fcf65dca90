#pragma once

/// The graph that is searched, and what each search leaves in it.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::VertexID;

/// What a search keeps with each vertex.
struct Visit {
  VertexID parent;  // -1 until reached; the root is its own
};

typedef Grappa::Graph<Visit> SearchGraph;

/// parent[v] = parent of v, in a linear array of nv.
/// From: task. Suspends. Messages: one a vertex.
void copy_parents(GlobalAddress<SearchGraph> g, GlobalAddress<VertexID> parent);

}  // namespace bfs
