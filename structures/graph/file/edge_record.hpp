#pragma once

/// Edges as records of equal size, without headers or separators: the size of a file gives the
/// number of edges, and each core can compute the offset of its part. Numbers are little-endian.
///
///     bintsv4     8 bytes   uint32 v0, v1                  the format of the original Grappa
///     graph500   16 bytes   int64 v0, v1                   Graph500 edge tuples with 64-bit ids
///     packed48   12 bytes   uint32 v0_low, v1_low, high    Graph500 "packed" tuples: the lower
///                                                          half of high is bits 32 to 47 of v0,
///                                                          the upper half is these bits of v1
///
/// The 48-bit ids are signed, as in the Graph500 reference code, which marks missing edges with the
/// id -1. The readers reject negative ids.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/graph_format.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

/// Bytes of a record; 0 for a text format.
int64_t record_bytes(GraphFormat format);

/// The largest id that the format can represent, also for text formats.
VertexID largest_id(GraphFormat format);

/// Decodes `count` records; `from` may be unaligned. Ids of graph500 and packed48 may be negative.
void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to);

/// Encodes `count` edges. All ids must be in 0 .. largest_id(format).
void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to);

}  // namespace detail
}  // namespace Grappa
