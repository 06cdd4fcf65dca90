// Reads compressed text. One core decompresses the file. It cuts the text into pieces of whole
// lines, and each other core fetches one piece in every round, while the next round is being
// decompressed. The pieces of a round take at most kRoundBytes, unless one line is longer.

#include "structures/graph/file/text_parser.hpp"
#include "structures/text/piece_reader.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/spawn.hpp"
#include "system/sync/completion_event.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr int64_t kRoundBytes = int64_t{64 * MiB};  // decompressed at a time
constexpr int64_t kPieceBytes = int64_t{1 * MiB};

struct GraphPiece {
  TextPiece lines;
  VertexID first_vertex;  // in a METIS file, the vertex of the first line
};
typedef std::vector<GraphPiece> Round;

// Reads the header, and the pieces of rounds.
class RoundReader {
 public:
  RoundReader(int fd, Compression compression) : pieces_(fd, compression) {}

  PieceReader* pieces() { return &pieces_; }

  // Reads the header, and sets the plan.
  FileProblem read_header(TextPlan* plan) {
    HeaderParser header(plan);
    const auto take = [&header](const char* first, const char* last, std::string* problem) {
      return header.take(first, last, problem);
    };
    while (!header.complete()) {
      TextPiece piece;
      const FileProblem problem = pieces_.next(kMaxLineBytes, kMaxLineBytes, &piece);
      if (problem.found()) return problem;
      if (piece.text.empty()) return {piece.offset, header.why_incomplete()};
      const FileProblem stop = for_each_line_of(piece.text, piece.offset, take);
      if (stop.found() && !header.complete()) return stop;
      if (!stop.found()) continue;
      plan->header_at = stop.offset;
      pieces_.put_back(piece, stop.offset - piece.offset + header.last_line_bytes());
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
      GraphPiece piece = {TextPiece(), vertices_};
      const std::string& text = piece.lines.text;
      const int64_t used = pieces_.used_bytes();
      const FileProblem problem = pieces_.next(size_t(bytes), plan.max_line_bytes(), &piece.lines);
      if (problem.found()) return problem;
      if (text.empty()) break;
      if (plan.is_metis()) {
        const auto count = [this](const char* first, const char* last, std::string*) {
          vertices_ += is_metis_comment(first, last) ? 0 : 1;
          return true;
        };
        for_each_line_of(text, 0, count, plan.max_line_bytes());
      }
      left -= int64_t(text.size());
      round->push_back(std::move(piece));
      done.add(pieces_.used_bytes() - used);
      yield();  // starts the parsers, and serves those that fetch their pieces
    }
    return FileProblem();
  }

  int64_t vertices() const { return vertices_; }  // lines of vertices in the pieces

 private:
  PieceReader pieces_;
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
    const GraphPiece& its = pieces[index];
    return RemotePiece{RemoteText(its.lines.text), its.lines.offset, its.first_vertex};
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
  const std::string too_large = check_edges(totals->size, plan.load);
  if (!too_large.empty()) totals->problem = problem_of_file(0, too_large);
}

}  // namespace

FileProblem read_compressed(int fd, Compression compression, TextPlan* plan, PartTotals* totals) {
  Progress progress("reading", plan->load.file_bytes, "bytes", plan->load.file_bytes);
  RoundReader reader(fd, compression);
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
  if (problem.found()) reader.pieces()->look_for_damage();
  if (!problem.found()) same_file(fd, plan->load.file_bytes, 0, &problem);
  if (reader.pieces()->damage().found()) return reader.pieces()->damage();
  if (problem.found()) return problem;
  if (plan->is_metis() && reader.vertices() < plan->metis.nv) {
    return missing_vertices(*plan, reader.vertices());
  }
  on_all_cores([plan = *plan] { plan.load.parts->size = plan.load.buffers->size(); });
  *totals = sum_parts(plan->load.parts);
  return totals->problem;
}

}  // namespace Grappa::detail
