// Reads the edges of a graph from a file, on all cores in parallel. Records have a fixed size, so
// each core knows the final positions of its edges. It writes them to the global array, a piece at
// a time, with 2 MiB of additional memory. For lines, the number of edges before a core's range is
// not known. So every core first parses its lines into a buffer. Then all cores move their edges to
// the global array, a few MiB at a time, while the buffers shrink. For lines, a core takes 16 bytes
// for each edge in its lines or in its part of the array, whichever has more edges. In addition, it
// takes about 10 MiB, and one huge page of the array for each core. A core stops at its first
// problem.

#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/file/open_file.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/mapping.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <fcntl.h>
#include <memory>
#include <vector>

namespace Grappa {
namespace detail { namespace {

constexpr int64_t kReadEdges = 1 << 16;  // 1 MiB of edges
constexpr size_t kReadBytes = 4 * MiB;   // lines that are read at a time

// The edges that one core collects. They are in chunks, so the buffer grows without copying edges.
class EdgeBuffer {
 public:
  static constexpr int64_t kChunkEdges = 1 << 16;         // 1 MiB
  static constexpr int64_t kMoveEdges = 4 * kChunkEdges;  // moved at a time

  int64_t size() const { return size_; }

  void push(const TupleEdge& edge) {
    if (size_ % kChunkEdges == 0) {
      chunks_.emplace_back(static_cast<TupleEdge*>(map_private(kChunkBytes)));
    }
    chunks_.back()[size_t(size_++ % kChunkEdges)] = edge;
  }

  // Moves the next kMoveEdges edges, or all remaining edges, to the linear array `edges`, starting
  // at index `start`. Returns their number. push() must not be called afterwards.
  int64_t move_some(GlobalAddress<TupleEdge> edges, int64_t start) {
    int64_t done = 0;
    while (done < kMoveEdges && size_ > 0) {
      const int64_t count = std::min(kChunkEdges, size_);
      memcpy(edges + (start + done), chunks_[moved_].get(), count);
      chunks_[moved_++].reset();
      done += count;
      size_ -= count;
    }
    return done;
  }

 private:
  static constexpr size_t kChunkBytes = kChunkEdges * sizeof(TupleEdge);
  struct Unmap {
    void operator()(TupleEdge* chunk) const { unmap(chunk, kChunkBytes); }
  };

  std::vector<std::unique_ptr<TupleEdge[], Unmap>> chunks_;
  size_t moved_ = 0;  // chunks that have been moved and unmapped
  int64_t size_ = 0;
};

// Sent by value.
struct ReadPlan {
  GraphFormat format;
  int64_t file_bytes;
  int64_t max_vertices;  // maximum that fits in the global heap
  int64_t max_edges;
  GlobalAddress<TupleEdge> edges;     // for records
  GlobalAddress<EdgeBuffer> buffers;  // for lines
  MatrixMarketHeader header;          // for Matrix Market
  int64_t size_line;                  // offset in bytes
  int64_t data_begin;

