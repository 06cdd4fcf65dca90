#pragma once

/// How much memory a graph takes, so that a program can refuse one that does not fit before it
/// begins, with the numbers. Sizes are doubles: what is asked for may exceed 64 bits.

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

/// What a vertex of a graph takes at least, with its place among the lists of neighbours.
constexpr size_t kSmallestVertexBytes = 16;

/// Bytes over all cores of a TupleGraph of `nedge` edges.
double tuple_bytes_needed(int64_t nedge);

/// Bytes over all cores of an undirected Graph of `nv` vertices of `vertex_bytes` (sizeof its
/// Vertex), made of `nedge` tuples, without the tuples: while it is built, and then, if no edge is
/// repeated.
double graph_bytes_to_build(int64_t nv, int64_t nedge, size_t vertex_bytes);
double graph_bytes_at_rest(int64_t nv, int64_t nedge, size_t vertex_bytes);

/// "1.5 GiB".
std::string human_bytes(double bytes);

}  // namespace detail
}  // namespace Grappa
