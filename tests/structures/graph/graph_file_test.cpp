#include "structures/graph/file/file_parts.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/text/open_file.hpp"
#include "tests/structures/graph/graph_files.hpp"

#include <gtest/gtest.h>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>

namespace Grappa {

using namespace detail;

namespace {

// Encodes graph500 records. Accepts negative ids, which encode_records rejects.
std::string graph500(const Edges& edges) {
  std::string bytes;
  for (const TupleEdge& edge : edges) {
    for (const VertexID id : {edge.v0, edge.v1}) {
      for (int shift = 0; shift < 64; shift += 8) bytes += char(uint64_t(id) >> shift & 0xff);
    }
  }
  return bytes;
}

std::string records(const std::string& suffix, const Edges& edges) {
  const GraphFormat format = graph_format("a" + suffix, "");
  std::string bytes(edges.size() * size_t(record_bytes(format)), '\0');
  encode_records(format, edges.data(), int64_t(edges.size()), &bytes[0]);
  return bytes;
}

Edges some_edges(int64_t n) {
  Edges edges;
  for (int64_t i = 0; i < n; ++i) edges.push_back(TupleEdge{i * i % 1999, i % 2999});
  return edges;
}

TEST(RecordFile, KeepsItsOrderOnAnyNumberOfCores) {
  for (const char* suffix : {".bintsv4", ".graph500", ".packed48"}) {
    expect_graph(suffix, records(suffix, {{3, 4}}), 5, {{3, 4}});
    const Edges edges = some_edges(3001);
    expect_graph(suffix, records(suffix, edges), 2999, edges);
  }
}

// The file is so large that each core reads more than one piece.
TEST(RecordFile, MayBeLarge) {
  const Edges edges = some_edges(600000);
  expect_graph(".packed48", records(".packed48", edges), 2999, edges);
}

TEST(RecordFile, IsRefusedIfItEndsInsideARecord) {
  const std::string bytes = records(".packed48", {{1, 2}, {3, 4}});
  EXPECT_EQ(problem_of(".packed48", bytes.substr(1)),
            ": has 23 bytes, which is not a multiple of the 12 bytes of a packed48 edge");
  EXPECT_EQ(problem_of(".graph500", "1 2\n"),
            ": has 4 bytes, which is not a multiple of the 16 bytes of a graph500 edge");
  EXPECT_EQ(problem_of(".bintsv4", ""), ": is empty");
}

TEST(RecordFile, IsRefusedAtItsFirstNegativeIdOnAnyNumberOfCores) {
  Edges edges = some_edges(1000);
  edges[399] = TupleEdge{7, -1};
  edges[400] = edges[999] = TupleEdge{-2, -3};
  EXPECT_EQ(problem_of(".graph500", graph500(edges)),
            ": record 400 at byte 6384: vertex id -1 is negative");
  std::string packed = records(".packed48", {{1, 2}, {3, 4}});
  packed[21] = char(0x80);
  EXPECT_EQ(problem_of(".packed48", packed),
            ": record 2 at byte 12: vertex id -140737488355325 is negative");
}

TEST(RecordFile, IsRefusedIfAnIdNeedsMoreMemoryThanThereIs) {
  const size_t before = heap_bytes_free();
  const std::string problem = problem_of(".graph500", graph500({{1, 2}, {int64_t(1) << 62, 1}}));
  EXPECT_EQ(problem.find(": record 2 at byte 16: vertex id 4611686018427387904 needs 64.0 EiB for "
                         "the vertices; "),
            0u)
      << problem;
  EXPECT_EQ(heap_bytes_free(), before);
}

// The file is sparse and takes no space on the disk, so the file may have any size.
TEST(RecordFile, IsRefusedIfItsEdgesNeedMoreMemoryThanThereIs) {
  const GraphFile file(".bintsv4", "");
  ASSERT_EQ(truncate(file.path().c_str(), int64_t(1) << 42), 0);
  EXPECT_EQ(error_of(file.path(), "").find(file.path() + ": 549755813888 edges need 8.0 TiB; "),
            0u);
}

TEST(TextFile, IsRefusedIfItsEdgesNeedMoreMemoryThanThereIs) {
  std::string text;
  for (int k = 0; k < 100000 * cores(); ++k) text += "0 1\n";  // too many edges for any core
  const size_t before = heap_bytes_free();
  const auto rest = global_alloc<char>(before - MiB);
  const std::string problem = problem_of(".el", text);
  EXPECT_NE(problem.find(" edges need "), std::string::npos) << problem;
  EXPECT_NE(problem.find(" of the global heap are free"), std::string::npos) << problem;
  global_free(rest);
  EXPECT_EQ(heap_bytes_free(), before);
}

TEST(TextFile, OfDosIsRead) {
  expect_graph(".el", "# c\r\n0 1\r\n\r\n1 2\r\n", 3, {{0, 1}, {1, 2}});
  expect_graph(".mtx",
               "%%MatrixMarket matrix coordinate pattern general\r\n% c\r\n\r\n2 2 1\r\n1 2\r\n", 2,
               {{0, 1}});
  expect_graph(".mtx", "%%MatrixMarket matrix coordinate integer general\r\n2 2 1\r\n1 2 -3", 2,
               {{0, 1}});
}

TEST(TextFile, IsRefusedIfItHoldsZeros) {
  EXPECT_EQ(problem_of(".el", std::string("1 2\n\0\0\0\0", 8)),
            ":2: \"\\x00\\x00\\x00\\x00\" is not a vertex id (a whole number)");
}

TEST(TextFile, IsRefusedIfALineIsTooLong) {
  const std::string lines = "1 2\n" + std::string(200000, ' ') + "\n3 x\n";
  EXPECT_EQ(problem_of(".el", lines),
            ":2: the line is longer than 65536 bytes; this is not a text file");
}

TEST(TextFile, IsRefusedIfItDeclaresMoreEntriesThanItHas) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_EQ(problem_of(".mtx", banner + "3 3 1000000000000000000\n1 1\n"),
            ":2: the size line declares 1000000000000000000 entries, but only 4 bytes follow");
  EXPECT_EQ(problem_of(".mtx", banner + "3 3 99999999999999999999\n"),
            ":2: the size line contains \"99999999999999999999\", expected a count");
}

TEST(GraphFileKind, IsRefusedIfItIsNotARegularFile) {
  const Folder folder;
  const std::string path = folder.file("fifo.el");
  ASSERT_EQ(mkfifo(path.c_str(), 0666), 0);  // without a writer, open() could block
  EXPECT_EQ(error_of(path, ""), path + ": is not a regular file, so the cores cannot share it");
  EXPECT_EQ(error_of(path, "graph500"),
            path + ": is not a regular file, so the cores cannot share it");
  EXPECT_EQ(error_of("/dev/zero", "bintsv4"),
            "/dev/zero: is not a regular file, so the cores cannot share it");
  EXPECT_EQ(error_of(folder.path(), "packed48"),
            folder.path() + ": is a directory, expected a file");
}

TEST(GraphPart, IsReadOnlyIfTheFileHasNotChanged) {
  const GraphFile file(".el", "1 2\n");
  const OpenFile open(file.path(), O_RDONLY);
  FileProblem problem;
  EXPECT_TRUE(same_file(open.fd(), 4, 0, &problem));
  EXPECT_FALSE(same_file(open.fd(), 8, 4, &problem));
  EXPECT_EQ(problem.offset, 4);
  EXPECT_EQ(
      problem.sentence,
      "has 4 bytes on core 0, but had 8 at the start of the read: all cores must see the same "
      "file, and it must not change during the read");
  EXPECT_FALSE(same_file(OpenFile("/nowhere", O_RDONLY).fd(), 4, 0, &problem));
  EXPECT_EQ(problem.sentence, "cannot be opened on core 0: No such file or directory");
}

TEST(GraphPart, IsAShareOfAnyNumberOfItems) {
  for (const int64_t n : {int64_t(0), int64_t(1), int64_t(7), INT64_MAX}) {
    EXPECT_EQ(share_begin(n, 0), 0);
    EXPECT_EQ(share_begin(n, cores()), n);
    for (int64_t k = 0; k < cores(); ++k) {
      const int64_t size = share_begin(n, k + 1) - share_begin(n, k);
      EXPECT_LE(n / cores(), size);
      EXPECT_GE(n / cores(), size - 1);
    }
  }
}

}  // namespace
}  // namespace Grappa
