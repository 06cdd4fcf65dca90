#include "structures/graph/graph_file.hpp"

#include "structures/graph/edge_buffer.hpp"
#include "structures/graph/edge_text.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "structures/graph/line_range.hpp"
#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa {
namespace {

// What all cores must know of the file to parse their part; travels by value.
struct FilePlan {
  bool matrix_market;
  MatrixMarketHeader header;  // for Matrix Market
  int64_t data_begin;         // bytes
  int64_t data_end;
  int64_t max_vertices;  // as many as fit in the global heap
};

// One core's share of the work.
struct FilePart {
  EdgeBuffer edges;
  VertexID max_id = -1;
  LineProblem problem;
  int64_t start = 0;  // place of its first edge in the global array
};

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

// Copies a string that lives on another core, a block at a time.
std::string fetch_string(Core from, const std::string* text) {
  struct Piece {
    char bytes[64];
  };
  std::string copy(delegate::call(from, [text] { return text->size(); }), '\0');
  for (size_t at = 0; at < copy.size(); at += sizeof(Piece)) {
    const Piece piece = delegate::call(from, [text, at] {
      Piece next = {};
      text->copy(next.bytes, sizeof next.bytes, at);
      return next;
    });
    copy.replace(at, std::min(sizeof(Piece), copy.size() - at), piece.bytes,
                 std::min(sizeof(Piece), copy.size() - at));
  }
  return copy;
}

std::string too_many_vertices(const std::string& what, int64_t max_id) {
  const double needed = double(kSmallestVertexBytes) * (double(max_id) + 1);
  return what + " needs " + human_bytes(needed) + " for the vertices; " +
         human_bytes(double(heap_bytes_free())) + " of the global heap are free";
}

LineKind parse_line(const FilePlan& plan, const char* first, const char* last, TupleEdge* edge,
                    std::string* problem) {
  if (plan.matrix_market) {
    return parse_matrix_market_entry(first, last, plan.header, edge, problem);
  }
  const LineKind kind = parse_edge_list_line(first, last, edge, problem);
  if (kind != LineKind::kEdge) return kind;
  const VertexID max_id = std::max(edge->v0, edge->v1);
  if (max_id < plan.max_vertices) return kind;
  *problem = too_many_vertices("vertex id " + std::to_string(max_id), max_id);
  return LineKind::kBad;
}

void read_part(const std::string& path, const FilePlan& plan, FilePart* part) {
  const OpenFile file(path);
  if (file.fd() < 0) {
    part->problem.offset = 0;
    part->problem.sentence =
        "cannot be opened on core " + std::to_string(mycore()) + ": " + std::strerror(errno);
    return;
  }
  const auto bound = [&plan](int64_t k) {
    return plan.data_begin + (plan.data_end - plan.data_begin) * k / cores();
  };
  LineRange range(file.fd(), bound(mycore()), bound(mycore() + 1));
  part->problem = range.for_each([&](const char* first, const char* last, std::string* problem) {
    TupleEdge edge;
    const LineKind kind = parse_line(plan, first, last, &edge, problem);
    if (kind == LineKind::kEdge) {
      part->edges.push(edge);
      part->max_id = std::max({part->max_id, edge.v0, edge.v1});
    }
    return kind != LineKind::kBad;
  });
}

// Reads the lines up to the size line. A problem is found if they make no sense.
LineProblem read_matrix_market_header(int fd, FilePlan* plan, int64_t* size_line_offset) {
  bool banner_read = false;
  bool size_read = false;
  LineProblem stop =
      LineRange(fd, 0, plan->data_end, 64 * KiB)
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
    if (!stop.found()) {
      stop.offset = plan->data_end - 1;
      stop.sentence = "the file ends before the size line";
    }
    return stop;
  }
  *size_line_offset = stop.offset;
  plan->data_begin = std::min(plan->data_begin + stop.offset, plan->data_end);
  if (plan->header.rows <= plan->max_vertices) return LineProblem();
  stop.sentence = too_many_vertices("a matrix of " + std::to_string(plan->header.rows) + " rows",
                                    plan->header.rows - 1);
  return stop;
}

// What can be said of the file without reading it; "" if nothing is wrong.
std::string check_file(const OpenFile& file, int64_t* bytes) {
  struct stat status;
  if (file.fd() < 0 || ::fstat(file.fd(), &status) != 0) {
    return std::string("cannot be opened: ") + std::strerror(errno);
  }
  if (S_ISDIR(status.st_mode)) return "is a directory, not a graph";
  if (!S_ISREG(status.st_mode)) return "is no regular file, so cores cannot share it";
  if (status.st_size == 0) return "is empty";
  *bytes = status.st_size;
  return "";
}

struct ReadTotals {
  int64_t nedge = 0;
  VertexID max_id = -1;
  LineProblem problem;  // the first of the file
};

// What one core says of its part.
struct PartSummary {
  int64_t nedge;
  VertexID max_id;
  int64_t problem_offset;
};

