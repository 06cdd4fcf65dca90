#include "structures/graph/file/gap_format.hpp"

#include <cstring>

namespace Grappa::detail {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "numbers are copied in memory order, and the files are little-endian");
static_assert(sizeof(GapWeightedEntry) == 8, "no padding");

constexpr int64_t kEntriesAt = 1, kVerticesAt = 9;

}  // namespace

std::string gap_header_bytes(const GapHeader& header) {
  std::string bytes(size_t{kGapHeaderBytes}, header.directed ? '\1' : '\0');
  std::memcpy(&bytes[kEntriesAt], &header.entries, sizeof header.entries);
  std::memcpy(&bytes[kVerticesAt], &header.nv, sizeof header.nv);
  return bytes;
}

FileProblem read_gap_header(int fd, int64_t file_bytes, bool weighted, GapHeader* header) {
  const std::string has = "has " + std::to_string(file_bytes) + " bytes, ";
  if (file_bytes < kGapHeaderBytes) {
    return problem_of_file(
        0, has + "but the header of a GAP graph has " + std::to_string(kGapHeaderBytes));
  }
  constexpr int64_t kMostBytes = int64_t{1} << 60;  // no sum of sizes overflows
  if (file_bytes > kMostBytes) return problem_of_file(0, has + "more than a GAP graph can have");
  char bytes[kGapHeaderBytes];
  const int64_t got = read_fully(fd, bytes, kGapHeaderBytes, 0);
  if (got < 0) return {0, with_errno("cannot be read")};
  if (got < kGapHeaderBytes) return {got, kFileEndsEarly};
  std::memcpy(&header->entries, bytes + kEntriesAt, sizeof header->entries);
  std::memcpy(&header->nv, bytes + kVerticesAt, sizeof header->nv);
  header->directed = bytes[0] != 0;
  header->entry_bytes = weighted ? 8 : 4;
  if (bytes[0] != 0 && bytes[0] != 1) {
    return {0, "the first byte is " + std::to_string(static_cast<unsigned char>(bytes[0])) +
                   ", expected 0 (undirected) or 1 (directed)"};
  }
  const std::string entries = std::to_string(header->entries) + " entries";
  const std::string graph = "a" + std::string(header->directed ? " directed" : "n undirected") +
                            (weighted ? " weighted" : "") + " graph of " +
                            std::to_string(header->nv) + " vertices and " + entries;
  if (header->entries < 0 || header->entries > file_bytes / header->entry_bytes) {
    return {kEntriesAt, "the header declares " + entries + ", but the file has " +
                            std::to_string(file_bytes) + " bytes"};
  }
  if (header->nv < 0 || header->nv > kMostGapVertices) {
    return {kVerticesAt, "the header declares " + std::to_string(header->nv) +
                             " vertices, expected 1 to " + std::to_string(kMostGapVertices)};
  }
  if (header->nv == 0) return {kVerticesAt, "the graph is empty"};
  if (header->bytes() != file_bytes) {
    return problem_of_file(
        0, has + "expected " + std::to_string(header->bytes()) + " for " + graph +
               (file_bytes < header->bytes() ? ": the file is truncated"
                                             : ": the end of the file has extra bytes"));
  }
  return FileProblem();
}

}  // namespace Grappa::detail
