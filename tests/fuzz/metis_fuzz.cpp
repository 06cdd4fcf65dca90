/// A METIS file, line by line: header and lists. Neighbours are other vertices of the graph, and a
/// line without weights that is written from the neighbours gives the same neighbours.

#include "structures/graph/file/text_format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <vector>

using namespace Grappa;
using namespace Grappa::detail;

std::vector<std::string> fuzz::corpus() {
  return {"5 3\n2 4\n1 4\n\n1 2\n\n", "% c\n3 2 011 2\n9 8 2 5\r\n1 1 1 5 3 7\n0 0 2 7\n",
          "2 1 100\n7 2\n0 1\n", "4 1 1\n3 -0.5\n\n1 1e3\n", "9223372036854775806 1\n2\n1\n"};
}

namespace {

bool parse_list(const std::string& line, const MetisHeader& header, VertexID v,
                std::vector<VertexID>* list) {
  std::string problem;
  const auto visit = [&](VertexID neighbour, double, std::string*) {
    GRAPPA_CHECK(0 <= neighbour && neighbour < header.nv && neighbour != v) << neighbour;
    list->push_back(neighbour);
    return true;
  };
  const bool good =
      parse_metis_line(line.data(), line.data() + line.size(), header, v, visit, &problem);
  GRAPPA_CHECK(good == problem.empty()) << problem;
  if (!good) fuzz::check_sentence(problem);
  return good;
}

void check_list(const std::string& line, const MetisHeader& header, VertexID v) {
  std::vector<VertexID> list, again;
  if (!parse_list(line, header, v, &list)) return;
  std::string text;
  for (const VertexID neighbour : list) text += std::to_string(neighbour + 1) + " ";
  const MetisHeader plain = {header.nv, 0, 0, false};
  GRAPPA_CHECK(parse_list(text, plain, v, &again) && again == list) << text;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  // After a bad header line, the lists are parsed with this header.
  MetisHeader header = {5, 9, 0, true};
  VertexID v = 0;
  for (size_t first = 0; first < size;) {
    const size_t end = std::min(text.find('\n', first), size);
    const std::string line = text.substr(first, end - first);
    first = end + 1;
    std::string problem;
    MetisHeader read = header;
    const bool good = parse_metis_header(line.data(), line.data() + line.size(), &read, &problem);
    GRAPPA_CHECK(good == problem.empty()) << problem;
    if (!good) fuzz::check_sentence(problem);
    if (good) GRAPPA_CHECK(read.nv > 0 && read.nedge >= 0 && read.weights >= 0) << line;
    if (good && v == 0) header = read;
    if (is_metis_comment(line.data(), line.data() + line.size()) || v == header.nv) continue;
    check_list(line, header, v++);
  }
  return 0;
}
