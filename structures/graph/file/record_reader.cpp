#include "structures/graph/file/record_reader.hpp"

#include "structures/graph/file/edge_record.hpp"
#include "structures/graph/file/graph_part.hpp"
#include "structures/graph/file/open_file.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

constexpr int64_t kReadEdges = 1 << 16;  // 1 MiB of edges

// The data that each core needs to read its part; sent by value.
struct RecordPlan {
  GraphFormat format;
  int64_t file_bytes;
  int64_t nedge;
  int64_t max_vertices;  // as many as fit in the global heap
  GlobalAddress<TupleEdge> edges;
};

// Returns "" if an edge with these ids is valid, otherwise the problem.
std::string edge_problem(VertexID low, VertexID high, int64_t max_vertices) {
  if (low < 0) return "vertex id " + std::to_string(low) + " is negative";
  return check_vertices("vertex id " + std::to_string(high), high, max_vertices);
}

// Reads records `first` to `first + count - 1`. On an error, sets part->problem and returns false.
bool read_piece(int fd, const RecordPlan& plan, int64_t first, int64_t count, char* bytes,
                TupleEdge* edges, GraphPart* part) {
  const int64_t size = record_bytes(plan.format);
  const int64_t got = read_fully(fd, bytes, count * size, first * size);
  if (got != count * size) {
    const int64_t offset = (first + std::max<int64_t>(got, 0) / size) * size;
    part->problem =
        problem_at(offset, got < 0 ? std::string("cannot be read: ") + std::strerror(errno)
                                   : "the file ends here: it was truncated while it was "
                                     "read");
    return false;
  }
  decode_records(plan.format, bytes, count, edges);
  for (int64_t k = 0; k < count; ++k) {
    const VertexID low = std::min(edges[k].v0, edges[k].v1);
    const VertexID high = std::max(edges[k].v0, edges[k].v1);
    part->max_id = std::max(part->max_id, high);
    if (0 <= low && high < plan.max_vertices) continue;
    part->problem = problem_at((first + k) * size, edge_problem(low, high, plan.max_vertices));
    return false;
  }
  return true;
}

void read_part(const std::string& path, const RecordPlan& plan, Progress::Counter done,
               GraphPart* part) {
  const int64_t begin = share_begin(plan.nedge, mycore());
  const int64_t end = share_begin(plan.nedge, mycore() + 1);
  const int64_t size = record_bytes(plan.format);
  const OpenFile file(path, O_RDONLY);
  if (!same_file(file.fd(), plan.file_bytes, begin * size, &part->problem)) return;
  const int64_t piece = std::min(kReadEdges, end - begin);
  std::vector<char> bytes(size_t(piece * size));
  std::vector<TupleEdge> edges(static_cast<size_t>(piece));
  for (int64_t at = begin; at < end; at += piece) {
    const int64_t count = std::min(piece, end - at);
    if (!read_piece(file.fd(), plan, at, count, bytes.data(), edges.data(), part)) return;
    memcpy(plan.edges + at, edges.data(), count);
    done.add(count);
  }
}

PartTotals read_parts(const std::string& path, const RecordPlan& plan) {
  const GlobalAddress<GraphPart> parts = symmetric<GraphPart>();
  const GlobalAddress<const std::string> path_here = make_global(&path);
  Progress progress("reading", plan.nedge, "edges");
  const Progress::Counter done = progress.counter();
  on_all_cores([parts, path_here, plan, done] {
    read_part(fetch_string(path_here), plan, done, parts.operator->());
  });
  const PartTotals totals = sum_parts(parts);
  global_free(parts);
  return totals;
}

}  // namespace

FileProblem read_record_graph(const std::string& path, int fd, GraphFormat format,
                              TupleGraph* graph) {
  RecordPlan plan = {};
  plan.format = format;
  plan.file_bytes = file_bytes(fd);
  const int64_t size = record_bytes(format);
  if (plan.file_bytes % size != 0) {
    return problem_of_file(0, "has " + std::to_string(plan.file_bytes) +
                                  " bytes, which is not a multiple of the " + std::to_string(size) +
                                  " bytes of a " + format_name(format) + " edge");
  }
  plan.nedge = plan.file_bytes / size;
  const std::string too_large = check_edges(plan.nedge);
  if (!too_large.empty()) return problem_of_file(0, too_large);
  plan.max_vertices = most_vertices();
  plan.edges = global_alloc<TupleEdge>(plan.nedge);
  const PartTotals totals = read_parts(path, plan);
  if (totals.problem.found()) {
    global_free(plan.edges);
    return totals.problem;
  }
  graph->edges = plan.edges;
  graph->nedge = plan.nedge;
  graph->nv = totals.max_id + 1;
  return FileProblem();
}

}  // namespace detail
}  // namespace Grappa
