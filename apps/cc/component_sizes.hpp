#pragma once

/// The sizes of components.

#include <Grappa.hpp>

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <map>

namespace cc {

/// Returns the number of components of each size. `label` is linear, with `nv` elements; all
/// vertices of a component must have the same label. From: task, one at a time. Suspends. Messages:
/// from each core one for each label of its vertices, and one for each different size.
std::map<int64_t, int64_t> component_sizes(Grappa::GlobalAddress<Grappa::VertexID> label,
                                           int64_t nv);

/// Replaces each label by the vertex of its component with the smallest id. Ids are taken from
/// `original` (linear) if that is not null. The result does not depend on the algorithm or the
/// number of cores. From: task. Suspends. Messages: four for each vertex.
void take_smallest_labels(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv,
                          Grappa::GlobalAddress<Grappa::VertexID> original);

}  // namespace cc
