#pragma once

/// Breadth-first search, one level after the other, in its simple form: every core expands its own
/// vertices of the current level, and for each neighbour sends a delegate to the neighbour's owner.
/// The first to arrive becomes the parent and puts the vertex on the owner's next level. A vertex
/// is touched only by its owner, so there are no locks and no atomics, and nothing waits but the
/// end of a level.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace bfs {

using Grappa::GlobalAddress;
using Grappa::VertexID;

/// What the search keeps with each vertex.
struct Visit {
  VertexID parent;  // -1 until reached; the root is its own
};

typedef Grappa::Graph<Visit> SearchGraph;

/// Searches from `root` and leaves a tree in the parents. One search at a time.
/// From: task. Suspends. Messages: one of 16 bytes for each neighbour of each vertex reached, and
/// one reduction a level.
void search(GlobalAddress<SearchGraph> g, VertexID root);

/// parent[v] = parent of v, in a linear array of nv.
/// From: task. Suspends. Messages: one a vertex.
void copy_parents(GlobalAddress<SearchGraph> g, GlobalAddress<VertexID> parent);

}  // namespace bfs
