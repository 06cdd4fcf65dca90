/// Tests of compressed text files. The files are compressed here by zlib, in one or more members.

#include "tests/structures/graph/csr_files.hpp"
#include "tests/structures/text/text_files.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa { namespace {

std::string lines_of(const Edges& edges) {
  std::string text;
  for (const TupleEdge& edge : edges) {
    text += std::to_string(edge.v0) + "\t" + std::to_string(edge.v1) + "\n";
  }
  return text;
}

Edges some_edges(int64_t n) {
  Edges edges;
  for (int64_t i = 0; i < n; ++i) edges.push_back(TupleEdge{i * i % 19991, i % 29989});
  return edges;
}

const char kMatrix[] = "%%MatrixMarket matrix coordinate pattern general\n% c\n4 4 2\n1 2\n3 1\n";
const char kMetis[] = "%\n4 2\n3\n\n1 4\n3\n";

TEST(GzipFile, IsReadInEveryTextFormat) {
  const Edges edges = {{0, 2}, {5, 1}};
  for (const char* suffix : {".el.gz", ".txt.gz", ".wel.gz", ".tsv.gz"}) {
    expect_graph(suffix, zipped("# c\n0 2\n\n5 1\n"), 6, edges);
    expect_graph(suffix, zipped("0 2\r\n5 1"), 6, edges);
  }
  expect_graph(".mtx.gz", zipped(kMatrix), 4, {{0, 1}, {2, 0}});
  expect_graph(".mm.gz", zipped(kMatrix), 4, {{0, 1}, {2, 0}});
  expect_graph(".graph.gz", zipped(kMetis), 4, {{0, 2}, {2, 3}});
  expect_graph(".metis.gz", zipped(kMetis), 4, {{0, 2}, {2, 3}});
}

TEST(ZstdFile, IsReadInEveryTextFormat) {
  expect_graph(".el.zst", zstd_frame("# c\n0 2\n\n5 1\n"), 6, {{0, 2}, {5, 1}});
  expect_graph(".mtx.zst", zstd_frame(kMatrix), 4, {{0, 1}, {2, 0}});
  expect_graph(".metis.zst", zstd_frame(kMetis), 4, {{0, 2}, {2, 3}});
  EXPECT_EQ(problem_of(".el.zst", zstd_frame("0 1\n1 x\n")).find(":2: "), 0u);
}

TEST(GzipFile, MayHaveSeveralMembers) {
  const std::string zeros(5, '\0');
  expect_graph(".el.gz", zipped("0 1") + zipped("\n2 ") + zipped("") + zipped("3\n"), 4,
               {{0, 1}, {2, 3}});
  expect_graph(".el.gz", zipped("0 1\n") + zeros, 2, {{0, 1}});
}

// The text has several rounds of pieces on each core, and many members.
TEST(GzipFile, KeepsTheOrderOfTheEdges) {
  const Edges edges = some_edges(1000000);
  const std::string text = lines_of(edges);
  ASSERT_GT(text.size(), size_t(9) << 20);
  expect_graph(".el.gz", zipped(text, 1), 29989, edges);
  std::string members;
  for (size_t at = 0; at < text.size(); at += 1000003)
    members += zipped(text.substr(at, 1000003), 1);
  expect_graph(".tsv.gz", members, 29989, edges);
}

// METIS lines are assigned to vertices by their numbers. One line is longer than a piece.
TEST(GzipFile, MayBeALargeMetisFile) {
  constexpr int64_t kVertices = 300000;
  std::string text = "300000 299999\n", hub;
  Edges edges;
  for (VertexID v = 1; v < kVertices; ++v) {
    hub += std::to_string(v + 1) + " ";
    edges.push_back({0, v});
  }
  ASSERT_GT(hub.size(), size_t(1) << 20);
  text += hub + "\n";
  for (VertexID v = 1; v < kVertices; ++v) text += "1\n";
  expect_graph(".graph.gz", zipped(text, 1), kVertices, edges);
}

TEST(GzipFile, IsRefusedAtItsFirstBadLine) {
  std::string text = lines_of(some_edges(500000));
  const size_t at = text.find('\n', 4000000) + 1, later = text.find('\n', 5000000) + 1;
  const auto line = 1 + std::count(text.begin(), text.begin() + long(at), '\n');
  text[at] = 'x';
  text[later] = 'y';
  const std::string problem = problem_of(".el.gz", zipped(text, 1));
  EXPECT_EQ(problem.find(":" + std::to_string(line) + ": \"x"), 0u) << problem;
  EXPECT_EQ(problem_of(".mtx.gz", zipped("%%MatrixMarket x\n")),
            ":1: Matrix Market object \"x\" is not supported, expected matrix");
  EXPECT_EQ(problem_of(".mtx.gz", zipped(std::string(kMatrix) + "1 5\n")),
            ":6: row or column 5 is outside the matrix: expected 1 to 4");
  EXPECT_EQ(problem_of(".mtx.gz", zipped(std::string(kMatrix) + "1 4\n")),
            ":3: the size line declares 2 entries, but the file has 3");
  EXPECT_EQ(problem_of(".mtx.gz", zipped("%%MatrixMarket matrix coordinate real general\n%\n")),
            ":3: the file ends before the size line");
  EXPECT_EQ(problem_of(".graph.gz", zipped("%\n3 1\n2\n1\n")),
            ":2: the header line declares 3 vertices, but 2 lines follow");
  EXPECT_EQ(problem_of(".el.gz", zipped("# nothing\n")), ": the graph is empty");
  EXPECT_EQ(problem_of(".el.gz", zipped("")), ": the graph is empty");
}

