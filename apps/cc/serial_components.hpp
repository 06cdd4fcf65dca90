#pragma once

/// A union-find on one core: the reference for all parallel algorithms.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

#include <cstdint>

namespace cc {

/// True if this core has enough memory for serial_components().
bool fits_one_core(int64_t nv);

/// Returns the smallest vertex of the component of each vertex, as a linear array of `graph.nv`
/// elements, which the caller frees. From: task, one at a time. Suspends. Messages: one to this
/// core for each edge, and one for each vertex.
Grappa::GlobalAddress<Grappa::VertexID> serial_components(const Grappa::TupleGraph& graph);

}  // namespace cc
