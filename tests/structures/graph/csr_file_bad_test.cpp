#include "structures/graph/csr/csr.hpp"

#include "tests/structures/graph/csr_files.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace Grappa { namespace {

TEST(BadCsrFile, IsRefusedIfItIsNotASavedGraph) {
  EXPECT_EQ(load_problem<Small>("/nowhere/graph"), "cannot be opened: No such file or directory");
  EXPECT_EQ(load_problem<Small>("/"), "is a directory, expected a file");
  EXPECT_EQ(load_problem<Small>("/dev/zero"),
            "is not a regular file, so the cores cannot share it");
  const Folder folder;
  ASSERT_EQ(::mkfifo(folder.file("fifo").c_str(), 0600), 0);
  EXPECT_EQ(load_problem<Small>(folder.file("fifo")),
            "is not a regular file, so the cores cannot share it");
  EXPECT_EQ(problem_with(""), "is empty");
  EXPECT_EQ(problem_with("0 1\n1 2\n"), "is not a saved graph: the magic number does not match");
  EXPECT_EQ(problem_with("\x89Grappa\n"), "has 8 bytes, too few for the header of a saved graph");
  EXPECT_EQ(problem_with(header(2, 0, 1, 0, 1)),
            "is a saved graph of version 2, expected version 1");
}

TEST(BadCsrFile, IsRefusedIfItWasTruncatedAnywhere) {
  const std::string good = small_file(0, {2, 0, 1, 1}, {2, 3, 0, 0});
  ASSERT_EQ(problem_with(good), "none");
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_NE(problem_with(good.substr(0, size)), "none") << size;
  }
  EXPECT_EQ(problem_with(good.substr(0, 100)),
            "has 100 bytes, expected 104 for a graph of 4 vertices and 4 entries: the file is "
            "truncated");
  EXPECT_EQ(problem_with(good + "x"),
            "has 105 bytes, expected 104 for a graph of 4 vertices and 4 entries: the end of the "
            "file has extra bytes");
}

TEST(BadCsrFile, IsRefusedWhicheverByteIsDamaged) {
  std::string bytes = saved(40, kronecker_edges(5, 60), true);
  ASSERT_EQ(problem_with(bytes), "none");
  for (size_t k = 0; k < bytes.size(); ++k) {
    const char damage = static_cast<char>(1 << k % 8);
    bytes[k] = static_cast<char>(bytes[k] ^ damage);
    const std::string problem = problem_with(bytes);
    const char* const expected =
        k < 8    ? "is not a saved graph: the magic number does not match"
        : k < 12 ? "is a saved graph of version "
        : k < 56 ? "the header at byte 0 is damaged: its checksum does not match"
        : k < 64 ? "the table at byte 56 has an invalid range for block 0: bytes "
                 : "block 0 (vertices 0 to 39) at byte 72 is damaged: its "
                   "checksum does not match the table";
    EXPECT_EQ(problem.find(expected), 0u) << "byte " << k << ": " << problem;
    bytes[k] = static_cast<char>(bytes[k] ^ damage);
  }
}

// The checksums of these files are correct, but all files except the first are invalid.
TEST(BadCsrFile, IsRefusedIfItsListsAreInvalid) {
  const std::string block0 = "block 0 (vertices 0 to 2) at byte 72 ";
  EXPECT_EQ(problem_with(small_file(1, {1, 1, 1}, {1, 2, 0})), "none");
  EXPECT_EQ(problem_with(small_file(1, {1, 1, 1}, {1, 3, 0})),
            block0 + "has the neighbour 3 of vertex 1, which does not exist");
  EXPECT_EQ(problem_with(small_file(1, {1, 1, 1}, {1, 1, 0})),
            block0 + "has the neighbour 1 of vertex 1, which is the vertex itself");
  EXPECT_EQ(problem_with(small_file(1, {2, 0, 1}, {2, 1, 0})),
            block0 + "has the neighbour 1 of vertex 0, but the list is not in ascending order");
  EXPECT_EQ(problem_with(small_file(1, {2, 0, 1}, {1, 1, 0})),
            block0 + "has the neighbour 1 of vertex 0, but the list is not in ascending order");
  EXPECT_EQ(problem_with(small_file(1, {1, 1, 2}, {1, 2, 0})),
            block0 + "has lists of 4 entries, but space for 3");
  EXPECT_EQ(problem_with(small_file(1, {4294967295, 4294967295, 2}, {1, 2, 0})),
            block0 + "has lists of 8589934592 entries, but space for 3");
  EXPECT_EQ(problem_with(small_file(0, {1, 1, 0}, {1, 2})),
            "the graph is undirected, but an edge is in the list of only one of its vertices");
}

