#pragma once

/// The vertices of a graph in the order of their degrees: a counting sort by all cores.
///
/// Each core reads the degrees of a contiguous range of vertices, so that equal ones stay in the
/// order of their labels, and counts how often it meets each. Running sums of those numbers, first
/// by degree and then by core, say where each core puts its vertices of each degree. The few
/// vertices whose degree has no counter (kMostCounters) are sorted on one core.

#include "structures/graph/edge.hpp"
#include "system/global/address.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// Replaces each of `nv` degrees, a linear array, by the place of its vertex, from 0, in the order
/// of descending degrees and of ascending labels within one, and sets the array `old_of_new` to the
/// vertices in that order. Degrees are 0 or more. Takes up to 1.5 MiB for each core.
/// From: task. Suspends. Messages: one for each vertex.
void order_by_degree(int64_t nv, GlobalAddress<int64_t> degrees,
                     GlobalAddress<VertexID> old_of_new);

}  // namespace detail
}  // namespace Grappa
