/// Tests of the attributes of edges, from files to the data of edges of a graph.

#include "structures/graph/graph.hpp"
#include "tests/structures/graph/csr_files.hpp"
#include "tests/structures/text/text_files.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace Grappa { namespace {

typedef std::vector<std::pair<double, double>> Values;  // weights and time stamps

Values attributes_of(const TupleGraph& graph) {
  std::vector<EdgeAttributes> attributes(static_cast<size_t>(graph.nedge));
  memcpy(attributes.data(), graph.attributes, graph.nedge);
  Values values;
  for (const EdgeAttributes& its : attributes) values.emplace_back(its.weight, its.time);
  return values;
}

TupleGraph kept(const GraphFile& file) {
  return TupleGraph::Load(file.path(), "", Attributes::Keep);
}

void expect_kept(const std::string& suffix, const std::string& text, const Edges& edges,
                 const Values& values) {
  SCOPED_TRACE(suffix);
  const GraphFile file(suffix, text);
  const size_t before = heap_bytes_free();
  TupleGraph graph = kept(file);
  EXPECT_EQ(edges_of(graph), edges);
  ASSERT_TRUE(graph.attributes);
  EXPECT_EQ(attributes_of(graph), values);
  graph.destroy();
  EXPECT_EQ(heap_bytes_free(), before);
  graph = TupleGraph::Load(file.path());
  EXPECT_FALSE(graph.attributes);
  graph.destroy();
}

void expect_none(const std::string& suffix, const std::string& text) {
  SCOPED_TRACE(suffix);
  TupleGraph graph = kept(GraphFile(suffix, text));
  EXPECT_FALSE(graph.attributes);
  graph.destroy();
}

const char kMatrix[] = "%%MatrixMarket matrix coordinate ";

TEST(Attributes, AreKeptFromText) {
  const Edges edges = {{0, 2}, {2, 0}, {1, 1}};
  const Values values = {{0.5, 0}, {-3, 1700000000}, {1e9, 7.5}};
  const std::string lines = "0 2 0.5\n# c\n2 0 -3 1700000000\r\n1 1 1e9 7.5\n";
  expect_kept(".wel", lines, edges, values);
  expect_kept(".wel.gz", zipped(lines), edges, values);
  expect_kept(".wel.zst", zstd_frame(lines), edges, values);
  const Values weights = {{5, 0}, {-2, 0}};
  const std::string integers = kMatrix + std::string("integer general\n%\n3 3 2\n1 2 5\n2 3 -2\n");
  expect_kept(".mtx", integers, {{0, 1}, {1, 2}}, weights);
  expect_kept(".mtx.gz", zipped(integers), {{0, 1}, {1, 2}}, weights);
  expect_kept(".mtx", kMatrix + std::string("real symmetric\n3 3 1\n3 1 0.125\n"), {{2, 0}},
              {{0.125, 0}});
  // The first numbers of a line are those of the vertex. The lists give an edge different weights.
  const std::string metis = "3 2 011 2\n9 8 2 5\n1 1 1 6 3 7\n0 0 2 8\n";
  expect_kept(".graph", metis, {{0, 1}, {1, 2}}, {{5, 0}, {7, 0}});
  expect_kept(".graph.gz", zipped(metis), {{0, 1}, {1, 2}}, {{5, 0}, {7, 0}});
}

TEST(Attributes, AreNullIfTheFileHasNone) {
  expect_none(".el", "0 1 5\n");
  expect_none(".tsv", "0\t1\t5\t6\n");
  expect_none(".mtx", kMatrix + std::string("pattern general\n2 2 1\n1 2\n"));
  expect_none(".graph", "2 1\n2\n1\n");
  expect_none(".graph", "2 1 10\n7 2\n7 1\n");  // only vertices have weights
  expect_none(".bintsv4", number(0, 4) + number(1, 4));
  expect_none(".sg", number(0, 1) + number(2, 8) + number(2, 8) + number(0, 8) + number(1, 8) +
                         number(2, 8) + number(1, 4) + number(0, 4));
}

