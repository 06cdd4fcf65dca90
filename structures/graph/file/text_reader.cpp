#include "structures/graph/file/text_reader.hpp"

#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/file/graph_part.hpp"
#include "structures/graph/file/line_range.hpp"
#include "structures/graph/file/open_file.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <fcntl.h>

namespace Grappa {
namespace detail {
namespace {

// The data that each core needs to parse its part; sent by value.
struct TextPlan {
  bool matrix_market;
  MatrixMarketHeader header;  // for Matrix Market
  int64_t size_line;          // offset in bytes
  int64_t data_begin;
  int64_t file_bytes;
  int64_t max_vertices;  // as many as fit in the global heap
  int64_t max_edges;
};

LineKind parse_line(const TextPlan& plan, const char* first, const char* last, TupleEdge* edge,
                    std::string* problem) {
  if (plan.matrix_market) {
    return parse_matrix_market_entry(first, last, plan.header, edge, problem);
  }
  const LineKind kind = parse_edge_list_line(first, last, edge, problem);
  if (kind != LineKind::kEdge) return kind;
  const VertexID max_id = std::max(edge->v0, edge->v1);
  if (max_id < plan.max_vertices) return kind;
  *problem = check_vertices("vertex id " + std::to_string(max_id), max_id, plan.max_vertices);
  return LineKind::kBad;
}

void read_part(const std::string& path, const TextPlan& plan, Progress::Counter done,
               GraphPart* part) {
  const int64_t data_bytes = plan.file_bytes - plan.data_begin;
  const int64_t begin = plan.data_begin + share_begin(data_bytes, mycore());
  const int64_t end = plan.data_begin + share_begin(data_bytes, mycore() + 1);
  const OpenFile file(path, O_RDONLY);
  if (!same_file(file.fd(), plan.file_bytes, begin, &part->problem)) return;
  LineRange range(file.fd(), begin, end);
  part->problem = range.for_each([&](const char* first, const char* last, std::string* problem) {
    TupleEdge edge;
    done.add(last - first + 1);
    const LineKind kind = parse_line(plan, first, last, &edge, problem);
    if (kind != LineKind::kEdge) return kind == LineKind::kSkipped;
    if (part->size == plan.max_edges) {
      *problem = check_edges(part->size + 1);
      return false;
    }
    part->edges.push(edge);
    ++part->size;
    part->max_id = std::max({part->max_id, edge.v0, edge.v1});
    return true;
  });
}

// Checks the header of a matrix without its entries. Returns the problem; "" if there is none.
std::string check_header(const TextPlan& plan) {
  const MatrixMarketHeader& header = plan.header;
  const std::string problem = check_vertices("a matrix of " + std::to_string(header.rows) + " rows",
                                             header.rows - 1, plan.max_vertices);
  if (!problem.empty()) return problem;
  const int64_t bytes = plan.file_bytes - plan.data_begin;
  if (header.entries <= bytes) return check_edges(header.entries);
  return "the size line declares " + std::to_string(header.entries) + " entries, but only " +
         std::to_string(bytes) + " bytes follow";
}

// Reads the lines up to the size line. Returns a problem if a line is invalid.
FileProblem read_matrix_market_header(int fd, TextPlan* plan) {
  bool banner_read = false;
  bool size_read = false;
  FileProblem stop =
      LineRange(fd, 0, plan->file_bytes, 64 * KiB)
          .for_each([&](const char* first, const char* last, std::string* problem) {
            if (!banner_read) {
              banner_read = parse_matrix_market_banner(first, last, &plan->header, problem);
              return banner_read;
            }
            if (is_blank_or_comment(first, last, "%")) return true;
            size_read = parse_matrix_market_size(first, last, &plan->header, problem);
            plan->data_begin = last - first + 1;  // from the start of this line
            return false;
          });
  if (!size_read) {
    return stop.found() ? stop
                        : problem_at(plan->file_bytes - 1, "the file ends before the size line");
  }
  plan->size_line = stop.offset;
  plan->data_begin = std::min(plan->data_begin + stop.offset, plan->file_bytes);
  const std::string problem = check_header(*plan);
  return problem.empty() ? FileProblem() : problem_at(plan->size_line, problem);
}

// Checks the totals of parts without bad lines. Returns the problem; "" if there is none.
std::string check_totals(const TextPlan& plan, const PartTotals& totals) {
  if (plan.matrix_market && totals.size != plan.header.entries) {
    return "the size line declares " + std::to_string(plan.header.entries) +
           " entries, but the file has " + std::to_string(totals.size);
  }
  if ((plan.matrix_market ? plan.header.rows : totals.max_id + 1) == 0) return "the graph is empty";
  return check_edges(totals.size);
}

FileProblem read_parts(const std::string& path, const TextPlan& plan,
                       GlobalAddress<GraphPart> parts, TupleGraph* graph) {
  const GlobalAddress<const std::string> path_here = make_global(&path);
  {
    Progress progress("reading", plan.file_bytes - plan.data_begin, "bytes");
    const Progress::Counter done = progress.counter();
    on_all_cores([parts, path_here, plan, done] {
      read_part(fetch_string(path_here), plan, done, parts.operator->());
    });
  }
  const PartTotals totals = sum_parts(parts);
  if (totals.problem.found()) return totals.problem;
  const std::string problem = check_totals(plan, totals);
  if (!problem.empty()) {
    return plan.matrix_market ? problem_at(plan.size_line, problem) : problem_of_file(0, problem);
  }
  graph->nv = plan.matrix_market ? plan.header.rows : totals.max_id + 1;
  graph->nedge = totals.size;
  graph->edges = global_alloc<TupleEdge>(std::max<int64_t>(graph->nedge, 1));
  const GlobalAddress<TupleEdge> edges = graph->edges;
  // The cores move their edges in turns: each buffer shrinks as the array on its core fills.
  for (int64_t moved = 0; moved < totals.largest_size; moved += EdgeBuffer::kMoveEdges) {
    on_all_cores([parts, edges] { parts->start += parts->edges.move_some(edges, parts->start); });
  }
  return FileProblem();
}

}  // namespace

FileProblem read_text_graph(const std::string& path, int fd, GraphFormat format,
                            TupleGraph* graph) {
  TextPlan plan = {};
  plan.matrix_market = format == GraphFormat::kMatrixMarket;
  plan.file_bytes = file_bytes(fd);
  plan.max_vertices = most_vertices();
  plan.max_edges = int64_t(heap_bytes_free() / sizeof(TupleEdge));
  if (plan.matrix_market) {
    const FileProblem problem = read_matrix_market_header(fd, &plan);
    if (problem.found()) return problem;
  }
  const GlobalAddress<GraphPart> parts = symmetric<GraphPart>();
  const FileProblem problem = read_parts(path, plan, parts, graph);
  global_free(parts);
  return problem;
}

}  // namespace detail
}  // namespace Grappa
