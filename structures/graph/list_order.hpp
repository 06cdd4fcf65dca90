#pragma once

/// Lists of neighbours in the order of degrees: those with most neighbours first. Who looks through
/// a list for any neighbour that something is true of then finds one sooner: in the bottom-up steps
/// of a breadth-first search, hubs are in the frontier before all others.

#include "structures/graph/csr.hpp"
#include "system/global/address.hpp"

namespace Grappa {
namespace detail {

/// Puts every list in the order of the neighbours' degrees, falling, where degrees that differ by
/// less than a tenth may count as equal; equal ones stay in the order that they have. For a
/// directed graph, degrees are those of the lists. The same on any number of cores.
/// From: task. Suspends. Messages: a byte for each vertex from its core to each other core. Memory:
/// one byte for each slot on each core, until it returns.
void order_by_degree(GlobalAddress<Csr> csr);

}  // namespace detail
}  // namespace Grappa
