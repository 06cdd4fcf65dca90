#pragma once

/// Sorting lists of neighbours by degree, highest degree first. A search for any neighbour with a
/// given property then ends earlier: for example, in bottom-up steps of a breadth-first search,
/// hubs enter the frontier first.

#include "structures/graph/csr/csr.hpp"
#include "system/global/address.hpp"

namespace Grappa {
namespace detail {

/// Sorts every list by the degrees of the neighbours, in descending order. Degrees that differ by
/// less than a tenth may count as equal; neighbours of equal degree stay in their order. In a
/// directed graph, the degree of a vertex is the length of its list. The order is the same on any
/// number of cores. From: task. Suspends. Messages: each core sends a byte for each of its vertices
/// to each other core. Memory: on each core, one byte for each slot during the call.
void order_by_degree(GlobalAddress<Csr> csr);

}  // namespace detail
}  // namespace Grappa
