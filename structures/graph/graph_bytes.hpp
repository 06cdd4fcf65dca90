#pragma once

/// How much memory a graph takes, so that a program can refuse one that does not fit before it
/// begins, with the numbers. Sizes are doubles: what is asked for may exceed 64 bits.

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa {

/// A Graph<V>::Vertex whose V takes up to 16 bytes; none is smaller.
constexpr size_t kSmallestVertexBytes = 32;

/// Bytes over all cores of a TupleGraph of `nedge` edges.
double tuple_bytes_needed(int64_t nedge);

/// Bytes over all cores of an undirected Graph of `nv` vertices made of `nedge` tuples, without the
/// tuples. Duplicates are counted, since they take room until they have been found.
double graph_bytes_needed(int64_t nv, int64_t nedge, size_t vertex_bytes = kSmallestVertexBytes);

/// "1.5 GiB".
std::string human_bytes(double bytes);

}  // namespace Grappa
