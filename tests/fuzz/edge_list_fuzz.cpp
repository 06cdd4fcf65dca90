/// A line of an edge list gives an error message, or an edge that is equal after a write and a
/// read.

#include "structures/graph/file/text_format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>

using namespace Grappa;
using namespace Grappa::detail;

std::vector<std::string> fuzz::corpus() {
  return {"0 1",
          "12\t34",
          "7 8 0.5",
          "7 8 -1e300 1700000000",
          "# comment",
          "% 1 2",
          "1 2\r",
          "",
          "  3   4  ",
          "5 5 +7",
          "9223372036854775807 9223372036854775807",
          "1000000 999999 3.25 12"};
}

namespace {

void check_edge(const TupleEdge& edge, char separator) {
  GRAPPA_CHECK(edge.v0 >= 0 && edge.v1 >= 0) << edge.v0 << " " << edge.v1;
  char line[kMostLineBytes];
  char* const end = write_edge_line(edge, 0, separator, line);
  GRAPPA_CHECK(end[-1] == '\n');
  TupleEdge again = {-1, -1};
  std::string problem;
  GRAPPA_CHECK(parse_edge_list_line(line, end - 1, &again, nullptr, &problem)) << problem;
  GRAPPA_CHECK(again == edge) << again.v0 << " " << again.v1 << " for " << edge.v0 << " "
                              << edge.v1;
}

void check_line(const char* first, const char* last) {
  if (is_blank_or_comment(first, last, kEdgeListMarks)) return;
  TupleEdge edge = {-1, -1};
  std::string problem;
  const bool good = parse_edge_list_line(first, last, &edge, nullptr, &problem);
  GRAPPA_CHECK(problem.empty() == good) << problem;
  TupleEdge weighted = {-1, -1};
  EdgeAttributes attributes = {};
  std::string its_problem;
  const bool has_weight = parse_edge_list_line(first, last, &weighted, &attributes, &its_problem);
  GRAPPA_CHECK(its_problem.empty() == has_weight) << its_problem;
  GRAPPA_CHECK(!has_weight || (good && weighted == edge)) << problem;
  if (!good) return fuzz::check_sentence(problem);
  GRAPPA_CHECK(std::count_if(first, last, [](char c) { return '0' <= c && c <= '9'; }) >= 2)
      << "an edge with fewer than two digits";
  check_edge(edge, ' ');
  check_edge(edge, '\t');
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* first = reinterpret_cast<const char*>(data);
  const char* const last = first + size;
  check_line(first, last);
  for (const char* at = first; at != last; ++at) {
    if (*at != '\n') continue;
    check_line(first, at);
    first = at + 1;
  }
  check_line(first, last);
  return 0;
}
