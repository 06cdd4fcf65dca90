#pragma once

/// The graph for the search of components, and the data for each vertex.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace cc {

using Grappa::GlobalAddress;
using Grappa::VertexID;

struct Mark {
  VertexID label;  // a vertex of the same component; kNoLabel until a traversal claims the vertex
};
constexpr VertexID kNoLabel = -1;

typedef Grappa::Graph<Mark> LabelGraph;
typedef LabelGraph::Vertex Vertex;

/// Copies the label of each vertex v to label[v], in a linear array of nv elements.
/// From: task. Suspends. Messages: one for each vertex.
void copy_labels(GlobalAddress<LabelGraph> g, GlobalAddress<VertexID> label);

}  // namespace cc
