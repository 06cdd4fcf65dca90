#pragma once

/// Counts triangles in another way: serially, on one core.

#include "structures/graph/tuple_graph.hpp"

#include <cstdint>

namespace triangles {

constexpr double kVerifierBytes = 24;  // for each vertex, beside a PlainGraph

/// Returns the number of triangles. From: task. Suspends. Memory on this core: that of PlainGraph
/// and kVerifierBytes for each vertex.
int64_t count_serially(const Grappa::TupleGraph& tuples);

}  // namespace triangles
