#pragma once

/// The graph whose components are looked for, and what is kept with each vertex.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace cc {

using Grappa::GlobalAddress;
using Grappa::VertexID;

struct Mark {
  VertexID label;  // a vertex of the same component; kNoLabel until claimed
};
constexpr VertexID kNoLabel = -1;

typedef Grappa::Graph<Mark> LabelGraph;
typedef LabelGraph::Vertex Vertex;

/// label[v] = that of v, in a linear array of nv.
/// From: task. Suspends. Messages: one a vertex.
void copy_labels(GlobalAddress<LabelGraph> g, GlobalAddress<VertexID> label);

}  // namespace cc
