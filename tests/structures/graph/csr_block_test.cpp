#include "structures/graph/file/csr_format.hpp"

#include "structures/graph/csr/csr.hpp"
#include "structures/text/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>

namespace Grappa {

using namespace detail;

namespace {

typedef std::vector<std::pair<VertexID, VertexID>> Entries;

struct File {
  File() : stream(std::tmpfile(), &std::fclose) {}
  int fd() const { return fileno(stream.get()); }
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream;
};

// Returns the entries of two blocks. The second block has `vertices` vertices. The neighbours are
// the last vertices of the graph. If the graph is large enough, the list of vertex 7 needs more
// than one piece.
Entries sample(int64_t nv, int64_t vertices) {
  Entries entries;
  for (VertexID v = 0; v < 65536 + vertices; v += 1 + v % 7) {
    for (int64_t k = v == 7 ? std::min<int64_t>(nv - 100, 200000) : v % 3; k > 0; --k) {
      if (v != nv - k) entries.emplace_back(v, nv - k);
    }
  }
  return entries;
}

template <class Id>
void write(int fd, const CsrHeader& header, int64_t vertices, const Entries& entries) {
  EntryBuckets<Id> buckets(17, sizeof(Id) == 4 ? 32 : 40);
  for (size_t k = entries.size(); k > 0; --k) {
    buckets.add({static_cast<Id>(entries[k - 1].first), static_cast<Id>(entries[k - 1].second)});
  }
  int64_t written = 0;
  ASSERT_TRUE(write_csr_blocks(fd, header, 0, 2, header.table_end(), &buckets,
                               [&written](int64_t count) { written += count; }));
  EXPECT_EQ(written, 65536 + vertices);
}

template <class Id>
Entries read(int fd, const CsrHeader& header, int64_t vertices, int64_t entries) {
  CsrRow rows[3];
  EXPECT_EQ(read_fully(fd, reinterpret_cast<char*>(rows), 2 * kCsrRowBytes, kCsrHeaderBytes),
            2 * kCsrRowBytes);
  rows[2].offset = uint64_t(header.table_end() + (65536 + vertices) * kCsrCountBytes +
                            entries * header.id_bytes());
  Entries found, stored;
  const auto add = [&found](const CsrPiece<Id>& piece) {
    for (int64_t k = 0; k < piece.count; ++k) found.emplace_back(piece.vertex, piece.neighbours[k]);
  };
  for (int64_t block = 0; block < 2; ++block) {
    const uint64_t end = rows[block + 1].offset;
    EXPECT_EQ(check_csr_row(header, block, rows[block], end), "");
    std::vector<uint32_t> lengths(static_cast<size_t>(header.vertices_of(block)));
    std::vector<Id> ids(static_cast<size_t>(entries_of_row(header, block, rows[block], end)));
    EXPECT_EQ(
        read_csr_block<Id>(fd, header, block, rows[block], end, lengths.data(), ids.data(), add),
        "");
    size_t next = 0;
    for (size_t k = 0; k < lengths.size(); ++k) {
      for (uint32_t i = 0; i < lengths[k]; ++i) {
        stored.emplace_back(block * kCsrBlockVertices + int64_t(k), ids[next++]);
      }
    }
  }
  EXPECT_TRUE(stored == found);
  return found;
}

template <class Id>
void there_and_back(int64_t nv, int64_t vertices) {
  CsrHeader header;
  header.nv = nv;
  Entries entries = sample(nv, vertices);
  header.entries = int64_t(entries.size());
  ASSERT_EQ(header.id_bytes(), int64_t(sizeof(Id)));
  const File file;
  write<Id>(file.fd(), header, vertices, entries);
  std::sort(entries.begin(), entries.end());
  EXPECT_TRUE(read<Id>(file.fd(), header, vertices, int64_t(entries.size())) == entries);
}

TEST(CsrBlock, IsReadAsItWasWritten) { there_and_back<uint32_t>(65536 * 5, 65536); }

TEST(CsrBlock, IsShorterAtTheEndOfAGraph) { there_and_back<uint32_t>(65536 + 9, 9); }

// A complete file of this graph would be too large for a test, so the test writes only two blocks.
TEST(CsrBlock, HasIdsOf64BitsInAGraphOfMoreThan2To32Vertices) {
  there_and_back<uint64_t>((int64_t(1) << 32) + 1, 65536);
}

TEST(CsrBlock, IsRefusedIfTheFileEndsInIt) {
  CsrHeader header;
  header.nv = 100;
  header.entries = 1;
  const File file;
  const CsrRow row = {uint64_t(header.table_end()), 0};
  const auto visit = [](const CsrPiece<uint32_t>&) { ADD_FAILURE() << "a block without its ids"; };
  uint32_t lengths[100], id;
  EXPECT_EQ(read_csr_block<uint32_t>(file.fd(), header, 0, row, uint64_t(header.bytes()), lengths,
                                     &id, visit),
            "block 0 (vertices 0 to 99) at byte 72 ends at byte 72: the file was "
            "truncated while it was read");
}

TEST(CsrBlock, IsNotWrittenToAFullDisk) {
  const OpenFile full("/dev/full", O_WRONLY);
  EntryBuckets<uint32_t> buckets(6, 6);
  buckets.add({0, 1});
  CsrHeader header;
  header.nv = 2;
  header.entries = 1;
  EXPECT_FALSE(write_csr_blocks(full.fd(), header, 0, 1, header.table_end(), &buckets,
                                [](int64_t) { ADD_FAILURE() << "a piece was written"; }));
  EXPECT_EQ(errno, ENOSPC);
}

}  // namespace
}  // namespace Grappa
