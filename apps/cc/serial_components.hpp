#pragma once

/// Components by a union-find on one core: what all parallel algorithms are compared with.

#include <Grappa.hpp>

#include "structures/graph/tuple_graph.hpp"

#include <cstdint>

namespace cc {

/// True if this core has room for it.
bool fits_one_core(int64_t nv);

/// The smallest vertex of the component of each vertex, linear, `graph.nv` long; the caller frees
/// it. From: task, one at a time. Suspends. Messages: one to this core for each edge, and one for
/// each vertex.
Grappa::GlobalAddress<Grappa::VertexID> serial_components(const Grappa::TupleGraph& graph);

}  // namespace cc
