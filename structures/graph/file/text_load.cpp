// Reads the lines of a text file, on all cores in parallel: edge lists, Matrix Market and METIS
// files. The number of edges before a core's lines is not known, so every core first collects its
// edges in a buffer. Then all cores move their edges to the global array, while the buffers shrink
// (EdgeBuffer).
//
// Each core has a byte range of the file. In a METIS file, the vertex of a line follows from its
// line number, so the cores first count the lines of their ranges.
//
// One core decompresses a compressed file. It cuts the text into pieces of whole lines, and each
// other core fetches one piece in every round, while the next round is being decompressed. The
// pieces of the two rounds take at most 2 * kRoundBytes, but at least a line each.

#include "structures/graph/file/edge_load.hpp"
#include "structures/graph/file/edge_sets.hpp"
#include "structures/graph/file/gzip.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/spawn.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/completion_event.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string_view>
#include <utility>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr size_t kReadBytes = 4 * MiB;              // lines of a range that are read at a time
constexpr size_t kMetisLineBytes = 256 * MiB;       // about 30 million neighbours
constexpr int64_t kRoundBytes = int64_t{64 * MiB};  // decompressed at a time
constexpr int64_t kPieceBytes = int64_t{1 * MiB};
constexpr int64_t kCheckedBytes = int64_t{256 * MiB};  // decompressed after a bad line

// Sent by value.
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
  const char* marks() const { return has_header() ? kMatrixMarketMarks : kEdgeListMarks; }
  size_t max_line_bytes() const { return is_metis() ? kMetisLineBytes : kMaxLineBytes; }
};

// Parses the lines up to the line that declares the sizes.
class HeaderParser {
 public:
  explicit HeaderParser(TextPlan* plan) : plan_(plan), complete_(!plan->has_header()) {}

  bool complete() const { return complete_; }
  int64_t last_line_bytes() const { return last_line_bytes_; }  // with its '\n'

  // Returns false after the last line of the header, and at a problem.
  bool take(const char* first, const char* last, std::string* problem) {
    if (plan_->is_matrix() && !banner_read_) {
      return banner_read_ = parse_matrix_market_banner(first, last, &plan_->matrix, problem);
    }
    if (is_blank_or_comment(first, last, plan_->marks())) return true;
    last_line_bytes_ = last - first + 1;
    complete_ = plan_->is_matrix() ? parse_matrix_market_size(first, last, &plan_->matrix, problem)
                                   : parse_metis_header(first, last, &plan_->metis, problem);
    return false;
  }

  std::string why_incomplete() const {
    return std::string("the file ends before the ") + (plan_->is_matrix() ? "size" : "header") +
           " line";
  }

 private:
  TextPlan* plan_;
  bool banner_read_ = false;
  bool complete_;
  int64_t last_line_bytes_ = 0;
};

// Checks that the graph fits in memory, and that `bytes` bytes can hold its lines.
FileProblem check_header(const TextPlan& plan, int64_t bytes) {
  if (!plan.has_header()) return FileProblem();
  const bool matrix = plan.is_matrix();
  const int64_t nv = matrix ? plan.matrix.rows : plan.metis.nv;
  const int64_t lines = matrix ? plan.matrix.entries : plan.metis.nv;
  std::string problem = check_id(nv - 1, plan.load,
                                 matrix ? "a matrix of " + std::to_string(nv) + " rows"
                                        : "a graph of " + std::to_string(nv) + " vertices");
  if (problem.empty() && lines > bytes) {
    problem = std::string(matrix ? "the size line declares " : "the header line declares ") +
              std::to_string(lines) + (matrix ? " entries" : " vertices") + ", but only " +
              std::to_string(bytes) + " bytes follow";
  }
  if (problem.empty()) problem = check_edges(matrix ? lines : plan.metis.nedge);
  return problem.empty() ? FileProblem() : FileProblem(plan.header_at, problem);
}

// Parses the lines after the header, on one core.
class LineParser {
 public:
  // In a METIS file, the next line is that of `next_vertex`.
  LineParser(const TextPlan& plan, VertexID next_vertex, GraphPart* part)
      : plan_(plan),
        buffer_(plan.load.buffers.operator->()),
        part_(part),
        next_vertex_(next_vertex) {}

  bool take(const char* first, const char* last, std::string* problem) {
    if (plan_.is_metis()) {
      return is_metis_comment(first, last) || take_list(first, last, next_vertex_++, problem);
    }
    if (is_blank_or_comment(first, last, plan_.marks())) return true;
    TupleEdge edge;
    return (plan_.is_matrix() ? parse_matrix_market_entry(first, last, plan_.matrix, &edge, problem)
                              : parse_edge_list_line(first, last, &edge, problem)) &&
           take_edge(edge, plan_.load, buffer_, part_, problem);
  }