// A hash function for edges. An attacker can compute its values.
uint64_t known_hash(VertexID low, VertexID high) {
  uint64_t x = static_cast<uint64_t>(low) * 0x9e3779b97f4a7c15 ^ static_cast<uint64_t>(high);
  for (int round = 0; round < 2; ++round) x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

// Returns vertices w such that the exclusive or of the hashes of all edges from 0 to w is 0. Among
// 65 numbers of 64 bits there is always such a subset, and Gaussian elimination finds this subset.
std::vector<VertexID> edges_that_cancel_out() {
  std::vector<std::pair<uint64_t, std::set<VertexID>>> rows;
  for (VertexID w = 1;; ++w) {
    uint64_t hash = known_hash(0, w);
    std::set<VertexID> sum = {w};
    for (const auto& row : rows) {
      if ((hash ^ row.first) >= hash) continue;
      hash ^= row.first;
      for (const VertexID id : row.second) {
        if (!sum.erase(id)) sum.insert(id);
      }
    }
    if (hash == 0) return std::vector<VertexID>(sum.begin(), sum.end());
    rows.emplace_back(hash, sum);
    std::sort(rows.rbegin(), rows.rend());
  }
}

TEST(BadCsrFile, IsRefusedIfEdgesInOneListWereChosenToCancelOut) {
  const std::string one_sided =
      "the graph is undirected, but an edge is in the list of only one of its vertices";
  Lists lists(100);
  lists[0] = edges_that_cancel_out();
  ASSERT_LT(lists[0].back(), 100);
  EXPECT_EQ(problem_with(file_of(false, lists)), one_sided);
  // The number of edges in the lists of their smaller endpoints equals the number of edges in the
  // lists of their larger endpoints.
  EXPECT_EQ(problem_with(file_of(false, {{1}, {}, {1}})), one_sided);
  EXPECT_EQ(problem_with(file_of(false, {{1, 3}, {0, 2}, {}, {2}})), one_sided);
  EXPECT_EQ(problem_with(file_of(false, {{1, 3}, {0, 2}, {1}, {0}})), "none");
}

TEST(BadCsrFile, IsRefusedIfItsHeaderIsInconsistent) {
  const std::string rest(16 + 4 * 4, '\0');
  const std::string odd =
      "the header is not consistent with a graph of 4 vertices and "
      "0 entries";
  EXPECT_EQ(problem_with(header(1, 2, 4, 0, 1) + rest), odd);
  EXPECT_EQ(problem_with(header(1, 0, 4, 0, 1, 8) + rest), odd);
  EXPECT_EQ(problem_with(header(1, 0, 4, 0, 1, 4, 65535) + rest), odd);
  EXPECT_EQ(problem_with(header(1, 0, 4, 0, uint64_t(1) << 60) + rest), odd);
  const uint64_t most = ~uint64_t(0);
  EXPECT_EQ(
      problem_with(header(1, 0, most, 0, 1) + rest),
      "has 88 bytes, too few for a graph of 18446744073709551615 vertices and 0 entries, which "
      "the header describes");
  EXPECT_EQ(
      problem_with(header(1, 0, 4, uint64_t(1) << 63, 1) + rest),
      "has 88 bytes, too few for a graph of 4 vertices and 9223372036854775808 entries, which "
      "the header describes");
  EXPECT_EQ(problem_with(header(1, 0, 2, 3, 1) + std::string(16 + 2 * 4 + 3 * 4, '\0')),
            "the header describes a graph of 2 vertices and 3 entries: more entries than such a "
            "graph can have");
  EXPECT_EQ(problem_with(header(1, 0, 0, 3, 0) + std::string(12, '\0')),
            "the header describes a graph of 0 vertices and 3 entries: more entries than such a "
            "graph can have");
}

// The file has three blocks, and two of them are damaged. On any number of cores, the error names
// the first damaged block.
TEST(BadCsrFile, IsReportedByItsFirstBadBlock) {
  const int64_t nv = 3 * 65536;
  std::string bytes = saved(nv, {{0, 1}}, false);
  const size_t first = 56 + 3 * 16;
  bytes[bytes.size() - 1] = 'x';
  EXPECT_EQ(problem_with(bytes),
            "block 2 (vertices 131072 to 196607) at byte 524400 is damaged: its checksum does "
            "not match the table");
  bytes[first + 4 * 65536 + 12] = 'x';
  EXPECT_EQ(problem_with(bytes),
            "block 1 (vertices 65536 to 131071) at byte 262256 is damaged: its checksum does "
            "not match the table");
}

TEST(BadCsrFile, IsRefusedIfItsBlocksAreMisplaced) {
  const int64_t nv = 2 * 65536;
  const std::string bytes = saved(nv, {{0, 1}}, false);
  const auto with_offset = [&bytes](uint64_t offset) {
    std::string text = bytes;
    return text.replace(56 + 16, 8, number(offset, 8));
  };
  ASSERT_EQ(problem_with(with_offset(88 + 4 * 65536 + 8)), "none");
  for (const uint64_t offset : {uint64_t(0), uint64_t(88), uint64_t(88 + 4 * 65536 - 4),
                                uint64_t(88 + 4 * 65536 + 6), uint64_t(1) << 63, ~uint64_t(0)}) {
    EXPECT_EQ(problem_with(with_offset(offset)),
              "the table at byte 56 has an invalid range for block 0: bytes 88 to " +
                  std::to_string(offset));
  }
  EXPECT_EQ(problem_with(with_offset(88 + 4 * 65536 + 4)),
            "block 0 (vertices 0 to 65535) at byte 88 is damaged: its checksum does not match the "
            "table");
}

// Extends the file to `bytes` bytes. The file is sparse, so it takes no space on the disk.
std::string problem_with_hole(const std::string& first, int64_t bytes) {
  const GraphFile file(".graph", first);
  if (::truncate(file.path().c_str(), bytes) != 0) return "no room";
  return load_problem<Large>(file.path());
}

TEST(BadCsrFile, IsRefusedIfItsGraphDoesNotFitInMemory) {
  const int64_t nv = int64_t(1) << 38, blocks = nv >> 16;
  std::string problem = problem_with_hole(header(1, 0, uint64_t(nv), 0, uint64_t(blocks), 8),
                                          56 + blocks * 16 + nv * 4);
  EXPECT_TRUE(problem == "no room" || problem.find("274877906944 vertices need 18.0 TiB; ") == 0)
      << problem;
  const int64_t entries = int64_t(1) << 41;
  problem = problem_with_hole(header(1, 1, 1 << 21, uint64_t(entries), 32),
                              56 + 32 * 16 + (4 << 21) + entries * 4);
  EXPECT_TRUE(problem == "no room" ||
              problem.find("2199023255552 entries need 16.0 TiB while they are loaded; ") == 0)
      << problem;
}

}}  // namespace Grappa
