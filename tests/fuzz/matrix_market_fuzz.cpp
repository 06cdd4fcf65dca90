/// A Matrix Market file, line by line: banner, size and entries. Parsed values do not change if
/// they are written and read, and entries are within the matrix.

#include "structures/graph/file/text_format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cstring>

using namespace Grappa;
using namespace Grappa::detail;

std::vector<std::string> fuzz::corpus() {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  return {banner + "pattern general\n3 3 2\n1 1\n3 2\n",
          banner + "pattern symmetric\n% comment\n\n5 5 2\n5 1\n2 2\n",
          banner + "real general\r\n4 4 3\r\n1 4 0.5\r\n2 2 -1e-3\r\n4 4 +7\r\n",
          banner + "INTEGER Symmetric\n9 9 1\n9 8 -12\n",
          banner + "pattern general\n9223372036854775807 9223372036854775807 1\n1 2\n"};
}

namespace {

void check_problem(bool good, const std::string& problem) {
  GRAPPA_CHECK(good == problem.empty()) << problem;
  if (!good) fuzz::check_sentence(problem);
}

void check_header(const MatrixMarketHeader& header) {
  GRAPPA_CHECK(header.rows >= 0 && header.entries >= 0) << header.rows << " " << header.entries;
  const std::string text = matrix_market_header(header.rows, header.entries);
  const char* const newline = std::strchr(text.c_str(), '\n');
  MatrixMarketHeader again = {};
  std::string problem;
  GRAPPA_CHECK(parse_matrix_market_banner(text.c_str(), newline, &again, &problem)) << problem;
  GRAPPA_CHECK(
      parse_matrix_market_size(newline + 1, text.c_str() + text.size() - 1, &again, &problem))
      << problem;
  GRAPPA_CHECK(again.rows == header.rows && again.entries == header.entries) << text;
}

void check_entry(const char* first, const char* last, const MatrixMarketHeader& header) {
  if (is_blank_or_comment(first, last, kMatrixMarketMarks)) return;
  TupleEdge edge = {-1, -1};
  EdgeAttributes attributes = {};
  std::string problem;
  const bool good = parse_matrix_market_entry(first, last, header, &edge, &attributes, &problem);
  check_problem(good, problem);
  if (!good) return;
  for (const VertexID id : {edge.v0, edge.v1}) {
    GRAPPA_CHECK(0 <= id && id < header.rows) << id << " of " << header.rows;
  }
  char line[kMostLineBytes];
  char* const end = write_edge_line(edge, 1, ' ', line);
  const MatrixMarketHeader pattern = {MatrixField::kPattern, header.rows, 1};
  TupleEdge again = {-1, -1};
  GRAPPA_CHECK(parse_matrix_market_entry(line, end - 1, pattern, &again, &attributes, &problem))
      << problem;
  GRAPPA_CHECK(again == edge) << again.v0 << " " << again.v1;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* first = reinterpret_cast<const char*>(data);
  const char* const last = first + size;
  // After a bad banner or size line, the entries are parsed with this header.
  MatrixMarketHeader header = {MatrixField::kReal, 5, 9};
  for (int number = 0;; ++number) {
    const void* found = first == last ? nullptr : std::memchr(first, '\n', size_t(last - first));
    const char* const end = found ? static_cast<const char*>(found) : last;
    std::string problem;
    MatrixMarketHeader read = header;
    const bool banner = parse_matrix_market_banner(first, end, &read, &problem);
    check_problem(banner, problem);
    problem.clear();
    const bool counts = parse_matrix_market_size(first, end, &read, &problem);
    check_problem(counts, problem);
    if (counts) check_header(read);
    if (number < 4 && (banner || counts)) header = read;
    check_entry(first, end, header);
    if (!found) return 0;
    first = end + 1;
  }
}
