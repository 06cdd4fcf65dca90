/// Saved graphs. For any bytes, the header and each block are valid or are rejected with a message.
/// The entries of a valid block form lists of neighbours. Most mutations only invalidate a
/// checksum, so each input is tried twice, the second time with correct checksums.

#include "structures/graph/file/csr_format.hpp"
#include "structures/text/open_file.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <unistd.h>

using namespace Grappa;
using namespace Grappa::detail;

namespace {

typedef std::vector<std::vector<uint32_t>> Lists;

template <class T>
void append(std::string* text, T number) {
  text->append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string file_of(const Lists& lists) {
  CsrHeader header;
  header.nv = int64_t(lists.size());
  header.directed = true;
  std::string block;
  for (const auto& list : lists) append(&block, uint32_t(list.size()));
  for (const auto& list : lists) {
    header.entries += int64_t(list.size());
    for (const uint32_t id : list) append(&block, id);
  }
  std::string text(size_t(kCsrHeaderBytes), '\0');
  encode_csr_header(header, &text[0]);
  append(&text, uint64_t(header.table_end()));
  append(&text, checksum_of(block.data(), block.size()));
  return text + block;
}

/// Corrects the checksums that are inside the file.
void repair(std::string* text) {
  const size_t covered = size_t(kCsrHeaderBytes) - 8, row = size_t(kCsrHeaderBytes);
  if (text->size() < size_t(kCsrHeaderBytes)) return;
  const uint64_t sum = checksum_of(text->data(), covered);
  std::memcpy(&(*text)[covered], &sum, 8);
  if (text->size() < row + size_t(kCsrRowBytes)) return;
  uint64_t offset;
  std::memcpy(&offset, &(*text)[row], 8);
  if (offset > text->size()) return;
  const uint64_t sum_of_block =
      checksum_of(&(*text)[size_t(offset)], text->size() - size_t(offset));
  std::memcpy(&(*text)[row + 8], &sum_of_block, 8);
}

void check_block(int fd, const CsrHeader& header, int64_t block, const CsrRow& row, uint64_t end) {
  int64_t entries = 0;
  VertexID vertex = -1, last = -1;
  const auto check_piece = [&](const CsrPiece<uint32_t>& piece) {
    GRAPPA_CHECK(piece.count > 0 && piece.vertex >= vertex && piece.vertex < header.nv);
    if (piece.vertex != vertex) last = -1;
    vertex = piece.vertex;
    for (int64_t k = 0; k < piece.count; ++k) {
      const VertexID id = piece.neighbours[k];
      GRAPPA_CHECK(last < id && id < header.nv && id != vertex) << id;
      last = id;
    }
    entries += piece.count;
    GRAPPA_CHECK(entries <= header.entries) << entries;
  };
  std::string problem = check_csr_row(header, block, row, end);
  if (problem.empty()) {
    std::vector<uint32_t> lengths(size_t(header.vertices_of(block)));
    std::vector<uint32_t> ids(size_t(entries_of_row(header, block, row, end)));
    problem = read_csr_block<uint32_t>(fd, header, block, row, end, lengths.data(), ids.data(),
                                       check_piece);
  }
  if (!problem.empty()) fuzz::check_sentence(problem);
}

void check_file(const std::string& text) {
  static std::FILE* const stream = std::tmpfile();
  const int fd = fileno(stream);
  GRAPPA_CHECK(::ftruncate(fd, 0) == 0 && write_fully(fd, text.data(), int64_t(text.size()), 0));
  char bytes[kCsrHeaderBytes] = {};
  std::memcpy(bytes, text.data(), std::min(text.size(), sizeof bytes));
  CsrHeader header;
  const std::string problem = parse_csr_header(bytes, int64_t(text.size()), &header);
  if (!problem.empty()) return fuzz::check_sentence(problem);
  GRAPPA_CHECK(header.bytes() == int64_t(text.size()));
  for (int64_t block = 0; block < header.blocks(); ++block) {
    CsrRow rows[2] = {};
    std::memcpy(rows, &text[size_t(kCsrHeaderBytes + block * kCsrRowBytes)], sizeof rows[0]);
    rows[1].offset = text.size();
    check_block(fd, header, block, rows[0], rows[1].offset);
  }
}

}  // namespace

std::vector<std::string> fuzz::corpus() {
  return {file_of({}), file_of({{}}), file_of({{1, 2, 5}, {}, {0}, {0, 1, 4}, {2}, {}}),
          file_of(Lists(99, {100})), file_of(Lists(200))};
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  check_file(text);
  repair(&text);
  check_file(text);
  return 0;
}
