/// Tests of METIS files. The files are written here, by a small writer.

#include "tests/structures/graph/csr_files.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa { namespace {

std::string metis_file(const Lists& lists) {
  int64_t entries = 0;
  std::string lines;
  for (const auto& list : lists) {
    std::string line;
    for (const VertexID id : list) line += (line.empty() ? "" : " ") + std::to_string(id + 1);
    lines += line + "\n";
    entries += int64_t(list.size());
  }
  return std::to_string(lists.size()) + " " + std::to_string(entries / 2) + "\n" + lines;
}

Edges edges_in(const Lists& lists) {
  Edges edges;
  for (size_t v = 0; v < lists.size(); ++v) {
    for (const VertexID id : lists[v]) {
      if (VertexID(v) <= id) edges.push_back({VertexID(v), id});
    }
  }
  return edges;
}

const Lists kSmall = {{1, 3}, {0, 3}, {}, {0, 1}, {}};
const char kSmallText[] = "5 3\n2 4\n1 4\n\n1 2\n\n";

// A vertex has so many neighbours that its line is longer than the lines of other formats may be.
Edges star_edges(int64_t nv) {
  Edges edges;
  for (VertexID v = 1; v < nv; ++v) edges.push_back({0, v});
  return edges;
}

TEST(MetisFile, HasEachEdgeOnce) {
  EXPECT_EQ(metis_file(kSmall), kSmallText);
  expect_graph(".graph", kSmallText, 5, {{0, 1}, {0, 3}, {1, 3}});
  expect_graph(".metis", "1 0\n\n", 1, {});
  expect_graph(".graph", "2 1\n2\n1", 2, {{0, 1}});
}

TEST(MetisFile, MayHaveCommentsAndWeights) {
  expect_graph(".graph", "% c\n%\n3 2 011 2\n% c\n9 8 2 5\r\n1 1 1 5 3 7\n%\n0 0 2 7\n\n% c\n\n", 3,
               {{0, 1}, {1, 2}});
}

// The lines and the number of the vertex of each range depend on the number of cores.
TEST(MetisFile, MayBeLarge) {
  const Lists skewed = model_of(1 << 15, kronecker_edges(15, 250000), false);
  expect_graph(".graph", metis_file(skewed), 1 << 15, edges_in(skewed));
  const Lists star = model_of(200000, star_edges(200000), false);
  expect_graph(".graph", metis_file(star), 200000, star_edges(200000));
}

TEST(MetisFile, IsRefusedIfItsNumbersDoNotMatch) {
  EXPECT_EQ(problem_of(".graph", "%\n3 1\n2\n1\n"),
            ":2: the header line declares 3 vertices, but 2 lines follow");
  EXPECT_EQ(problem_of(".graph", "3 1\n2\n1\n\n%\n\n1\n"),
            ":7: unexpected line after the line of the last vertex, 3");
  EXPECT_EQ(problem_of(".graph", "2 2\n2\n1\n"),
            ":1: the header line declares 2 edges, but the lists have 1");
  EXPECT_EQ(problem_of(".graph", "9 1\n2\n1\n"),
            ":1: the header line declares 9 vertices, but only 4 bytes follow");
  EXPECT_EQ(problem_of(".graph", "%\n\n"), ":2: the file ends before the header line");
  EXPECT_EQ(problem_of(".graph", "%\n0 0\n"), ":2: the graph is empty");
}

TEST(MetisFile, IsRefusedAtItsFirstBadLine) {
  std::string text = "1000 1\n2\n1\n";
  for (int k = 2; k < 1000; ++k) text += k == 500 ? "%\n7 1001\n" : k == 900 ? "x\n" : "\n";
  EXPECT_EQ(problem_of(".graph", text),
            ":503: vertex 501 has the neighbour 1001, expected 1 to 1000");
}

TEST(MetisFile, IsRefusedIfAnEdgeIsInOneListOnly) {
  const std::string one_sided =
      ": the graph is undirected, but an edge is in the list of only one of its vertices";
  EXPECT_EQ(problem_of(".graph", "3 1\n2\n\n\n"), one_sided);
  EXPECT_EQ(problem_of(".graph", "3 2\n2\n1 3\n1\n"), one_sided);
}

// A truncated file makes one error, or the same graph if only the last newline is missing.
TEST(MetisFile, IsRefusedIfItIsTruncatedAnywhere) {
  const std::string text = "4 4\n2 3\n1 3 4\n1 2\n2\n";
  for (size_t bytes = 1; bytes + 1 < text.size(); ++bytes) {
    EXPECT_EQ(problem_of(".graph", text.substr(0, bytes))[0], ':') << bytes;
  }
  expect_graph(".graph", text.substr(0, text.size() - 1), 4, {{0, 1}, {0, 2}, {1, 2}, {1, 3}});
}

std::string saved_metis(int64_t nv, const Edges& edges) {
  const Folder folder;
  TupleGraph graph = TupleGraph::from_edges(nv, edges);
  graph.save(folder.file("a.graph"));
  graph.destroy();
  return bytes_of(folder.file("a.graph"));
}

TEST(SavedMetisFile, IsTheSameFileOnAnyNumberOfCores) {
  EXPECT_EQ(saved_metis(5, {{3, 1}, {1, 0}, {2, 2}, {0, 1}, {0, 3}}), kSmallText);
  EXPECT_EQ(saved_metis(3, {}), "3 0\n\n\n\n");
  for (int64_t nv = 1; nv < 12; ++nv) {
    const Edges path = {{0, nv - 1}, {nv / 2, 0}};
    EXPECT_EQ(saved_metis(nv, path), metis_file(model_of(nv, path, false))) << nv;
  }
  const Edges skewed = kronecker_edges(15, 250000);
  EXPECT_EQ(saved_metis(1 << 15, skewed), metis_file(model_of(1 << 15, skewed, false)));
}

}}  // namespace Grappa
