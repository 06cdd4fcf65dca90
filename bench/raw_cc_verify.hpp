#pragma once

/// Verification of connected components in the memory of one process, from only the labels and the
/// input edges: every edge must join equal labels, and the number of different labels must be the
/// number of components of a serial union-find.

#include "bench/raw_csr.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>

namespace raw {

/// Counts the components by a serial union-find. Temporarily uses 4 bytes for each vertex.
int64_t count_components(int64_t nv, const Grappa::TupleEdge* edges, int64_t n);

/// Returns the broken rule, or null. `components` is the result of count_components. A label must
/// be the number of a vertex.
const char* broken_rule(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, const Vertex* labels,
                        int64_t components, int threads);

}  // namespace raw
