// Reads the lines of a text file, on all cores in parallel: edge lists, Matrix Market and METIS
// files. The number of edges before a core's lines is not known, so every core first collects its
// edges in a buffer. Then all cores move their edges to the global array, while the buffers shrink
// (EdgeBuffer).
//
// Each core has a byte range of the file. In a METIS file, the vertex of a line follows from its
// line number, so the cores first count the lines of their ranges.

#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/file/text_parser.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <fcntl.h>

namespace Grappa::detail {
namespace {

constexpr size_t kReadBytes = 4 * MiB;  // lines of a range that are read at a time

// Calls take(first, last, problem) for each line of this core's range of the file.
template <class Take>
FileProblem for_each_line_of_range(const std::string& path, const TextPlan& plan,
                                   const Progress::Counter& done, const Take& take) {
  const OpenFile file(path, O_RDONLY);
  const int64_t bytes = plan.load.file_bytes - plan.data_begin;
  const int64_t begin = plan.data_begin + share_begin(bytes, mycore());
  const int64_t end = plan.data_begin + share_begin(bytes, mycore() + 1);
  FileProblem problem;
  if (!same_file(file.fd(), plan.load.file_bytes, begin, &problem)) return problem;
  const auto count_bytes = [&](const char* first, const char* last, std::string* sentence) {
    done.add(last - first + 1);
    return take(first, last, sentence);
  };
  return for_each_line(file.fd(), begin, end, kReadBytes, count_bytes, plan.max_line_bytes());
}

// Sets the size and the start of each part to its number of vertices, and to those before it.
FileProblem count_vertices(const std::string& path, const TextPlan& plan) {
  Progress progress("counting", plan.load.file_bytes - plan.data_begin, "bytes");
  const auto count = [plan, done = progress.counter()](const std::string& path_here,
                                                       GraphPart* part) {
    const auto take = [part](const char* first, const char* last, std::string*) {
      if (!is_metis_comment(first, last)) ++part->size;
      return true;
    };
    part->problem = for_each_line_of_range(path_here, plan, done, take);
  };
  const PartTotals totals = on_all_parts(plan.load.parts, path, count);
  if (totals.problem.found() || totals.size >= plan.metis.nv) return totals.problem;
  return missing_vertices(plan, totals.size);
}

FileProblem read_header(int fd, TextPlan* plan) {
  HeaderParser header(plan);
  if (header.complete()) return FileProblem();
  const auto take = [&header](const char* first, const char* last, std::string* problem) {
    return header.take(first, last, problem);
  };
  const int64_t file_bytes = plan->load.file_bytes;
  const FileProblem stop = for_each_line(fd, 0, file_bytes, 64 * KiB, take);
  if (stop.found() && !header.complete()) return stop;
  if (!header.complete()) return {file_bytes - 1, header.why_incomplete()};
  plan->header_at = stop.offset;
  plan->data_begin = std::min(stop.offset + header.last_line_bytes(), file_bytes);
  return check_header(*plan, file_bytes - plan->data_begin);
}

FileProblem read_plain(const std::string& path, int fd, TextPlan* plan, PartTotals* totals) {
  FileProblem problem = read_header(fd, plan);
  if (!problem.found() && plan->is_metis()) problem = count_vertices(path, *plan);
  if (problem.found()) return problem;
  Progress progress("reading", plan->load.file_bytes - plan->data_begin, "bytes");
  const auto read = [plan = *plan, done = progress.counter()](const std::string& path_here,
                                                              GraphPart* part) {
    LineParser parser(plan, part->start, part);
    const auto take = [&parser](const char* first, const char* last, std::string* sentence) {
      return parser.take(first, last, sentence);
    };
    part->problem = for_each_line_of_range(path_here, plan, done, take);
    part->size = plan.load.buffers->size();
  };
  *totals = on_all_parts(plan->load.parts, path, read);
  if (!totals->problem.found()) end_runs(plan->load);
  return totals->problem;
}

// Checks the edges of all lines.
FileProblem check_totals(const TextPlan& plan, const PartTotals& totals) {
  const std::string size = std::to_string(totals.size);
  if (plan.is_metis()) {
    if (!all_sets_match(plan.sets)) return problem_of_file(0, kOneSidedEdge);
    if (totals.size != plan.metis.nedge) {
      return {plan.header_at, "the header line declares " + std::to_string(plan.metis.nedge) +
                                  " edges, but the lists have " + size};
    }
  }
  if (plan.is_matrix() && totals.size != plan.matrix.entries) {
    return {plan.header_at, "the size line declares " + std::to_string(plan.matrix.entries) +
                                " entries, but the file has " + size};
  }
  const bool empty =
      plan.is_matrix() ? plan.matrix.rows == 0 : !plan.is_metis() && totals.max_id < 0;
  const std::string problem = empty ? "the graph is empty" : check_edges(totals.size, plan.load);
  return problem.empty() ? FileProblem() : FileProblem(plan.header_at, problem, !plan.is_matrix());
}

}  // namespace

FileProblem load_text(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph) {
  TextPlan plan = {};
  plan.load = load;
  plan.key = draw_edge_key();
  plan.sets = symmetric<EdgeSets>();
  PartTotals totals;
  const Compression compression = compression_of(path);
  FileProblem problem = compression != Compression::kNone
                            ? read_compressed(fd, compression, &plan, &totals)
                            : read_plain(path, fd, &plan, &totals);
  if (!problem.found()) problem = check_totals(plan, totals);
  global_free(plan.sets);
  if (problem.found()) return problem;
  graph->nv = plan.is_matrix()  ? plan.matrix.rows
              : plan.is_metis() ? plan.metis.nv
                                : totals.max_id + 1;
  gather_edges(plan.load, totals.size, totals.largest_size, graph);
  return FileProblem();
}

}  // namespace Grappa::detail
