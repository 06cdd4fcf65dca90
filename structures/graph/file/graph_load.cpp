// Reads the edges of a graph from a file, on all cores in parallel. The formats have different
// readers (edge_load.hpp); this file reads records. They have a fixed size, so each core knows the
// final positions of its edges. It writes them to the global array, a piece at a time, with 2 MiB
// of additional memory. For lines and lists, a core takes 16 bytes (32 with attributes) for each
// edge that it reads or in its part of the array, whichever has more edges. In addition, it takes
// about 10 MiB, and one huge page of each array for each core. A core stops at its first problem.

#include "structures/graph/file/edge_load.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/text/decompressor.hpp"
#include "structures/text/line_reader.hpp"
#include "structures/text/quoted.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <fcntl.h>
#include <vector>

namespace Grappa {
namespace detail { namespace {

constexpr int64_t kReadEdges = 1 << 16;  // 1 MiB of edges

void read_records(int fd, const LoadPlan& plan, GlobalAddress<TupleEdge> to,
                  const Progress::Counter& done, GraphPart* part) {
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
                                               : check_id(high, plan));
      return;
    }
    memcpy(to + at, edges.data(), count);
    done.add(count);
  }
}

// Allocates and reads the edges of the graph.
FileProblem load_records(const std::string& path, const LoadPlan& plan, TupleGraph* graph) {
  const int64_t size = record_bytes(plan.format);
  if (plan.file_bytes % size != 0) {
    return problem_of_file(0, "has " + std::to_string(plan.file_bytes) +
                                  " bytes, which is not a multiple of the " + std::to_string(size) +
                                  " bytes of a " + format_name(plan.format) + " edge");
  }
  graph->nedge = plan.file_bytes / size;
  const std::string too_large = check_edges(graph->nedge, plan);
  if (!too_large.empty()) return problem_of_file(0, too_large);
  const GlobalAddress<TupleEdge> edges = graph->edges = global_alloc<TupleEdge>(graph->nedge);
  Progress progress("reading", graph->nedge, "edges");
  const auto read = [plan, edges, done = progress.counter()](const std::string& path_here,
                                                             GraphPart* part) {
    const OpenFile file(path_here, O_RDONLY);
    const int64_t begin = share_begin(plan.file_bytes, mycore());
    if (!same_file(file.fd(), plan.file_bytes, begin, &part->problem)) return;
    read_records(file.fd(), plan, edges, done, part);
  };
  const PartTotals totals = on_all_parts(plan.parts, path, read);
  if (totals.problem.found()) global_free(edges);
  graph->nv = totals.max_id + 1;
  return totals.problem;
}

// Returns "PATH:LINE: problem", "PATH: record N at byte B: problem", "PATH: byte B: problem" or
// "PATH: problem".
std::string located(const std::string& path, int fd, GraphFormat format,
                    const FileProblem& problem) {
  const std::string byte = "byte " + std::to_string(problem.offset);
  std::string place;
  if (!problem.whole_file && is_text(format)) {
    place = ":" + std::to_string(text_line_number(path, fd, problem.offset));
  } else if (!problem.whole_file && record_bytes(format) != 0) {
    place = ": record " + std::to_string(problem.offset / record_bytes(format) + 1) + " at " + byte;
  } else if (!problem.whole_file) {
    place = ": " + byte;
  }
  return printable(path) + place + ": " + problem.sentence;
}

FileProblem load(const std::string& path, int fd, const LoadPlan& plan, TupleGraph* graph) {
  if (is_text(plan.format)) return load_text(path, fd, plan, graph);
  if (is_compressed(path)) {
    return problem_of_file(0, std::string("a file in format ") + format_name(plan.format) +
                                  " cannot be read compressed; decompress it first");
  }
  return record_bytes(plan.format) != 0 ? load_records(path, plan, graph)
                                        : load_gap(path, fd, plan, graph);
}

// Sets `graph` and returns "", or returns the error message.
std::string read_graph_file(const std::string& path, const std::string& format,
                            Attributes attributes, TupleGraph* graph) {
  LoadPlan plan = {};
  plan.format = graph_format(path, format);
  const bool unknown = plan.format == GraphFormat::kUnknown;
  if (unknown && !format.empty()) return unknown_format(path, format);
  const OpenFile file(path, O_RDONLY);
  const std::string unusable = why_unreadable(file.fd());
  if (file.fd() >= 0 && unknown) return unknown_format(path, format);
  if (!unusable.empty()) return printable(path) + ": " + unusable;
  plan.file_bytes = file_bytes(file.fd());
  plan.keeps_attributes = attributes == Attributes::Keep && may_have_attributes(plan.format);
  plan.heap_bytes = int64_t(heap_bytes_free());
  plan.max_vertices = plan.heap_bytes / int64_t{kSmallestVertexBytes};
  plan.buffers = symmetric<EdgeBuffer>();
  plan.parts = symmetric<GraphPart>();
  TupleGraph read;
  const FileProblem problem = load(path, file.fd(), plan, &read);
  global_free(plan.parts);
  global_free(plan.buffers);
  if (problem.found()) return located(path, file.fd(), plan.format, problem);
  *graph = read;
  return "";
}

}}  // namespace detail

bool TupleGraph::try_load(const std::string& path, const std::string& format, TupleGraph* graph,
                          std::string* error, Attributes attributes) {
  *error = detail::read_graph_file(path, format, attributes, graph);
  return error->empty();
}

}  // namespace Grappa
