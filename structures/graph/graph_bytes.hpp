#pragma once

/// The memory that a graph takes. A program can reject a graph that does not fit before it builds
/// the graph. The sizes are doubles, since a requested size may exceed 64 bits.

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

constexpr size_t kSmallestVertexBytes = 16;  // includes its offset in the array of lists

/// Bytes over all cores of a TupleGraph of `nedge` edges.
double tuple_bytes_needed(int64_t nedge);

/// Bytes over all cores of an undirected Graph of `nv` vertices of `vertex_bytes` (sizeof its
/// Vertex) and `nedge` different edges, during and after the build, without the tuples.
double graph_bytes_to_build(int64_t nv, int64_t nedge, size_t vertex_bytes);
double graph_bytes_at_rest(int64_t nv, int64_t nedge, size_t vertex_bytes);

std::string human_bytes(double bytes);  // for example "1.5 GiB"

}}  // namespace Grappa::detail
