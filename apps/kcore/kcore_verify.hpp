#pragma once

/// Computes core numbers in another way: serially, on one core (V. Batagelj, M. Zaversnik, "An O(m)
/// Algorithm for Cores Decomposition of Networks", 2003). All: From: task. Suspends. Memory on this
/// core: that of PlainGraph, and kVerifierBytes for each vertex.

#include "apps/kcore/kcore.hpp"

#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <vector>

namespace kcore {

constexpr double kVerifierBytes = 36;  // at most, beside a PlainGraph: 20, and 16 for each degree

std::vector<uint32_t> cores_serially(const Grappa::TupleGraph& tuples);

/// Returns the number of vertices of `g` whose core number is wrong. Messages: 1 for each vertex.
int64_t count_wrong(Grappa::GlobalAddress<CoreGraph> g, const Grappa::TupleGraph& tuples);

}  // namespace kcore
