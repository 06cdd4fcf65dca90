#pragma once

/// Classes of vertices, such as connected components. A linear array has the label of each vertex,
/// a number from 0 to nv - 1. All: From: task, one at a time. Suspends.

#include <Grappa.hpp>

#include "apps/common/input_edges.hpp"

#include <map>

namespace apps {

/// Returns the number of vertices that are their own label: the number of classes, if the label of
/// each class is one of its vertices.
int64_t count_classes(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv);

/// Returns the number of classes of each size. Messages: each core sends one for each label of its
/// vertices, and one for each different size. Memory: 8 bytes for each vertex, and some 40 bytes on
/// each core for each label of its vertices.
std::map<int64_t, int64_t> class_sizes(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv);

/// Replaces each label by the smallest id in the class, whose label must be one of its vertices.
/// Ids are those in `original` (linear) if it is not null. Messages: four for each vertex.
void take_smallest_labels(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv,
                          Grappa::GlobalAddress<Grappa::VertexID> original);

/// Finds connected components by a union-find on the core of the caller. Returns a linear array
/// with the smallest vertex of each vertex's component, which the caller frees. Messages: one to
/// this core for each edge, and one for each vertex. Memory on this core:
/// serial_components_bytes().
Grappa::GlobalAddress<Grappa::VertexID> serial_components(const InputEdges& edges);
double serial_components_bytes(int64_t nv);

}  // namespace apps