TEST(GzipFile, IsRefusedIfALineIsTooLong) {
  const std::string sentence = ":2: the line is longer than 65536 bytes; this is not a text file";
  for (const size_t length : {65537, 3000000}) {
    const std::string text = "1 2\n" + std::string(length, ' ') + "\n3 x\n";
    EXPECT_EQ(problem_of(".el.gz", zipped(text)), sentence);
  }
  expect_graph(".el.gz", zipped("1 2" + std::string(65533, ' ') + "\n2 1"), 3, {{1, 2}, {2, 1}});
}

// The text after the header would take 512 MiB, but it is rejected after the first piece. If all of
// it were read, the data that follow would be reported.
TEST(GzipFile, IsRefusedIfTheLineAfterItsHeaderIsTooLong) {
  std::string file = zipped("%%MatrixMarket matrix coordinate pattern general\n4 4 2\n");
  const std::string spaces = zipped(std::string(size_t{16} << 20, ' '), 1);
  for (int i = 0; i < 32; ++i) file += spaces;
  EXPECT_EQ(problem_of(".mtx.gz", file.substr(0, file.size() - 1) + "x"),
            ":3: the line is longer than 65536 bytes; this is not a text file");
}

TEST(GzipFile, IsRefusedIfItIsTruncatedAnywhere) {
  const std::string two = zipped("0 1\n1 2\n") + zipped("2 3\n3 4\n");
  const size_t member = zipped("0 1\n1 2\n").size();
  for (size_t bytes = 1; bytes < two.size(); ++bytes) {
    if (bytes == member) continue;  // a complete file of one member
    EXPECT_EQ(problem_of(".el.gz", two.substr(0, bytes)),
              ": the gzip data are truncated: the file ends at byte " + std::to_string(bytes));
  }
  const std::string large = zipped(lines_of(some_edges(300000)), 1);
  for (const size_t bytes : {large.size() / 3, large.size() - 5}) {
    EXPECT_EQ(problem_of(".el.gz", large.substr(0, bytes)),
              ": the gzip data are truncated: the file ends at byte " + std::to_string(bytes));
  }
}

// Damage is reported as damage, although the text then has bad lines, too.
TEST(GzipFile, IsRefusedIfItIsDamaged) {
  std::string file = zipped(lines_of(some_edges(300000)), 1);
  for (const size_t at : {size_t(20), file.size() / 2, file.size() - 6}) {
    std::string damaged = file;
    damaged[at] = char(damaged[at] ^ 0x55);
    const std::string problem = problem_of(".el.gz", damaged);
    EXPECT_EQ(problem.find(": the gzip data are "), 0u) << problem;
    EXPECT_NE(problem.find(" at byte "), std::string::npos) << problem;
  }
  const std::string small = zipped("0 1\n1 2\n2 3\n3 4\n");
  for (size_t at = 0; at < small.size(); ++at) {
    std::string damaged = small;
    damaged[at] = char(damaged[at] ^ 0xff);
    const std::string problem = problem_of(".el.gz", damaged);  // checks the form of the message
    const bool ignored = 4 <= at && at <= 9;                    // time, flags, operating system
    EXPECT_TRUE(ignored || problem != "none") << "damaged at byte " << at;
  }
  EXPECT_EQ(problem_of(".el.gz", small + "x"),
            ": the gzip data end, but other data follow at byte " + std::to_string(small.size()));
  EXPECT_EQ(
      problem_of(".el.gz", small + std::string(1, '\0') + small),
      ": the gzip data end, but other data follow at byte " + std::to_string(small.size() + 1));
}

// Stored text is not compressed, so damage is detected only by the checksum at its end, long after
// the bad line.
TEST(GzipFile, IsRefusedIfItsChecksumIsWrong) {
  std::string file = zipped(lines_of(some_edges(500000)), 0);
  file[1000] = 'x';
  const std::string problem = problem_of(".el.gz", file);
  EXPECT_EQ(problem.find(": the gzip data are damaged (incorrect data check) at byte "), 0u)
      << problem;
}

TEST(GzipFile, IsRefusedIfItIsNotCompressed) {
  const std::string problem = problem_of(".el.gz", "0 1\n1 2\n");
  EXPECT_EQ(problem.find(": is not a gzip file"), 0u) << problem;
  EXPECT_EQ(problem_of(".bintsv4.gz", zipped("12345678")),
            ": a file in format bintsv4 cannot be read compressed; decompress it first");
  EXPECT_EQ(problem_of(".sg.gz", zipped("12345678")),
            ": a file in format sg cannot be read compressed; decompress it first");
  EXPECT_EQ(problem_of(".el.gz", ""), ": is empty");
}

TEST(GzipFile, LeavesNoMemoryOfTheHeapInUse) {
  const size_t before = heap_bytes_free();
  problem_of(".el.gz", zipped("0 1\n1 x\n"));
  problem_of(".graph.gz", zipped("3 1\n2\n"));
  expect_graph(".graph.gz", zipped(kMetis), 4, {{0, 2}, {2, 3}});
  EXPECT_EQ(heap_bytes_free(), before);
}

}}  // namespace Grappa
