#include "structures/graph/file/graph_part.hpp"

#include "structures/graph/file/edge_record.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/file/line_range.hpp"
#include "structures/graph/file/open_file.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace Grappa {
namespace detail {
namespace {

// The result of one core's part, without the message.
struct PartSummary {
  int64_t size;
  VertexID max_id;
  int64_t problem_offset;
  bool whole_file;
};

}  // namespace

PartTotals sum_parts(GlobalAddress<GraphPart> parts) {
  PartTotals totals;
  Core worst = 0;
  for (Core c = 0; c < cores(); ++c) {
    const int64_t start = totals.size;
    const PartSummary part = delegate::call(c, [parts, start] {
      GraphPart& mine = *parts.operator->();
      mine.start = start;
      return PartSummary{mine.size, mine.max_id, mine.problem.offset, mine.problem.whole_file};
    });
    totals.size += part.size;
    totals.largest_size = std::max(totals.largest_size, part.size);
    totals.max_id = std::max(totals.max_id, part.max_id);
    if (part.problem_offset < 0) continue;
    if (totals.problem.found() && totals.problem.offset <= part.problem_offset) continue;
    totals.problem.offset = part.problem_offset;
    totals.problem.whole_file = part.whole_file;
    worst = c;
  }
  if (totals.problem.found()) {
    const std::string* sentence =
        delegate::call(worst, [parts] { return &parts->problem.sentence; });
    totals.problem.sentence = fetch_string(make_global(sentence, worst));
  }
  return totals;
}

bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem) {
  const std::string here = " on core " + std::to_string(mycore());
  if (fd < 0) {
    *problem = problem_of_file(begin, "cannot be opened" + here + ": " + std::strerror(errno));
  } else if (file_bytes(fd) != bytes) {
    *problem = problem_of_file(begin, "has " + std::to_string(file_bytes(fd)) + " bytes" + here +
                                          ", but had " + std::to_string(bytes) +
                                          " at the start of the read: all cores must see the "
                                          "same file, and it must not change during the read");
  }
  return !problem->found();
}

std::string check_vertices(const std::string& what, VertexID max_id, int64_t max_vertices) {
  if (max_id < max_vertices) return "";
  const double needed = double(kSmallestVertexBytes) * (double(max_id) + 1);
  return what + " needs " + human_bytes(needed) + " for the vertices; " +
         human_bytes(double(heap_bytes_free())) + " of the global heap are free";
}

std::string check_edges(int64_t nedge) {
  const double needed = tuple_bytes_needed(nedge), available = double(heap_bytes_free());
  if (needed <= available) return "";
  return std::to_string(nedge) + " edges need " + human_bytes(needed) + "; " +
         human_bytes(available) + " of the global heap are free";
}

int64_t most_vertices() { return int64_t(heap_bytes_free() / kSmallestVertexBytes); }

std::string fetch_string(GlobalAddress<const std::string> text) {
  struct Piece {
    char bytes[64];
  };
  std::string copy(delegate::call(text, [](const std::string& its) { return its.size(); }), '\0');
  for (size_t at = 0; at < copy.size(); at += sizeof(Piece)) {
    const Piece piece = delegate::call(text, [at](const std::string& its) {
      Piece next = {};
      its.copy(next.bytes, sizeof next.bytes, at);
      return next;
    });
    copy.replace(at, std::min(sizeof(Piece), copy.size() - at), piece.bytes,
                 std::min(sizeof(Piece), copy.size() - at));
  }
  return copy;
}

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

}  // namespace detail
}  // namespace Grappa
