#pragma once

/// The formats of graph files, which graph/README.md describes, by name and suffix. Edges as
/// records of a binary file.

#include "structures/graph/edge.hpp"

#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

enum class GraphFormat {
  kUnknown,
  kEdgeList,
  kWeightedEdgeList,
  kTabSeparated,
  kMatrixMarket,
  kMetis,
  kBintsv4,
  kGraph500,
  kPacked48,
  kGap,
  kWeightedGap
};

/// Returns the format called `name`. If `name` is "", the suffix of the path selects the format. In
/// a compressed file, this is the suffix before `.gz` or `.zst`.
GraphFormat graph_format(const std::string& path, const std::string& name);

/// Returns the error message for kUnknown, one line.
std::string unknown_format(const std::string& path, const std::string& name);

const char* format_name(GraphFormat format);
bool is_text(GraphFormat format);
int64_t record_bytes(GraphFormat format);  // 0 for text, and for serialized graphs
VertexID largest_id(GraphFormat format);   // that the format can represent

/// Returns the error message for a graph with ids above largest_id(format).
std::string too_many_vertices(int64_t nv, GraphFormat format);

/// Returns "" if a file with this path and format can be written, otherwise the reason.
std::string why_unwritable(const std::string& path, GraphFormat format, bool has_weights = false);

/// True if a file in this format has attributes of edges, or declares whether it has them.
bool may_have_attributes(GraphFormat format);

/// True if a file in this format always has weights.
bool needs_weights(GraphFormat format);

/// True if a file in this format can hold any pairs of ids in any order.
bool holds_pairs(GraphFormat format);

/// Decodes `count` records; `from` may be unaligned. Ids of graph500 and packed48 may be negative.
void decode_records(GraphFormat format, const char* from, int64_t count, TupleEdge* to);

/// Encodes `count` edges. All ids must be in 0 .. largest_id(format).
void encode_records(GraphFormat format, const TupleEdge* from, int64_t count, char* to);

}}  // namespace Grappa::detail
