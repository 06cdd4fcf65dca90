#pragma once

/// How large components are.

#include <Grappa.hpp>

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <map>

namespace cc {

/// How many components have each size, by size. `label` is linear, `nv` long: the same vertex for
/// all of a component. From: task, one at a time. Suspends. Messages: from each core one for each
/// label that other vertices of this core have, and one for each different size.
std::map<int64_t, int64_t> component_sizes(Grappa::GlobalAddress<Grappa::VertexID> label,
                                           int64_t nv);

/// Replaces each label by the smallest vertex of its component, as `original` (linear; or null)
/// names vertices: so labels do not depend on the algorithm or on the number of cores.
/// From: task. Suspends. Messages: four for each vertex.
void take_smallest_labels(Grappa::GlobalAddress<Grappa::VertexID> label, int64_t nv,
                          Grappa::GlobalAddress<Grappa::VertexID> original);

}  // namespace cc
