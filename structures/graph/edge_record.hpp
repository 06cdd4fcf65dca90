#pragma once

/// Edges as records of equal size, without anything before, between or behind them, so that the
/// size of a file tells their number, and each core knows where its part begins. All numbers are
/// little-endian, whatever the machine is.
///
///     bintsv4     8 bytes   uint32 v0, v1                  as programs of the first Grappa have it
///     graph500   16 bytes   int64 v0, v1                   Graph500's tuples, with 64-bit ids
///     packed48   12 bytes   uint32 v0_low, v1_low, high    Graph500's "packed" tuples: the lower
///                                                          half of high is bits 32 to 47 of v0,
///                                                          the upper half those of v1
///
/// The 48 bits are signed, as in the Graph500 reference code, which marks edges that are not there
/// with -1; readers refuse those.

#include "structures/graph/edge.hpp"
#include "structures/graph/graph_format.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

/// Bytes of a record; 0 if the format is text.
int64_t record_bytes(GraphFormat format);

/// The largest id that the format can hold, text formats included.
VertexID largest_id(GraphFormat format);

/// `count` records at `from`, which need not be aligned. The ids of graph500 and packed48 may be
/// negative.
void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to);

/// The reverse. All ids are in 0 .. largest_id(format).
void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to);

}  // namespace detail
}  // namespace Grappa
