#include "structures/graph/tuple_graph.hpp"

#include <Grappa.hpp>

#include "structures/graph/graph_file.hpp"
#include "structures/graph/kronecker.hpp"

#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace Grappa {
namespace {

typedef std::vector<TupleEdge> Edges;

Edges edges_of(const TupleGraph& graph) {
  Edges edges;
  for (int64_t i = 0; i < graph.nedge; ++i) edges.push_back(delegate::read(graph.edges + i));
  return edges;
}

// A file of core 0's disk, which all cores of a test share.
class GraphFile {
 public:
  GraphFile(const std::string& suffix, const std::string& text)
      : path_(testing::TempDir() + "grappa_graph_" + std::to_string(getpid()) + suffix) {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    GRAPPA_CHECK(file) << "cannot write " << path_;
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
  ~GraphFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// What try_load says of a file with this text, without the path at its start.
std::string problem_of(const std::string& suffix, const std::string& text) {
  const GraphFile file(suffix, text);
  TupleGraph graph;
  std::string error;
  if (TupleGraph::try_load(file.path(), "", &graph, &error)) {
    graph.destroy();
    return "none";
  }
  EXPECT_EQ(error.compare(0, file.path().size(), file.path()), 0) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error.substr(file.path().size());
}

void expect_graph(const std::string& suffix, const std::string& text, int64_t nv,
                  const Edges& edges) {
  const GraphFile file(suffix, text);
  TupleGraph graph;
  std::string error;
  ASSERT_TRUE(TupleGraph::try_load(file.path(), "", &graph, &error)) << error;
  EXPECT_EQ(graph.nv, nv);
  EXPECT_EQ(edges_of(graph), edges);
  graph.destroy();
}

TEST(TupleGraph, HoldsTheEdgesItIsMadeFromInTheirOrder) {
  Edges edges;
  for (int64_t i = 0; i < 101; ++i) edges.push_back(TupleEdge{i, 100 - i});
  TupleGraph graph = TupleGraph::from_edges(101, edges);
  EXPECT_EQ(graph.nv, 101);
  EXPECT_EQ(edges_of(graph), edges);
  graph.destroy();
}

TEST(TupleGraph, MayHaveNoEdge) {
  TupleGraph graph = TupleGraph::from_edges(5, Edges());
  EXPECT_EQ(graph.nv, 5);
  EXPECT_EQ(graph.nedge, 0);
  graph.destroy();
}

TEST(TupleGraph, OfKroneckerHasTheGeneratorsEdgesOnAnyNumberOfCores) {
  const int scale = 8;
  TupleGraph graph = TupleGraph::Kronecker(scale, 1001, 5, 6);
  const KroneckerGenerator generator(scale, 5, 6);
  EXPECT_EQ(graph.nv, 256);
  ASSERT_EQ(graph.nedge, 1001);
  const Edges edges = edges_of(graph);
  for (int64_t i = 0; i < graph.nedge; ++i) ASSERT_EQ(edges[size_t(i)], generator.edge(i)) << i;
  graph.destroy();
}

// Two numbers that no change of generator, scrambling or order may alter unseen.
TEST(TupleGraph, OfKroneckerKeepsItsChecksum) {
  const int64_t nedge = int64_t(16) << 14;
  TupleGraph graph = TupleGraph::Kronecker(14, nedge, 1, 2);
  static int64_t sum;
  static int64_t weighted;
  on_all_cores([] { sum = weighted = 0; });
  forall(graph.edges, nedge, [](int64_t i, TupleEdge& e) {
    sum += e.v0 + e.v1;
    weighted += (i % 1009) * (e.v0 - e.v1);
  });
  EXPECT_EQ(sum_all_cores([] { return sum; }), 4366772113);
  EXPECT_EQ(sum_all_cores([] { return weighted; }), 433570015);
  graph.destroy();
}

TEST(TupleGraphFile, IsReadAsAnEdgeList) {
  expect_graph(".el", "# comment\n0 1\r\n\n2\t3 0.5\n% more\n1 0", 4, {{0, 1}, {2, 3}, {1, 0}});
  expect_graph(".tsv", "5 5\n", 6, {{5, 5}});
}

TEST(TupleGraphFile, IsReadAsMatrixMarket) {
  expect_graph(".mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n% comment\n\n7 7 2\n"
               "2 1 0.5\n7 7 1\n",
               7, {{1, 0}, {6, 6}});
}

TEST(TupleGraphFile, MayBeAMatrixWithoutEntries) {
  expect_graph(".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n", 3, Edges());
  expect_graph(".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0", 3, Edges());
}

TEST(TupleGraphFile, KeepsTheOrderOfTheFileOnAnyNumberOfCores) {
  std::string text;
  Edges edges;
  for (int64_t i = 0; i < 3000; ++i) {
    edges.push_back(TupleEdge{i * i % 1999, i});
    text += std::to_string(i * i % 1999) + " " + std::to_string(i) + "\n";
  }
  expect_graph(".el", text, 3000, edges);
}

TEST(TupleGraphFile, IsRefusedAtItsFirstBadLineOnAnyNumberOfCores) {
  std::string text;
  for (int line = 1; line <= 1000; ++line) {
    text +=
        line == 400 || line == 401 || line == 990 ? "1 bad" + std::to_string(line) + "\n" : "1 2\n";
  }
  EXPECT_EQ(problem_of(".el", text), ":400: \"bad400\" is not a vertex id (a whole number)");
}

TEST(TupleGraphFile, IsRefusedInOneLineWhateverItHolds) {
  EXPECT_EQ(problem_of(".el", "1 2\n\x1b[31m\x07 2\n"),
            ":2: \"\\x1b[31m\\x07\" is not a vertex id (a whole number)");
  EXPECT_EQ(problem_of(".el", "1 2\n1 " + std::string(500, 'x') + "\n"),
            ":2: \"" + std::string(40, 'x') + "...\" is not a vertex id (a whole number)");
}

TEST(TupleGraphFile, IsRefusedIfItHoldsNoVertex) {
  EXPECT_EQ(problem_of(".el", ""), ": is empty");
  EXPECT_EQ(problem_of(".el", "# nothing\n\n"), ": the graph is empty");
  EXPECT_EQ(problem_of(".mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"),
            ":2: the graph is empty");
}

TEST(TupleGraphFile, IsRefusedIfAnIdNeedsMoreMemoryThanThereIs) {
  const std::string problem = problem_of(".el", "1 2\n4611686018427387904 1\n");
  EXPECT_EQ(problem.find(":2: vertex id 4611686018427387904 needs 128.0 EiB for the vertices; "),
            0u)
      << problem;
  EXPECT_NE(problem.find(" of the global heap are free"), std::string::npos) << problem;
  EXPECT_EQ(problem_of(".el", "9223372036854775807 1\n").find(":1: vertex id"), 0u);
}

TEST(TupleGraphFile, IsRefusedIfTheMatrixIsNotWhatItsHeaderSays) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_EQ(problem_of(".mtx", banner + "% c\n3 3 3\n1 1\n2 2\n"),
            ":3: the size line promises 3 entries; the file holds 2");
  EXPECT_EQ(problem_of(".mtx", banner + "3 3 1\n1 1\n2 2\n"),
            ":2: the size line promises 1 entries; the file holds 2");
  EXPECT_EQ(problem_of(".mtx", banner + "3 3 1\n1 4\n"),
            ":3: row or column 4 of a matrix of 1 to 3");
  EXPECT_EQ(problem_of(".mtx", banner + "% no size\n"), ":2: the file ends before the size line");
  EXPECT_EQ(problem_of(".mtx", banner + "3 4 1\n1 1\n"),
            ":2: a matrix of 3 rows and 4 columns; that of a graph is square");
  EXPECT_EQ(problem_of(".mtx", "1 2\n"),
            ":1: a Matrix Market file starts with %%MatrixMarket, not with \"1\"");
  const std::string huge =
      problem_of(".mtx", banner + "4611686018427387904 4611686018427387904 1\n");
  EXPECT_EQ(huge.find(":2: a matrix of 4611686018427387904 rows needs 128.0 EiB"), 0u) << huge;
}

std::string error_of(const std::string& path, const std::string& format) {
  TupleGraph graph;
  std::string error;
  EXPECT_FALSE(TupleGraph::try_load(path, format, &graph, &error));
  return error;
}

TEST(TupleGraphFile, IsRefusedIfItIsNoReadableFile) {
  EXPECT_EQ(error_of("/nowhere/graph.el", ""),
            "/nowhere/graph.el: cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("/nowhere/\n.el", ""),
            "/nowhere/\\x0a.el: cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("/", "el"), "/: is a directory, not a graph");
  EXPECT_EQ(error_of("/dev/null", "el"), "/dev/null: is no regular file, so cores cannot share it");
}

TEST(TupleGraphFile, IsRefusedIfItsPermissionsForbidReading) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read anything";
  const GraphFile file(".el", "1 2\n");
  ASSERT_EQ(chmod(file.path().c_str(), 0), 0);
  EXPECT_EQ(error_of(file.path(), ""), file.path() + ": cannot be opened: Permission denied");
}

TEST(TupleGraphFile, IsRefusedIfItsFormatIsUnknown) {
  EXPECT_EQ(problem_of(".bin", "1 2\n").find(": the suffix tells no format"), 0u);
  EXPECT_EQ(error_of("graph.el", "dot").find("format \"dot\" is unknown"), 0u);
}

TEST(TupleGraphFile, IsMissingWhateverItsSuffixIs) {
  EXPECT_EQ(error_of("/nowhere/graph.bin", ""),
            "/nowhere/graph.bin: cannot be opened: No such file or directory");
}

TEST(GraphFormat, ComesFromTheNameOrElseTheSuffix) {
  EXPECT_EQ(graph_format("a.mtx", "el"), GraphFormat::kEdgeList);
  EXPECT_EQ(graph_format("a.wel", ""), GraphFormat::kEdgeList);
  EXPECT_EQ(graph_format("a.mtx", ""), GraphFormat::kMatrixMarket);
  EXPECT_EQ(graph_format(".el", ""), GraphFormat::kUnknown);
}

}  // namespace
}  // namespace Grappa
