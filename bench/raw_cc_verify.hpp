#pragma once

/// Judges the components of a graph in the memory of one process, from nothing but the labels and
/// the edges that went into the graph: every edge joins equal labels, and there are as many
/// different labels as a serial union-find has found components.

#include "bench/raw_csr.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>

namespace raw {

/// By a serial union-find over the edges. Takes 4 bytes a vertex meanwhile.
int64_t count_components(int64_t nv, const Grappa::TupleEdge* edges, int64_t n);

/// The rule that does not hold; null if all do. `components` is of count_components. A label is the
/// number of a vertex.
const char* broken_rule(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, const Vertex* labels,
                        int64_t components, int threads);

}  // namespace raw
