#pragma once

///
/// Sorting the vertices of a graph by degree: a counting sort by all cores.
///
/// Each core counts the vertices of each degree in a contiguous range of vertices, which keeps
/// vertices of equal degree in order. The running sums of these counts, by degree and then by core,
/// give the first position of each core for each degree. The few vertices whose degree has no
/// counter (kMostCounters) are sorted on one core.

#include "structures/graph/edge.hpp"
#include "system/global/address.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// `degrees` is a linear array of `nv` degrees, each 0 or more. Replaces each degree by the
/// position of its vertex, from 0, in the order of descending degrees, and of ascending labels for
/// equal degrees. Sets `old_of_new` to the vertices in that order. Takes up to 1.5 MiB on each
/// core. From: task. Suspends. Messages: one for each vertex.
void order_by_degree(int64_t nv, GlobalAddress<int64_t> degrees,
                     GlobalAddress<VertexID> old_of_new);

}  // namespace detail
}  // namespace Grappa
