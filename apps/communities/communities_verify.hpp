#pragma once

/// Propagates labels serially, on one core. From: task. Suspends: until the edges have arrived.
/// Memory on this core: that of PlainGraph, and kVerifierBytes for each vertex.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <vector>

namespace communities {

constexpr double kVerifierBytes = 40;  // beside a PlainGraph: 24, and 16 for two copies of labels

/// Returns the labels after at most `max_iterations`, from these first labels.
std::vector<Grappa::VertexID> propagate_serially(const Grappa::TupleGraph& tuples,
                                                 std::vector<Grappa::VertexID> labels,
                                                 int64_t max_iterations);

}  // namespace communities