  bool has_records() const { return record_bytes(format) != 0; }
  bool is_matrix() const { return format == GraphFormat::kMatrixMarket; }
  const char* marks() const { return is_matrix() ? kMatrixMarketMarks : kEdgeListMarks; }
};

// Both functions return "" if the vertices up to `max_id`, or `nedge` edges, fit in the free memory
// of the global heap. Otherwise they return the error message.
std::string check_id(VertexID max_id, int64_t max_vertices, const std::string& matrix = "") {
  if (max_id < max_vertices) return "";
  const double needed = double(kSmallestVertexBytes) * (double(max_id) + 1);
  const std::string what = matrix.empty() ? "vertex id " + std::to_string(max_id) : matrix;
  return what + " needs " + human_bytes(needed) + " for the vertices; " +
         human_bytes(double(heap_bytes_free())) + " of the global heap are free";
}

std::string check_edges(int64_t nedge) {
  const double needed = tuple_bytes_needed(nedge), available = double(heap_bytes_free());
  if (needed <= available) return "";
  return std::to_string(nedge) + " edges need " + human_bytes(needed) + "; " +
         human_bytes(available) + " of the global heap are free";
}

void read_records(int fd, const ReadPlan& plan, const Progress::Counter& done, GraphPart* part) {
  const int64_t size = record_bytes(plan.format), nedge = plan.file_bytes / size;
  const int64_t begin = share_begin(nedge, mycore()), end = share_begin(nedge, mycore() + 1);
  const int64_t piece = std::min(kReadEdges, end - begin);
  std::vector<char> bytes(size_t(piece * size));
  std::vector<TupleEdge> edges(static_cast<size_t>(piece));
  for (int64_t at = begin; at < end; at += piece) {
    const int64_t count = std::min(piece, end - at);
    const int64_t got = read_fully(fd, bytes.data(), count * size, at * size);
    if (got != count * size) {
      part->problem = FileProblem((at + std::max<int64_t>(got, 0) / size) * size,
                                  got < 0 ? with_errno("cannot be read") : kFileEndsEarly);
      return;
    }
    decode_records(plan.format, bytes.data(), count, edges.data());
    for (int64_t k = 0; k < count; ++k) {
      const VertexID low = std::min(edges[k].v0, edges[k].v1);
      const VertexID high = std::max(edges[k].v0, edges[k].v1);
      part->max_id = std::max(part->max_id, high);
      if (0 <= low && high < plan.max_vertices) continue;
      part->problem =
          FileProblem((at + k) * size, low < 0 ? "vertex id " + std::to_string(low) + " is negative"
                                               : check_id(high, plan.max_vertices));
      return;
    }
    memcpy(plan.edges + at, edges.data(), count);
    done.add(count);
  }
}

void read_lines(int fd, const ReadPlan& plan, const Progress::Counter& done, GraphPart* part) {
  const int64_t bytes = plan.file_bytes - plan.data_begin;
  EdgeBuffer* const buffer = plan.buffers.operator->();
  const auto take = [&](const char* first, const char* last, std::string* problem) {
    TupleEdge edge;
    done.add(last - first + 1);
    if (is_blank_or_comment(first, last, plan.marks())) return true;
    if (!(plan.is_matrix() ? parse_matrix_market_entry(first, last, plan.header, &edge, problem)
                           : parse_edge_list_line(first, last, &edge, problem))) {
      return false;
    }
    const VertexID high = std::max(edge.v0, edge.v1);
    if (high >= plan.max_vertices || buffer->size() == plan.max_edges) {
      *problem = high >= plan.max_vertices ? check_id(high, plan.max_vertices)
                                           : check_edges(buffer->size() + 1);
      return false;
    }
    buffer->push(edge);
    part->max_id = std::max(part->max_id, high);
    return true;
  };
  part->problem =
      for_each_line(fd, plan.data_begin + share_begin(bytes, mycore()),
                    plan.data_begin + share_begin(bytes, mycore() + 1), kReadBytes, take);
  part->size = buffer->size();
}

PartTotals read_parts(const std::string& path, const ReadPlan& plan,
                      GlobalAddress<GraphPart> parts) {
  const bool records = plan.has_records();
  const int64_t all =
      records ? plan.file_bytes / record_bytes(plan.format) : plan.file_bytes - plan.data_begin;
  Progress progress("reading", all, records ? "edges" : "bytes");
  const auto read = [plan, done = progress.counter()](const std::string& its_path,
                                                      GraphPart* part) {
    const OpenFile file(its_path, O_RDONLY);
    const int64_t begin = share_begin(plan.file_bytes, mycore());
    if (!same_file(file.fd(), plan.file_bytes, begin, &part->problem)) return;
    (plan.has_records() ? read_records : read_lines)(file.fd(), plan, done, part);
  };
  return on_all_parts(parts, path, read);
}

FileProblem read_record_graph(const std::string& path, ReadPlan plan,
                              GlobalAddress<GraphPart> parts, TupleGraph* graph) {
  const int64_t size = record_bytes(plan.format);
  if (plan.file_bytes % size != 0) {
    return problem_of_file(0, "has " + std::to_string(plan.file_bytes) +
                                  " bytes, which is not a multiple of the " + std::to_string(size) +
                                  " bytes of a " + format_name(plan.format) + " edge");
  }
  graph->nedge = plan.file_bytes / size;
  const std::string too_large = check_edges(graph->nedge);
  if (!too_large.empty()) return problem_of_file(0, too_large);
  graph->edges = plan.edges = global_alloc<TupleEdge>(graph->nedge);
  const PartTotals totals = read_parts(path, plan, parts);
  if (totals.problem.found()) global_free(plan.edges);
  graph->nv = totals.max_id + 1;
  return totals.problem;
}

// Reads the lines up to the size line. Returns a problem if a line is bad or the graph too large.
FileProblem read_matrix_market_header(int fd, ReadPlan* plan) {
  bool banner_read = false, size_read = false;
  const auto take = [&](const char* first, const char* last, std::string* problem) {
    if (!banner_read) {
      return banner_read = parse_matrix_market_banner(first, last, &plan->header, problem);
    }
    if (is_blank_or_comment(first, last, plan->marks())) return true;
    size_read = parse_matrix_market_size(first, last, &plan->header, problem);
    plan->data_begin = last - first + 1;  // from the start of this line
    return false;
  };
  const FileProblem stop = for_each_line(fd, 0, plan->file_bytes, 64 * KiB, take);
  if (stop.found() && !size_read) return stop;
  if (!size_read) return {plan->file_bytes - 1, "the file ends before the size line"};
  plan->size_line = stop.offset;
  plan->data_begin = std::min(plan->data_begin + stop.offset, plan->file_bytes);
  const MatrixMarketHeader& header = plan->header;
  const int64_t bytes = plan->file_bytes - plan->data_begin;
  std::string problem = check_id(header.rows - 1, plan->max_vertices,
                                 "a matrix of " + std::to_string(header.rows) + " rows");
  if (problem.empty() && header.entries > bytes) {
    problem = "the size line declares " + std::to_string(header.entries) + " entries, but only " +
              std::to_string(bytes) + " bytes follow";
  }
  if (problem.empty()) problem = check_edges(header.entries);
  return problem.empty() ? FileProblem() : FileProblem(plan->size_line, problem);
}

FileProblem read_text_graph(const std::string& path, int fd, ReadPlan plan,
                            GlobalAddress<GraphPart> parts, TupleGraph* graph) {
  if (plan.is_matrix()) {
    const FileProblem problem = read_matrix_market_header(fd, &plan);
    if (problem.found()) return problem;
  }
  const PartTotals totals = read_parts(path, plan, parts);
  if (totals.problem.found()) return totals.problem;
  graph->nv = plan.is_matrix() ? plan.header.rows : totals.max_id + 1;
  graph->nedge = totals.size;
  const std::string problem = plan.is_matrix() && graph->nedge != plan.header.entries
                                  ? "the size line declares " +
                                        std::to_string(plan.header.entries) +
                                        " entries, but the file has " + std::to_string(graph->nedge)
                              : graph->nv == 0 ? "the graph is empty"
                                               : check_edges(graph->nedge);
  if (!problem.empty()) return FileProblem(plan.size_line, problem, !plan.is_matrix());
  graph->edges = global_alloc<TupleEdge>(std::max<int64_t>(graph->nedge, 1));
  const GlobalAddress<TupleEdge> edges = graph->edges;
  // The buffer of a core shrinks while its part of the array is filled.
  for (int64_t moved = 0; moved < totals.largest_size; moved += EdgeBuffer::kMoveEdges) {
    on_all_cores(
        [parts, edges, plan] { parts->start += plan.buffers->move_some(edges, parts->start); });
  }
  return FileProblem();
}

// Returns "PATH:LINE: problem", "PATH: record N at byte B: problem" or "PATH: problem".
std::string located(const std::string& path, int fd, GraphFormat format,
                    const FileProblem& problem) {
  std::string place;
  if (!problem.whole_file && record_bytes(format) == 0) {
    place = ":" + std::to_string(line_number_at(fd, problem.offset));
  } else if (!problem.whole_file) {
    place = ": record " + std::to_string(problem.offset / record_bytes(format) + 1) + " at byte " +
            std::to_string(problem.offset);
  }
  return printable(path) + place + ": " + problem.sentence;
}

// Sets `graph` and returns "", or returns the error message.
std::string read_graph_file(const std::string& path, const std::string& format, TupleGraph* graph) {
  ReadPlan plan = {};
  plan.format = graph_format(path, format);
  const bool unknown = plan.format == GraphFormat::kUnknown;
  if (unknown && !format.empty()) return unknown_format(path, format);
  const OpenFile file(path, O_RDONLY);
  const std::string unusable = why_unreadable(file.fd());
  if (file.fd() >= 0 && unknown) return unknown_format(path, format);
  if (!unusable.empty()) return printable(path) + ": " + unusable;
  plan.file_bytes = file_bytes(file.fd());
  plan.max_vertices = int64_t(heap_bytes_free() / kSmallestVertexBytes);
  plan.max_edges = int64_t(heap_bytes_free() / sizeof(TupleEdge));
  plan.buffers = symmetric<EdgeBuffer>();
  const GlobalAddress<GraphPart> parts = symmetric<GraphPart>();
  TupleGraph read;
  const FileProblem problem = plan.has_records()
                                  ? read_record_graph(path, plan, parts, &read)
                                  : read_text_graph(path, file.fd(), plan, parts, &read);
  global_free(parts);
  global_free(plan.buffers);
  if (problem.found()) return located(path, file.fd(), plan.format, problem);
  *graph = read;
  return "";
}

}}  // namespace detail

bool TupleGraph::try_load(const std::string& path, const std::string& format, TupleGraph* graph,
                          std::string* error) {
  *error = detail::read_graph_file(path, format, graph);
  return error->empty();
}

}  // namespace Grappa
