#pragma once

/// Classes of vertices, such as connected components. A linear array has the label of each vertex.
/// The label of a class is one of its vertices. All: From: task, one at a time. Suspends.

#include <Grappa.hpp>

#include "structures/graph/edge.hpp"

#include <map>

namespace apps {

/// Returns the number of vertices that are their own label.
int64_t count_classes(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv);

/// Returns the number of classes of each size, from correct labels. Messages: each core sends one
/// for each label of its vertices, and one for each different size.
std::map<int64_t, int64_t> class_sizes(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv);

/// Replaces each label by the smallest id in the class. Ids are those in `original` (linear) if it
/// is not null. Messages: four for each vertex.
void take_smallest_labels(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv,
                          Grappa::GlobalAddress<Grappa::VertexID> original);

}  // namespace apps
