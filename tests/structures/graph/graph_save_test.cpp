#include "structures/graph/file/graph_format.hpp"
#include "tests/structures/graph/graph_files.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include <sys/stat.h>

namespace Grappa { namespace {

typedef std::vector<std::string> Names;

Edges some_edges(int64_t n, int64_t nv) {
  Edges edges;
  for (int64_t i = 0; i < n; ++i) edges.push_back(TupleEdge{i * i % nv, nv - 1 - i % nv});
  return edges;
}

// Returns the message of try_save without the path at the start of the message.
std::string save_problem(const TupleGraph& graph, const std::string& path,
                         const std::string& format = "") {
  std::string error;
  if (graph.try_save(path, format, &error)) return "none";
  EXPECT_EQ(error.compare(0, path.size(), path), 0) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error.substr(path.size());
}

std::string saved_bytes(const std::string& format) {
  const Folder folder;
  TupleGraph graph = TupleGraph::from_edges(12, {{0, 11}, {3, 3}, {10, 1}});
  EXPECT_EQ(save_problem(graph, folder.file("graph"), format), "none");
  graph.destroy();
  return bytes_of(folder.file("graph"));
}

TEST(SavedGraph, IsTheSameFileOnAnyNumberOfCores) {
  EXPECT_EQ(saved_bytes("el"), "0 11\n3 3\n10 1\n");
  EXPECT_EQ(saved_bytes("tsv"), "0\t11\n3\t3\n10\t1\n");
  EXPECT_EQ(saved_bytes("mm"),
            "%%MatrixMarket matrix coordinate pattern general\n12 12 3\n1 12\n4 4\n11 2\n");
  EXPECT_EQ(saved_bytes("bintsv4"),
            std::string("\0\0\0\0\13\0\0\0\3\0\0\0\3\0\0\0\12\0\0\0\1\0\0\0", 24));
  EXPECT_EQ(saved_bytes("graph500").substr(0, 24),
            std::string("\0\0\0\0\0\0\0\0\13\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 24));
  EXPECT_EQ(saved_bytes("packed48").substr(0, 12), std::string("\0\0\0\0\13\0\0\0\0\0\0\0", 12));
}

void there_and_back(const std::string& suffix, int64_t nv, const Edges& edges) {
  const Folder folder;
  const std::string path = folder.file("graph" + suffix);
  TupleGraph graph = TupleGraph::from_edges(nv, edges);
  ASSERT_EQ(save_problem(graph, path), "none");
  EXPECT_EQ(folder.names(), Names{"graph" + suffix});
  graph.destroy();
  TupleGraph read = TupleGraph::Load(path);
  EXPECT_EQ(read.nv, nv) << suffix;
  EXPECT_EQ(edges_of(read), edges) << suffix;
  read.destroy();
}

TEST(SavedGraph, IsReadBackEdgeByEdgeInEveryFormat) {
  for (const char* suffix :
       {".el", ".txt", ".tsv", ".mtx", ".mm", ".bintsv4", ".graph500", ".packed48"}) {
    there_and_back(suffix, 1, {{0, 0}});
    there_and_back(suffix, 1999, some_edges(3001, 1999));
  }
}

// Each core writes several pieces, and the lines have different lengths.
TEST(SavedGraph, MayBeLarge) {
  const Edges edges = some_edges(600000, 123457);
  there_and_back(".el", 123457, edges);
  there_and_back(".bintsv4", 123457, edges);
}

TEST(SavedGraph, OfMatrixMarketKeepsVerticesWithoutEdges) {
  there_and_back(".mtx", 100, {{0, 1}});
  there_and_back(".mtx", 5, {});
}

TEST(SavedGraph, IsRefusedIfItCouldNotBeLoadedAgain) {
  const Folder folder;
  TupleGraph graph = TupleGraph::from_edges(3, {{0, 1}});
  EXPECT_EQ(save_problem(graph, folder.file("a.wel")),
            ": a .wel file needs weights, but there are none; write an edge list (el)");
  EXPECT_EQ(save_problem(graph, folder.file("a.el.gz")),
            ": a compressed file cannot be written; write it without .gz or .zst");
  EXPECT_EQ(save_problem(graph, folder.file("a.bin")).find(": unknown suffix"), 0u);
  std::string error;
  EXPECT_FALSE(graph.try_save(folder.file("a.el"), "dot", &error));
  EXPECT_EQ(error.find("format \"dot\" is unknown"), 0u) << error;
  graph.destroy();
  TupleGraph empty = TupleGraph::from_edges(3, Edges());
  for (const char* suffix : {".el", ".tsv", ".bintsv4", ".graph500", ".packed48"}) {
    EXPECT_EQ(save_problem(empty, folder.file("a") + suffix),
              ": a graph without edges can be saved only in the formats mm, metis, sg and "
              "wsg");
  }
  empty.destroy();
  TupleGraph large = TupleGraph::from_edges(int64_t{1} << 40, {{0, 1}});
  EXPECT_EQ(save_problem(large, folder.file("a.metis"))
                .find(": the lists of 1099511627776 vertices need 8.0 TiB; "),
            0u);
  large.destroy();
  EXPECT_EQ(folder.names(), Names());
}

TEST(SavedGraph, IsRefusedBeforeAnythingIsWrittenIfAnIdDoesNotFit) {
  const Folder folder;
  std::ofstream(folder.file("a.bintsv4")) << "old";
  const int64_t large = int64_t(1) << 32;
  Edges edges = some_edges(999, 100);
  edges[700] = edges[998] = TupleEdge{1, large};
  TupleGraph graph = TupleGraph::from_edges(int64_t(1) << 50, edges);
  EXPECT_EQ(save_problem(graph, folder.file("a.bintsv4")),
            ": edges[700] has the vertex id 4294967296, but the largest id in format bintsv4 is "
            "4294967295");
  EXPECT_EQ(bytes_of(folder.file("a.bintsv4")), "old");
  EXPECT_EQ(save_problem(graph, folder.file("a.packed48")), "none");
  delegate::write(graph.edges + 1, TupleEdge{int64_t(1) << 47, 0});
  EXPECT_EQ(
      save_problem(graph, folder.file("b.packed48")),
      ": edges[1] has the vertex id 140737488355328, but the largest id in format packed48 is "
      "140737488355327");
  delegate::write(graph.edges + 1, TupleEdge{1, -5});
  EXPECT_EQ(save_problem(graph, folder.file("b.el")),
            ": edges[1] has the vertex id -5, but the graph has 1125899906842624 vertices");
  graph.destroy();
  EXPECT_EQ(folder.names().size(), 2u);
}

TEST(SavedGraph, IsRefusedIfItCannotBeWritten) {
  TupleGraph graph = TupleGraph::from_edges(3, {{0, 1}});
  EXPECT_EQ(save_problem(graph, "/nowhere/graph.el"),
            ": cannot be written: No such file or directory");
  EXPECT_EQ(save_problem(graph, "/", "el"), ": is a directory, which a file cannot replace");
  EXPECT_EQ(save_problem(graph, "/dev/full", "el"),
            ": is not a regular file, so a file cannot replace it");
  std::string error;
  EXPECT_FALSE(graph.try_save("/nowhere/\n.el", "", &error));
  EXPECT_EQ(error, "/nowhere/\\x0a.el: cannot be written: No such file or directory");
  graph.destroy();
}

TEST(SavedGraph, LeavesOnlyTheOldFileIfTheDiskIsFull) {
  const Folder folder;
  const std::string path = folder.file("graph.el");
  std::ofstream(path) << "0 1\n";
  TupleGraph graph = TupleGraph::from_edges(1999, some_edges(50000, 1999));
  // The first core that writes beyond the limit reports the error.
  limit_files(100000);
  const std::string problem = save_problem(graph, path);
  limit_files(RLIM_INFINITY);
  EXPECT_EQ(problem.find(": cannot be written on core "), 0u) << problem;
  EXPECT_NE(problem.find(": File too large"), std::string::npos) << problem;
  EXPECT_EQ(folder.names(), Names{"graph.el"});
  EXPECT_EQ(bytes_of(path), "0 1\n");
  EXPECT_EQ(save_problem(graph, path), "none");
  graph.destroy();
}

}}  // namespace Grappa
