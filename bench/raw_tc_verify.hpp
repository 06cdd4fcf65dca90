#pragma once

/// Verification of triangle counting in the memory of one process, from only the input edges. The
/// code is shared with no measured program.

#include "structures/graph/edge.hpp"

#include <cstdint>

namespace raw {

/// Counts triangles serially (N. Chiba, T. Nishizeki, "Arboricity and Subgraph Listing Algorithms",
/// SIAM Journal on Computing 14, 1985): in the order of descending degrees, each vertex marks its
/// neighbours, looks for marks in their lists, and is deleted. Takes 16 bytes for each edge, and 8
/// more temporarily.
int64_t count_by_marks(int64_t nv, const Grappa::TupleEdge* edges, int64_t n);

}  // namespace raw