TEST(Attributes, MustBeInEachLineIfTheyAreKept) {
  const GraphFile file(".wel", "0 1 5\n\n1 2\n");
  TupleGraph graph;
  std::string error;
  EXPECT_FALSE(TupleGraph::try_load(file.path(), "", &graph, &error, Attributes::Keep));
  EXPECT_EQ(error, file.path() + ":3: no weight after the two vertex ids");
  graph = TupleGraph::Load(file.path());
  EXPECT_EQ(graph.nedge, 2);
  graph.destroy();
}

// All weights differ.
std::string gap_lists(const Lists& lists) {
  std::string offsets = number(0, 8), entries;
  uint64_t end = 0;
  for (size_t v = 0; v < lists.size(); ++v) {
    offsets += number(end += lists[v].size(), 8);
    for (const VertexID w : lists[v]) {
      const int64_t weight = -(10 * int64_t(v) + w);
      entries += number(uint64_t(w), 4) + number(uint64_t(weight), 4);
    }
  }
  return offsets + entries;
}

TEST(Attributes, AreKeptFromSerializedGraphs) {
  const Lists lists = {{1, 2}, {0, 1}, {0}};
  expect_kept(".wsg", number(0, 1) + number(5, 8) + number(3, 8) + gap_lists(lists),
              {{0, 1}, {0, 2}, {1, 1}}, {{-1, 0}, {-2, 0}, {-11, 0}});
  const Lists out = {{2}, {2, 0}, {}}, in = {{1}, {}, {0, 1}};
  expect_kept(".wsg", number(1, 1) + number(3, 8) + number(3, 8) + gap_lists(out) + gap_lists(in),
              {{0, 2}, {1, 2}, {1, 0}}, {{-2, 0}, {-12, 0}, {-10, 0}});
}

TEST(Attributes, AreWrittenAndReadAgain) {
  const Edges edges = {{0, 2}, {2, 0}, {1, 1}, {2, 1}};
  const Values values = {{0.1, 0}, {-3, 1700000000}, {1e300, 7.5}, {HUGE_VAL, 0}};
  std::vector<EdgeAttributes> attributes;
  for (const auto& value : values) attributes.push_back({value.first, value.second});
  TupleGraph graph = TupleGraph::from_edges(3, edges, attributes);
  const Folder folder;
  graph.save(folder.file("a.wel"));
  EXPECT_EQ(bytes_of(folder.file("a.wel")),
            "0 2 0.1\n2 0 -3 1700000000\n1 1 1e+300 7.5\n2 1 inf\n");
  expect_kept(".wel", bytes_of(folder.file("a.wel")), edges, values);
  graph.save(folder.file("a.el"));
  EXPECT_EQ(bytes_of(folder.file("a.el")), "0 2\n2 0\n1 1\n2 1\n");
  graph.destroy();
}

// The edges alone would fit.
TEST(Attributes, AreRefusedIfTheyNeedMoreMemoryThanThereIs) {
  const int64_t nedge = 50000 * cores();
  std::string text;
  for (int64_t i = 0; i < nedge; ++i) text += "0 1 2\n";
  const GraphFile file(".wel", text);
  const size_t before = heap_bytes_free();
  const auto rest = global_alloc<char>(int64_t(before) - 24 * nedge);
  TupleGraph graph = TupleGraph::Load(file.path());
  graph.destroy();
  std::string error;
  EXPECT_FALSE(TupleGraph::try_load(file.path(), "", &graph, &error, Attributes::Keep));
  EXPECT_NE(error.find(" edges need "), std::string::npos) << error;
  global_free(rest);
  EXPECT_EQ(heap_bytes_free(), before);
}

// A buffer has several chunks, and the compressed file several rounds.
TEST(Attributes, KeepTheOrderOfTheEdges) {
  constexpr int64_t kEdges = 600000;
  Edges edges;
  Values values;
  std::string text;
  for (int64_t i = 0; i < kEdges; ++i) {
    edges.push_back({i * i % 19991, i % 29989});
    values.emplace_back(i, i % 7);
    text += std::to_string(edges.back().v0) + " " + std::to_string(edges.back().v1) + " " +
            std::to_string(i) + " " + std::to_string(i % 7) + "\n";
  }
  expect_kept(".wel", text, edges, values);
  expect_kept(".wel.gz", zipped(text, 1), edges, values);
}

