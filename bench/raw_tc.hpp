#pragma once

/// Triangle counting in the memory of one process, with OpenMP: the baseline of apps/triangles. The
/// code is independent of Grappa.
///
/// The algorithm is that of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, "The GAP
/// Benchmark Suite", 2015): each edge (u, v) with v < u merges the parts of both sorted lists below
/// v. If the degrees are skewed, the vertices are first renumbered by descending degree, so that
/// lists of lower numbers are short.

#include "bench/raw_csr.hpp"

#include <cstdint>

namespace raw {

/// Returns the number of triangles, including the time to renumber if that is worth while.
int64_t count_triangles(const Csr& graph, int threads);

/// Returns whether the graph is renumbered: its average degree is at least 10, and in a sample of
/// 1,000 vertices, the mean degree is more than 1.3 times the median, as in GAP.
bool has_skewed_degrees(const Csr& graph);

}  // namespace raw
