#pragma once

/// The formats of graph files (graph/README.md), with their names and file suffixes, and the
/// records of the binary formats. edge_text.hpp has the lines of the text formats.
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
