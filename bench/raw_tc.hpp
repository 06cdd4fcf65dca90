#pragma once

/// Triangle counting in the memory of one process, with OpenMP: the baseline of apps/triangles. The
/// code is independent of Grappa.
///
/// Merge is the algorithm of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, "The
/// GAP Benchmark Suite", 2015): each edge (u, v) with v < u merges the parts of both sorted lists
/// below v. If the degrees are skewed, the vertices are first renumbered by descending degree, so
/// that lists of lower numbers are short.
///
/// Marks is the algorithm of apps/triangles: each vertex u sets a bit for each neighbour v < u, and
/// looks for bits in the part of the list of v below v. Each thread has a bit for each vertex. The
/// vertices are renumbered as above, so the lists are those of apps/triangles then.

#include "bench/raw_csr.hpp"

#include <cstdint>

namespace raw {

enum class TriangleMethod { Merge, Marks };

/// Returns the number of triangles, including the time to renumber if that is worth while.
int64_t count_triangles(const Csr& graph, int threads, TriangleMethod method);

/// Returns whether the graph is renumbered: lists have at least 20 entries on average, and in a
/// sample of 1,000 vertices with neighbours, the mean degree is more than 1.3 times the median, as
/// in GAP.
bool has_skewed_degrees(const Csr& graph);

}  // namespace raw