ReadTotals sum_parts(GlobalAddress<FilePart> parts) {
  ReadTotals totals;
  Core worst = 0;
  for (Core c = 0; c < cores(); ++c) {
    const PartSummary part = delegate::call(c, [parts] {
      const FilePart& mine = *parts.operator->();
      return PartSummary{mine.edges.size(), mine.max_id, mine.problem.offset};
    });
    totals.nedge += part.nedge;
    totals.max_id = std::max(totals.max_id, part.max_id);
    if (part.problem_offset < 0) continue;
    if (totals.problem.found() && totals.problem.offset <= part.problem_offset) continue;
    totals.problem.offset = part.problem_offset;
    worst = c;
  }
  if (totals.problem.found()) {
    const std::string* sentence =
        delegate::call(worst, [parts] { return &parts->problem.sentence; });
    totals.problem.sentence = fetch_string(worst, sentence);
  }
  return totals;
}

// Gives each part its place in the global array, in the order of the file, and moves it there.
void write_parts(GlobalAddress<FilePart> parts, GlobalAddress<TupleEdge> edges) {
  int64_t start = 0;
  for (Core c = 0; c < cores(); ++c) {
    start += delegate::call(c, [parts, start] {
      parts->start = start;
      return parts->edges.size();
    });
  }
  on_all_cores([parts, edges] { parts->edges.write_to(edges, parts->start); });
}

// The graph from parts that hold no bad line; "" or what is wrong with them together.
std::string assemble(GlobalAddress<FilePart> parts, const ReadTotals& totals, const FilePlan& plan,
                     TupleGraph* graph) {
  if (plan.matrix_market && totals.nedge != plan.header.entries) {
    return "the size line promises " + std::to_string(plan.header.entries) +
           " entries; the file holds " + std::to_string(totals.nedge);
  }
  graph->nv = plan.matrix_market ? plan.header.rows : totals.max_id + 1;
  graph->nedge = totals.nedge;
  if (graph->nv == 0) return "the graph is empty";
  if (tuple_bytes_needed(totals.nedge) > double(heap_bytes_free())) {
    return std::to_string(totals.nedge) + " edges need " +
           human_bytes(tuple_bytes_needed(totals.nedge)) + "; " +
           human_bytes(double(heap_bytes_free())) + " of the global heap are free";
  }
  graph->edges = global_alloc<TupleEdge>(size_t(std::max<int64_t>(graph->nedge, 1)));
  write_parts(parts, graph->edges);
  return "";
}

std::string located(const std::string& path, int fd, const LineProblem& problem) {
  return printable(path) + ":" + std::to_string(line_number_at(fd, problem.offset)) + ": " +
         problem.sentence;
}

bool has_suffix(const std::string& path, const char* suffix) {
  const size_t length = std::strlen(suffix);
  return path.size() > length && path.compare(path.size() - length, length, suffix) == 0;
}

}  // namespace

GraphFormat graph_format(const std::string& path, const std::string& name) {
  if (name == "el" || name == "tsv") return GraphFormat::kEdgeList;
  if (name == "mm") return GraphFormat::kMatrixMarket;
  if (!name.empty()) return GraphFormat::kUnknown;
  for (const char* suffix : {".el", ".wel", ".tsv", ".txt"}) {
    if (has_suffix(path, suffix)) return GraphFormat::kEdgeList;
  }
  for (const char* suffix : {".mtx", ".mm"}) {
    if (has_suffix(path, suffix)) return GraphFormat::kMatrixMarket;
  }
  return GraphFormat::kUnknown;
}

std::string read_graph_file(const std::string& path, GraphFormat format, TupleGraph* graph) {
  const OpenFile file(path);
  FilePlan plan = {};
  const std::string unusable = check_file(file, &plan.data_end);
  if (!unusable.empty()) return printable(path) + ": " + unusable;
  plan.matrix_market = format == GraphFormat::kMatrixMarket;
  plan.max_vertices = int64_t(heap_bytes_free() / kSmallestVertexBytes);

  int64_t size_line_offset = -1;
  if (plan.matrix_market) {
    const LineProblem problem = read_matrix_market_header(file.fd(), &plan, &size_line_offset);
    if (problem.found()) return located(path, file.fd(), problem);
  }

  const GlobalAddress<FilePart> parts = symmetric<FilePart>();
  const Core reader = mycore();
  const std::string* path_here = &path;
  on_all_cores([parts, reader, path_here, plan] {
    read_part(fetch_string(reader, path_here), plan, parts.operator->());
  });
  ReadTotals totals = sum_parts(parts);
  if (!totals.problem.found()) {
    totals.problem.sentence = assemble(parts, totals, plan, graph);
    if (totals.problem.sentence.empty()) {
      global_free(parts);
      return "";
    }
    totals.problem.offset = size_line_offset;
  }
  global_free(parts);
  if (totals.problem.found()) return located(path, file.fd(), totals.problem);
  return printable(path) + ": " + totals.problem.sentence;
}

}  // namespace Grappa
