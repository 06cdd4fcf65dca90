/// Reference section "Graph files": reading and writing edge lists in every format.

#include "structures/graph/tuple_graph.hpp"
#include "tests/conformance/samples.hpp"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

#include <unistd.h>

using namespace conformance;

namespace {

/// Removes its file after the test.
class GraphFiles : public testing::Test {
 protected:
  GraphFiles() : path_(testing::TempDir() + "grappa_graph_" + std::to_string(::getpid())) {}
  ~GraphFiles() override { std::remove(path_.c_str()); }

  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  }

  static void expect_sample(const TupleGraph& graph) {
    EXPECT_EQ(6, graph.nv);
    ASSERT_EQ(3, graph.nedge);
    const TupleGraph::Edge last = delegate::read(graph.edges + 2);
    EXPECT_EQ(5, last.v0);
    EXPECT_EQ(1, last.v1);
  }

  std::string path_;
};

TEST_F(GraphFiles, Load) {
  write("0 1\n1 2\n5 1\n");
  TupleGraph graph = TupleGraph::Load(path_, "el");
  expect_sample(graph);
  graph.destroy();
  write("0 1 0.5\n1 2 0.25\n5 1 1e3\n");
  graph = TupleGraph::Load(path_, "wel");
  expect_sample(graph);
  graph.destroy();
}

TEST_F(GraphFiles, TryLoad) {
  TupleGraph graph;
  std::string error;
  write("0 1\n1 two\n");
  EXPECT_FALSE(TupleGraph::try_load(path_, "el", &graph, &error));
  EXPECT_EQ(path_ + ":2: \"two\" is not a vertex id (a whole number)", error);
  write("0 1\n1 2\n5 1\n");
  ASSERT_TRUE(TupleGraph::try_load(path_, "el", &graph, &error)) << error;
  expect_sample(graph);
  graph.destroy();
}

TEST_F(GraphFiles, Save) {
  TupleGraph graph = TupleGraph::from_edges(6, {{0, 1}, {1, 2}, {5, 1}});
  for (const char* format : {"el", "tsv", "mm", "bintsv4", "graph500", "packed48"}) {
    graph.save(path_, format);
    TupleGraph read = TupleGraph::Load(path_, format);
    expect_sample(read);
    read.destroy();
  }
  graph.destroy();
}

TEST_F(GraphFiles, TrySave) {
  write("old");
  TupleGraph graph = TupleGraph::from_edges(6, {{0, 1}, {1, 2}, {5, 1}});
  std::string error;
  EXPECT_FALSE(graph.try_save(path_, "wel", &error));
  EXPECT_EQ(0u, error.find(path_ + ": ")) << error;
  EXPECT_FALSE(graph.try_save("/nowhere/graph.el", "", &error));
  EXPECT_EQ("/nowhere/graph.el: cannot be written: No such file or directory", error);
  EXPECT_EQ("old", text());
  ASSERT_TRUE(graph.try_save(path_, "tsv", &error)) << error;
  EXPECT_EQ("0\t1\n1\t2\n5\t1\n", text());
  graph.destroy();
}

}  // namespace