/// What the entries of an edge have received.
struct Received {
  double smallest = 1e9;
  double sum_of_times = 0;
  int64_t calls = 0;
};
typedef Graph<NoData, Received> ReceivedGraph;
typedef std::map<std::pair<VertexID, VertexID>, Received> Model;

void receive(Received* data, const EdgeAttributes& attributes) {
  data->smallest = std::min(data->smallest, attributes.weight);
  data->sum_of_times += attributes.time;
  ++data->calls;
}

GlobalAddress<Model> models;

Model model_of(GlobalAddress<ReceivedGraph> g) {
  models = symmetric<Model>();
  const auto all = models;
  on_all_cores([all] { models = all; });
  forall(g, [g](VertexID v, ReceivedGraph::Vertex& its) {
    for (int64_t i = 0; i < its.nadj; ++i) {
      const ReceivedGraph::Edge e = g->edge(its, i);
      const VertexID w = e.id;
      const Received data = e.data;
      delegate::call<async>(0, [v, w, data] { (*models)[{v, w}] = data; });
    }
  });
  const Model model = *models;
  global_free(models);
  return model;
}

void expect_received(const Edges& edges, int64_t nv, bool directed, GraphLayout layout,
                     detail::SlotWidth width) {
  std::vector<EdgeAttributes> attributes;
  Model expected;
  for (size_t i = 0; i < edges.size(); ++i) {
    attributes.push_back({double(i * i % 1009), double(i)});
    const VertexID v = edges[i].v0, w = edges[i].v1;
    if (v == w) continue;
    receive(&expected[{v, w}], attributes[i]);
    if (!directed) receive(&expected[{w, v}], attributes[i]);
  }
  TupleGraph tuples = TupleGraph::from_edges(nv, edges, attributes);
  const auto g = ReceivedGraph::create(tuples, directed, layout, width);
  g->set_edge_data(tuples, [](Received& data, const EdgeAttributes& its) { receive(&data, its); });
  tuples.destroy();
  const Model received = model_of(g);
  ASSERT_EQ(received.size(), expected.size());
  for (const auto& each : expected) {
    const auto found = received.find(each.first);
    ASSERT_NE(found, received.end());
    ASSERT_EQ(found->second.smallest, each.second.smallest);
    ASSERT_EQ(found->second.sum_of_times, each.second.sum_of_times);
    ASSERT_EQ(found->second.calls, each.second.calls);
  }
  g->destroy();
}

TEST(Attributes, AreReceivedByEachListOfAnEdge) {
  const Edges skewed = kronecker_edges(8, 3000);
  Edges path = {{3, 3}, {0, 1}, {1, 0}, {1, 0}};
  for (VertexID v = 1; v < 3000; ++v) path.push_back({v + 1, v});
  for (const bool directed : {false, true}) {
    for (const auto layout : {GraphLayout::Interleaved, GraphLayout::Ranges}) {
      for (const auto width : {detail::SlotWidth::kAutomatic, detail::SlotWidth::k64}) {
        expect_received(skewed, 256, directed, layout, width);
        expect_received(path, 3001, directed, layout, width);
      }
    }
  }
}

struct Length {
  double metres = HUGE_VAL;
};

TEST(Attributes, AreUsedAsTheReadmeShows) {
  const GraphFile file(".wel", "0 1 5\n1 2 0.5\n1 0 3\n");
  const std::string path = file.path();
  TupleGraph roads = TupleGraph::Load(path, "", Attributes::Keep);
  GlobalAddress<Graph<NoData, Length>> g = Graph<NoData, Length>::create(roads);
  g->set_edge_data(roads, [](Length& length, const EdgeAttributes& its) {
    length.metres = std::min(length.metres, its.weight);
  });
  roads.destroy();
  typedef Graph<NoData, Length> Roads;
  static Reducer<double, ReducerType::Add> all;
  all.reset();
  forall(g, [](Roads::Vertex&, Roads::Edge& e) { all += e.data.metres; });
  EXPECT_EQ(all, 2 * 3 + 2 * 0.5);
  g->destroy();
}

}}  // namespace Grappa