 private:
  bool take_list(const char* first, const char* last, VertexID v, std::string* problem) {
    if (v >= plan_.metis.nv) {
      if (is_blank_or_comment(first, last, plan_.marks())) return true;
      *problem =
          "unexpected line after the line of the last vertex, " + std::to_string(plan_.metis.nv);
      return false;
    }
    const auto visit = [this, v](VertexID neighbour, std::string* its_problem) {
      plan_.sets->add(plan_.key, v, neighbour);
      return v > neighbour || take_edge({v, neighbour}, plan_.load, buffer_, part_, its_problem);
    };
    return parse_metis_line(first, last, plan_.metis, v, visit, problem);
  }

  const TextPlan& plan_;
  EdgeBuffer* const buffer_;
  GraphPart* const part_;
  VertexID next_vertex_;
};

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

FileProblem missing_vertices(const TextPlan& plan, int64_t lines) {
  return {plan.header_at, "the header line declares " + std::to_string(plan.metis.nv) +
                              " vertices, but " + std::to_string(lines) + " lines follow"};
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

// Whole lines of a decompressed text.
struct Piece {
  std::string text;
  int64_t offset;         // in the whole text
  VertexID first_vertex;  // in a METIS file, the vertex of the first line
};
typedef std::vector<Piece> Round;

// Cuts the text of a compressed file into pieces.
class PieceReader {
 public:
  explicit PieceReader(int fd) : gzip_(fd) {}

  const FileProblem& gzip_problem() const { return gzip_.problem(); }

  // Reads the header, and sets the plan.
  FileProblem read_header(TextPlan* plan) {
    HeaderParser header(plan);
    const auto take = [&header](const char* first, const char* last, std::string* problem) {
      return header.take(first, last, problem);
    };
    while (!header.complete()) {
      Piece piece;
      const FileProblem problem = next(int64_t{kMaxLineBytes}, kMaxLineBytes, &piece);
      if (problem.found()) return problem;
      if (piece.text.empty()) return {piece.offset, header.why_incomplete()};
      const FileProblem stop = for_each_line_of(piece.text, piece.offset, take);
      if (stop.found() && !header.complete()) return stop;
      if (!stop.found()) continue;
      plan->header_at = stop.offset;
      const int64_t used = stop.offset - piece.offset + header.last_line_bytes();
      offset_ = piece.offset + std::min(used, int64_t(piece.text.size()));
      text_.insert(0, piece.text, size_t(offset_ - piece.offset));
      has_newline_ = true;
    }
    return check_header(*plan, INT64_MAX);
  }

  // Sets at most one piece for each core that parses, of kRoundBytes in all if no line is longer.
  // Returns the problem of a line that is too long. Suspends.
  FileProblem next_round(const TextPlan& plan, const Progress::Counter& done, Round* round) {
    const int64_t parsers = std::max(cores() - 1, 1);
    const int64_t bytes = std::clamp(kRoundBytes / parsers, int64_t{kMaxLineBytes}, kPieceBytes);
    int64_t left = bytes * parsers;
    round->clear();
    while (int64_t(round->size()) < parsers && left > 0) {
      Piece piece;
      const int64_t used = gzip_.used_bytes();
      const FileProblem problem = next(bytes, plan.max_line_bytes(), &piece);
      if (problem.found()) return problem;
      if (piece.text.empty()) break;
      piece.first_vertex = vertices_;
      if (plan.is_metis()) {
        const auto count = [this](const char* first, const char* last, std::string*) {
          vertices_ += is_metis_comment(first, last) ? 0 : 1;
          return true;
        };
        for_each_line_of(piece.text, 0, count, plan.max_line_bytes());
      }
      left -= int64_t(piece.text.size());
      round->push_back(std::move(piece));
      done.add(gzip_.used_bytes() - used);
      yield();  // starts the parsers, and serves those that fetch their pieces
    }
    return FileProblem();
  }

  int64_t vertices() const { return vertices_; }  // lines of vertices in the pieces

  // Decompresses more text, to find out if damage has caused a bad line. Suspends.
  void look_for_damage() {
    for (int64_t bytes = 0; bytes < kCheckedBytes; bytes += kPieceBytes) {
      text_.clear();
      if (gzip_.read(size_t{kPieceBytes}, &text_) == 0) return;
      yield();
    }
  }

 private:
  // Sets a piece of about `bytes` bytes, or an empty piece at the end of the text.
  FileProblem next(int64_t bytes, size_t max_line_bytes, Piece* piece) {
    size_t line_end = std::string::npos;
    for (bool more = true; more && line_end == std::string::npos;) {
      if (text_.size() > max_line_bytes && !has_newline_) {
        return too_long_line(offset_, max_line_bytes);
      }
      const size_t searched = has_newline_ ? 0 : text_.size();
      has_newline_ = false;  // all of text_ is searched below
      more = gzip_.read(size_t(bytes), &text_) > 0;
      line_end = std::string_view(text_).substr(searched).rfind('\n');
      if (line_end != std::string::npos) line_end += searched;
    }
    const size_t whole = line_end == std::string::npos ? text_.size() : line_end + 1;
    std::string rest = text_.substr(whole);
    text_.resize(whole);
    *piece = Piece{std::move(text_), offset_, 0};
    text_ = std::move(rest);
    offset_ += int64_t(whole);
    return FileProblem();
  }

  GzipReader gzip_;
  std::string text_;          // decompressed, but not yet in a piece
  bool has_newline_ = false;  // text_ may contain whole lines
  int64_t offset_ = 0;        // of text_ in the whole text
  int64_t vertices_ = 0;
};

// A piece on the core that decompresses.
struct RemotePiece {
  RemoteText text;
  int64_t offset;
  VertexID first_vertex;
};

// Parses the piece of this core, if there is one.
void parse_piece(const TextPlan& plan, GlobalAddress<const Round> round, GraphPart* part) {
  const Core reader = round.core();
  part->size = 0;
  if (mycore() == reader && cores() > 1) return;  // it decompresses the next round
  const size_t index =
      size_t(mycore() > reader ? mycore() - 1 : mycore());  // in order of the cores
  const RemotePiece piece = delegate::call(reader, [round, index] {
    const Round& pieces = *round.pointer();
    static const std::string none;
    if (index >= pieces.size()) return RemotePiece{RemoteText(none), 0, 0};
    const Piece& its = pieces[index];
    return RemotePiece{RemoteText(its.text), its.offset, its.first_vertex};
  });
  EdgeBuffer* const buffer = plan.load.buffers.operator->();
  const int64_t before = buffer->size();
  LineParser parser(plan, piece.first_vertex, part);
  const auto take = [&parser](const char* first, const char* last, std::string* sentence) {
    return parser.take(first, last, sentence);
  };
  part->problem = for_each_line_of(piece.text.fetch(), piece.offset, take, plan.max_line_bytes());
  part->size = buffer->size() - before;
}

// Parses a round on all cores, and adds its edges to those of the earlier rounds.
void parse_round(const TextPlan& plan, const Round& round, PartTotals* totals) {
  const GlobalAddress<const Round> here = make_global(&round);
  on_all_cores([plan, here] { parse_piece(plan, here, plan.load.parts.operator->()); });
  const PartTotals its = sum_parts(plan.load.parts);
  end_runs(plan.load, totals->size);
  totals->size += its.size;
  totals->problem = its.problem;
  if (totals->problem.found()) return;
  // The size of the file does not limit the number of its edges.
  const std::string too_large = check_edges(totals->size);
  if (!too_large.empty()) totals->problem = problem_of_file(0, too_large);
}

FileProblem read_gzip(int fd, TextPlan* plan, PartTotals* totals) {
  Progress progress("reading", plan->load.file_bytes, "bytes", plan->load.file_bytes);
  PieceReader reader(fd);
  FileProblem problem = reader.read_header(plan);
  Round rounds[2];  // one is parsed, while the other is decompressed
  CompletionEvent parsed;
  for (int turn = 0; !problem.found(); turn = 1 - turn) {
    Round& round = rounds[turn];
    problem = reader.next_round(*plan, progress.counter(), &round);
    parsed.wait();
    if (totals->problem.found() || round.empty()) break;
    spawn(&parsed, [plan, &round, totals] { parse_round(*plan, round, totals); });
  }
  parsed.wait();
  if (totals->problem.found()) problem = totals->problem;
  if (problem.found()) reader.look_for_damage();
  if (!problem.found()) same_file(fd, plan->load.file_bytes, 0, &problem);
  if (reader.gzip_problem().found()) return reader.gzip_problem();
  if (problem.found()) return problem;
  if (plan->is_metis() && reader.vertices() < plan->metis.nv) {
    return missing_vertices(*plan, reader.vertices());
  }
  on_all_cores([plan = *plan] { plan.load.parts->size = plan.load.buffers->size(); });
  *totals = sum_parts(plan->load.parts);
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
  const std::string problem = empty ? "the graph is empty" : check_edges(totals.size);
  return problem.empty() ? FileProblem() : FileProblem(plan.header_at, problem, !plan.is_matrix());
}

}  // namespace

FileProblem load_text(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph) {
  TextPlan plan = {};
  plan.load = load;
  plan.key = draw_edge_key();
  plan.sets = symmetric<EdgeSets>();
  PartTotals totals;
  FileProblem problem =
      is_gzip(path) ? read_gzip(fd, &plan, &totals) : read_plain(path, fd, &plan, &totals);
  if (!problem.found()) problem = check_totals(plan, totals);
  global_free(plan.sets);
  if (problem.found()) return problem;
  graph->nv = plan.is_matrix()  ? plan.matrix.rows
              : plan.is_metis() ? plan.metis.nv
                                : totals.max_id + 1;
  gather_edges(load, totals.size, totals.largest_size, graph);
  return FileProblem();
}

}  // namespace Grappa::detail
