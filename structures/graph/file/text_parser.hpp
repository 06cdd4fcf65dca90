#pragma once

/// The parsers of the lines of a text file, and the reader of compressed text. text_load.cpp reads
/// text that is not compressed.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/edge_load.hpp"
#include "structures/graph/file/edge_sets.hpp"
#include "structures/graph/file/text_format.hpp"
#include "structures/text/decompressor.hpp"
#include "structures/text/line_reader.hpp"
#include "system/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

constexpr size_t kMetisLineBytes = 256 * MiB;  // about 30 million neighbours

/// What all cores know about a text file. Sent by value.
struct TextPlan {
  LoadPlan load;
  MatrixMarketHeader matrix;
  MetisHeader metis;
  int64_t header_at;   // offset in bytes of the line that declares the sizes
  int64_t data_begin;  // offset in bytes
  EdgeKey key;
  GlobalAddress<EdgeSets> sets;  // for METIS

  bool is_matrix() const { return load.format == GraphFormat::kMatrixMarket; }
  bool is_metis() const { return load.format == GraphFormat::kMetis; }
  bool has_header() const { return is_matrix() || is_metis(); }
  bool declares_weights() const {
    return is_matrix() ? matrix.field != MatrixField::kPattern : metis.weighted_edges;
  }
  const char* marks() const { return has_header() ? kMatrixMarketMarks : kEdgeListMarks; }
  size_t max_line_bytes() const { return is_metis() ? kMetisLineBytes : kMaxLineBytes; }
};

/// Parses the lines up to the line that declares the sizes.
class HeaderParser {
 public:
  explicit HeaderParser(TextPlan* plan) : plan_(plan), complete_(!plan->has_header()) {}

  bool complete() const { return complete_; }
  int64_t last_line_bytes() const { return last_line_bytes_; }  // with its '\n'

  /// Returns false after the last line of the header, and at a problem.
  bool take(const char* first, const char* last, std::string* problem);

  std::string why_incomplete() const;

 private:
  TextPlan* plan_;
  bool banner_read_ = false;
  bool complete_;
  int64_t last_line_bytes_ = 0;
};

/// Checks that the graph fits in memory, and that `bytes` bytes can hold its lines. From: task.
/// Suspends: until core 0 has answered. Messages: 2, or 0 on core 0.
FileProblem check_header(const TextPlan& plan, int64_t bytes);

/// Returns the problem of a METIS file that has only `lines` lines of vertices.
FileProblem missing_vertices(const TextPlan& plan, int64_t lines);

/// Parses the lines after the header, on one core. Adds their edges to the buffer of the core.
class LineParser {
 public:
  /// In a METIS file, the next line is that of `next_vertex`.
  LineParser(const TextPlan& plan, VertexID next_vertex, GraphPart* part)
      : plan_(plan),
        buffer_(plan.load.buffers.operator->()),
        part_(part),
        next_vertex_(next_vertex) {}

  bool take(const char* first, const char* last, std::string* problem);

 private:
  bool take_list(const char* first, const char* last, VertexID v, std::string* problem);

  const TextPlan& plan_;
  EdgeBuffer* const buffer_;
  GraphPart* const part_;
  VertexID next_vertex_;
};

/// Reads compressed text (compressed_load.cpp). Sets the plan from the header, and the totals. All
/// edges are in runs then. From: task. Suspends: until done. Messages: those of on_all_cores and of
/// sum_parts, for each round of pieces, and each piece to another core.
FileProblem read_compressed(int fd, Compression compression, TextPlan* plan, PartTotals* totals);

}}  // namespace Grappa::detail
