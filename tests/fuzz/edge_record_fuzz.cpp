/// Records of two ids. For any bytes, each id is negative or in the range of the format, and
/// encoding the ids again gives the same bytes.

#include "structures/graph/file/graph_format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cstring>

using namespace Grappa;
using namespace Grappa::detail;

namespace {

constexpr GraphFormat kFormats[] = {GraphFormat::kBintsv4, GraphFormat::kGraph500,
                                    GraphFormat::kPacked48};

void check_records(GraphFormat format, const char* bytes, size_t size) {
  const int64_t each = record_bytes(format);
  const int64_t count = int64_t(size) / each;
  const VertexID largest = largest_id(format);
  std::vector<TupleEdge> edges(static_cast<size_t>(count));
  decode_records(format, bytes, count, edges.data());
  for (int64_t k = 0; k < count; ++k) {
    const TupleEdge& edge = edges[size_t(k)];
    const VertexID low = std::min(edge.v0, edge.v1), high = std::max(edge.v0, edge.v1);
    GRAPPA_CHECK(-largest - 1 <= low && high <= largest) << low << " " << high;
    GRAPPA_CHECK(low >= 0 || format != GraphFormat::kBintsv4) << low;
    if (low < 0) continue;  // readers reject a negative id
    std::vector<char> again(static_cast<size_t>(each));
    encode_records(format, &edge, 1, again.data());
    GRAPPA_CHECK(std::memcmp(again.data(), bytes + k * each, size_t(each)) == 0)
        << format_name(format) << " " << edge.v0 << " " << edge.v1;
  }
}

}  // namespace

std::vector<std::string> fuzz::corpus() {
  std::vector<std::string> files;
  const std::vector<TupleEdge> edges = {{0, 1}, {70000, 3}, {4294967295, 2147483648}, {9, 9}};
  for (size_t k = 0; k < 3; ++k) {
    const int64_t count = int64_t(edges.size());
    std::string file(1 + size_t(count * record_bytes(kFormats[k])), char(k));
    encode_records(kFormats[k], edges.data(), count, &file[1]);
    files.push_back(file);
  }
  return files;
}

/// The first byte selects the format of the rest.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  check_records(kFormats[data[0] % 3], reinterpret_cast<const char*>(data) + 1, size - 1);
  return 0;
}
