#include "structures/graph/tuple_graph.hpp"

#include <Grappa.hpp>

#include "structures/graph/make/generators.hpp"
#include "tests/structures/graph/graph_files.hpp"

#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(TupleGraph, KeepsTheOrderOfItsEdges) {
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

template <class Generator>
void expect_edges_of(const Generator& generator, const TupleGraph& graph) {
  const Edges edges = edges_of(graph);
  for (int64_t i = 0; i < graph.nedge; ++i) ASSERT_EQ(edges[size_t(i)], generator.edge(i)) << i;
}

TEST(TupleGraph, OfKroneckerHasTheGeneratorsEdgesOnAnyNumberOfCores) {
  const int scale = 8;
  TupleGraph graph = TupleGraph::Kronecker(scale, 1001, 5, 6);
  EXPECT_EQ(graph.nv, 256);
  ASSERT_EQ(graph.nedge, 1001);
  expect_edges_of(KroneckerGenerator(scale, 5, 6), graph);
  graph.destroy();
}

// The two checksums change if the generator, the scrambling or the order of the edges changes.
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

TEST(TupleGraph, OfAUniformGraphHasTheGeneratorsEdgesOnAnyNumberOfCores) {
  TupleGraph graph = TupleGraph::Uniform(1000, 1001, 5);
  EXPECT_EQ(graph.nv, 1000);
  ASSERT_EQ(graph.nedge, 1001);
  expect_edges_of(UniformGenerator(1000, 5), graph);
  graph.destroy();
}

TEST(TupleGraph, OfAGridHasTheGeneratorsEdgesOnAnyNumberOfCores) {
  for (const int64_t rows : {1, 7, 40}) {
    TupleGraph graph = TupleGraph::Grid(rows, 11);
    EXPECT_EQ(graph.nv, rows * 11);
    ASSERT_EQ(graph.nedge, rows * 10 + (rows - 1) * 11);
    expect_edges_of(GridGenerator(rows, 11), graph);
    graph.destroy();
  }
}

TEST(TupleGraph, OfARoadGraphHasTheGeneratorsEdgesOnAnyNumberOfCores) {
  TupleGraph graph = TupleGraph::Road(40, 11, 0.8, 5);
  EXPECT_EQ(graph.nv, 440);
  ASSERT_EQ(graph.nedge, 40 * 10 + 39 * 11);
  expect_edges_of(RoadGenerator(40, 11, 0.8, 5), graph);
  graph.destroy();
}

TEST(TupleGraph, OfAWebGraphHasTheGeneratorsEdgesOnAnyNumberOfCores) {
  TupleGraph graph = TupleGraph::Web(1000, 3, 5);
  EXPECT_EQ(graph.nv, 1000);
  ASSERT_EQ(graph.nedge, 3000);
  expect_edges_of(WebGenerator(1000, 3, 5), graph);
  graph.destroy();
}

TEST(TupleGraph, MayBeAGridOfOneVertex) {
  TupleGraph graph = TupleGraph::Grid(1, 1);
  EXPECT_EQ(graph.nv, 1);
  EXPECT_EQ(graph.nedge, 0);
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

TEST(TupleGraphFile, IsRefusedWithAMessageOfOneLine) {
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
  EXPECT_EQ(problem.find(":2: vertex id 4611686018427387904 needs 64.0 EiB for the vertices; "), 0u)
      << problem;
  EXPECT_NE(problem.find(" of the global heap are free"), std::string::npos) << problem;
  EXPECT_EQ(problem_of(".el", "9223372036854775807 1\n").find(":1: vertex id"), 0u);
}

TEST(TupleGraphFile, IsRefusedIfTheMatrixContradictsItsHeader) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n";
  EXPECT_EQ(problem_of(".mtx", banner + "% c\n3 3 3\n1 1\n2 2\n"),
            ":3: the size line declares 3 entries, but the file has 2");
  EXPECT_EQ(problem_of(".mtx", banner + "3 3 1\n1 1\n2 2\n"),
            ":2: the size line declares 1 entries, but the file has 2");
  EXPECT_EQ(problem_of(".mtx", banner + "3 3 1\n1 4\n"),
            ":3: row or column 4 is outside the matrix: expected 1 to 3");
  EXPECT_EQ(problem_of(".mtx", banner + "% no size\n"), ":2: the file ends before the size line");
  EXPECT_EQ(problem_of(".mtx", banner + "3 4 1\n1 1\n"),
            ":2: the matrix has 3 rows and 4 columns, but the matrix of a graph is square");
  EXPECT_EQ(problem_of(".mtx", "1 2\n"),
            ":1: a Matrix Market file starts with %%MatrixMarket, not with \"1\"");
  const std::string huge =
      problem_of(".mtx", banner + "4611686018427387904 4611686018427387904 1\n");
  EXPECT_EQ(huge.find(":2: a matrix of 4611686018427387904 rows needs 64.0 EiB"), 0u) << huge;
}

TEST(TupleGraphFile, IsRefusedIfItIsNotAReadableFile) {
  EXPECT_EQ(error_of("/nowhere/graph.el", ""),
            "/nowhere/graph.el: cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("/nowhere/\n.el", ""),
            "/nowhere/\\x0a.el: cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("/", "el"), "/: is a directory, expected a file");
  EXPECT_EQ(error_of("/dev/null", "el"),
            "/dev/null: is not a regular file, so the cores cannot share it");
}

TEST(TupleGraphFile, IsRefusedIfItsPermissionsForbidReading) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read anything";
  const GraphFile file(".el", "1 2\n");
  ASSERT_EQ(chmod(file.path().c_str(), 0), 0);
  EXPECT_EQ(error_of(file.path(), ""), file.path() + ": cannot be opened: Permission denied");
}

TEST(TupleGraphFile, IsRefusedIfItsFormatIsUnknown) {
  EXPECT_EQ(problem_of(".bin", "1 2\n").find(": unknown suffix"), 0u);
  EXPECT_EQ(error_of("graph.el", "dot").find("format \"dot\" is unknown"), 0u);
}

TEST(TupleGraphFile, IsReportedAsMissingForAnySuffix) {
  EXPECT_EQ(error_of("/nowhere/graph.bin", ""),
            "/nowhere/graph.bin: cannot be opened: No such file or directory");
}

TEST(TupleGraphFile, IsReadInTheGivenFormat) {
  const GraphFile file(".data", "0 1 0.5\n1 2 0.25\n5 1 1e3\n");
  TupleGraph graph;
  std::string error;
  ASSERT_TRUE(TupleGraph::try_load(file.path(), "wel", &graph, &error)) << error;
  EXPECT_EQ(edges_of(graph), (Edges{{0, 1}, {1, 2}, {5, 1}}));
  graph.destroy();
  graph = TupleGraph::Load(file.path(), "el");  // the file may contain weights
  EXPECT_EQ(graph.nedge, 3);
  graph.save(file.path(), "tsv");
  graph.destroy();
  EXPECT_EQ(bytes_of(file.path()), "0\t1\n1\t2\n5\t1\n");
}

}  // namespace
}  // namespace Grappa
