#pragma once

/// The formats of graph files, with their names and file suffixes, and the records of the binary
/// formats. edge_text.hpp has the lines of the text formats.
///
///     name       suffixes     content
///     el         .el .txt     one edge on each line: two ids
///     wel        .wel         the same with a weight, which is ignored; cannot be written
///     tsv        .tsv         the same as el; written with a tab between the ids
///     mm         .mtx .mm     Matrix Market
///     bintsv4    .bintsv4     8 bytes: uint32 v0, v1, the format of the original Grappa
///     graph500   .graph500    16 bytes: int64 v0, v1, Graph500 edge tuples with 64-bit ids
///     packed48   .packed48    12 bytes: uint32 v0_low, v1_low, high, Graph500 "packed" tuples: the
///                             lower half of high is bits 32 to 47 of v0, the upper half is these
///                             bits of v1
///
/// Records have equal size, without headers or separators: the size of a file gives the number of
/// edges, and each core can compute the offset of its part. Numbers are little-endian. The 48-bit
/// ids are signed, as in the Graph500 reference code, which marks missing edges with the id -1. The
/// readers reject negative ids.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

enum class GraphFormat {
  kUnknown,
  kEdgeList,
  kWeightedEdgeList,
  kTabSeparated,
  kMatrixMarket,
  kBintsv4,
  kGraph500,
  kPacked48
};

/// Looks the format up by `name`, or by the suffix of the path if `name` is "".
GraphFormat graph_format(const std::string& path, const std::string& name);

/// The name of the format: "el", and so on.
const char* format_name(GraphFormat format);

/// The error message for kUnknown, one line. Without the path if `name` is not "".
std::string unknown_format(const std::string& path, const std::string& name);

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
