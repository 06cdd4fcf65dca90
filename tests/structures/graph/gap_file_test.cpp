/// Tests of the serialized graphs of the GAP Benchmark Suite. The files are built here, byte by
/// byte, according to the format.

#include "structures/graph/file/gap_format.hpp"
#include "tests/structures/graph/csr_files.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace Grappa { namespace {

constexpr int kHeaderBytes = 17;

// The offsets and the entries of one side. Each weight differs, and may be negative.
std::string side_of(const Lists& lists, bool weighted) {
  std::string offsets = number(0, 8), entries;
  uint64_t end = 0;
  for (const auto& list : lists) {
    offsets += number(end += list.size(), 8);
    for (const VertexID id : list) {
      entries += number(uint64_t(id), 4);
      if (weighted) entries += number(uint64_t(7 - int64_t(entries.size())), 4);
    }
  }
  return offsets + entries;
}

std::string header_of(int directed, int64_t entries, int64_t nv) {
  return number(uint64_t(directed), 1) + number(uint64_t(entries), 8) + number(uint64_t(nv), 8);
}

int64_t entries_of(const Lists& lists) {
  int64_t entries = 0;
  for (const auto& list : lists) entries += int64_t(list.size());
  return entries;
}

std::string undirected_file(const Lists& lists, bool weighted = false) {
  return header_of(0, entries_of(lists), int64_t(lists.size())) + side_of(lists, weighted);
}

std::string directed_file(const Lists& out, const Lists& in, bool weighted = false) {
  return header_of(1, entries_of(out), int64_t(out.size())) + side_of(out, weighted) +
         side_of(in, weighted);
}

Lists reversed(const Lists& out) {
  Lists in(out.size());
  for (size_t v = 0; v < out.size(); ++v) {
    for (const VertexID id : out[v]) in[size_t(id)].push_back(VertexID(v));
  }
  return in;
}

// The edges in the order of the lists.
Edges edges_in(const Lists& lists, bool directed) {
  Edges edges;
  for (size_t v = 0; v < lists.size(); ++v) {
    for (const VertexID id : lists[v]) {
      if (directed || VertexID(v) <= id) edges.push_back({VertexID(v), id});
    }
  }
  return edges;
}

// Skewed, with vertices without neighbours. Every core reads several pieces.
Edges large_edges() { return kronecker_edges(15, 250000); }
constexpr int64_t kLargeVertices = 1 << 15;

const Lists kSmall = {{1, 3}, {0, 3}, {}, {0, 1}, {}};

TEST(GapFile, HasEachUndirectedEdgeOnce) {
  expect_graph(".sg", undirected_file(kSmall), 5, {{0, 1}, {0, 3}, {1, 3}});
  expect_graph(".sg", undirected_file({{}}), 1, {});
  expect_graph(".sg", undirected_file({{}, {}, {}}), 3, {});
}

TEST(GapFile, HasTheOutNeighboursOfADirectedGraph) {
  const Lists out = {{3, 1}, {}, {2}, {0}};
  expect_graph(".sg", directed_file(out, reversed(out)), 4, {{0, 3}, {0, 1}, {2, 2}, {3, 0}});
}

TEST(GapFile, IsReadWithoutItsWeights) {
  expect_graph(".wsg", undirected_file(kSmall, true), 5, {{0, 1}, {0, 3}, {1, 3}});
  const Lists out = {{3, 1}, {}, {2}, {0}};
  expect_graph(".wsg", directed_file(out, reversed(out), true), 4,
               {{0, 3}, {0, 1}, {2, 2}, {3, 0}});
}

TEST(GapFile, MayRepeatEdges) {
  expect_graph(".sg", undirected_file({{1, 1}, {0, 1, 0}}), 2, {{0, 1}, {0, 1}, {1, 1}});
}

TEST(GapFile, MayBeLarge) {
  const Lists lists = model_of(kLargeVertices, large_edges(), false);
  ASSERT_GT(entries_of(lists), 4 * 65536);
  expect_graph(".sg", undirected_file(lists), kLargeVertices, edges_in(lists, false));
  const Lists out = model_of(kLargeVertices, large_edges(), true);
  expect_graph(".wsg", directed_file(out, reversed(out), true), kLargeVertices,
               edges_in(out, true));
}

TEST(GapFile, IsRefusedIfItsSizeIsWrong) {
  const std::string file = undirected_file(kSmall);
  EXPECT_EQ(problem_of(".sg", file + "x"),
            ": has 90 bytes, expected 89 for an undirected graph of 5 vertices and 6 entries: the "
            "end of the file has extra bytes");
  EXPECT_EQ(problem_of(".wsg", file),
            ": has 89 bytes, expected 113 for an undirected weighted graph of 5 vertices and 6 "
            "entries: the file is truncated");
  EXPECT_EQ(problem_of(".sg", file.substr(0, 16)),
            ": has 16 bytes, but the header of a GAP graph has 17");
  const std::string only_out = header_of(1, 6, 5) + side_of(kSmall, false);
  EXPECT_EQ(problem_of(".sg", only_out),
            ": has 89 bytes, expected 161 for a directed graph of 5 vertices and 6 entries: the "
            "file is truncated");
}

// A sparse file may be so large. Nothing is read from it.
TEST(GapFile, IsRefusedIfItsSizesCouldOverflow) {
  detail::GapHeader header;
  const int64_t bytes = (int64_t{1} << 60) + 1;
  EXPECT_EQ(detail::read_gap_header(-1, bytes, false, &header).sentence,
            "has 1152921504606846977 bytes, more than a GAP graph can have");
}

TEST(GapFile, IsRefusedIfItIsTruncatedAnywhere) {
  const std::string files[] = {undirected_file(kSmall), directed_file(kSmall, kSmall)};
  for (const std::string& file : files) {
    for (size_t bytes = 1; bytes < file.size(); ++bytes) {
      const std::string problem = problem_of(".sg", file.substr(0, bytes));
      EXPECT_EQ(problem.find(bytes < 17                               ? ": has "
                             : bytes < size_t(entries_of(kSmall)) * 4 ? ": byte 1: the header "
                                                                      : ": has "),
                0u)
          << bytes << problem;
    }
  }
}

TEST(GapFile, IsRefusedIfItsHeaderIsWrong) {
  std::string file = undirected_file(kSmall);
  file[0] = '%';
  EXPECT_EQ(problem_of(".sg", file),
            ": byte 0: the first byte is 37, expected 0 (undirected) or 1 (directed)");
  EXPECT_EQ(problem_of(".sg", header_of(0, -1, 5) + side_of(kSmall, false)),
            ": byte 1: the header declares -1 entries, but the file has 89 bytes");
  EXPECT_EQ(problem_of(".sg", header_of(0, INT64_MAX, 5) + side_of(kSmall, false)),
            ": byte 1: the header declares 9223372036854775807 entries, but the file has 89 bytes");
  EXPECT_EQ(problem_of(".sg", header_of(0, 6, -5) + side_of(kSmall, false)),
            ": byte 9: the header declares -5 vertices, expected 1 to 2147483648");
  EXPECT_EQ(problem_of(".sg", header_of(0, 6, 2147483649) + side_of(kSmall, false)),
            ": byte 9: the header declares 2147483649 vertices, expected 1 to 2147483648");
  EXPECT_EQ(problem_of(".sg", undirected_file({})), ": byte 9: the graph is empty");
}

// Returns the file, with another 64-bit number at this byte.
std::string with_number(std::string file, size_t at, int64_t value) {
  return file.replace(at, 8, number(uint64_t(value), 8));
}

TEST(GapFile, IsRefusedAtItsFirstBadOffset) {
  const std::string file = undirected_file(kSmall);
  EXPECT_EQ(problem_of(".sg", with_number(file, kHeaderBytes, 1)),
            ": byte 17: offset 1 of vertex 0, expected 0");
  EXPECT_EQ(problem_of(".sg", with_number(file, kHeaderBytes + 16, 1)),
            ": byte 33: offset 1 of vertex 2 is smaller than the offset 2 of the vertex before it");
  EXPECT_EQ(problem_of(".sg", with_number(file, kHeaderBytes + 16, 5)),
            ": byte 41: offset 4 of vertex 3 is smaller than the offset 5 of the vertex before it");
  EXPECT_EQ(problem_of(".sg", with_number(file, kHeaderBytes + 40, 7)),
            ": byte 57: the last offset is 7, but the header declares 6 entries");
  EXPECT_EQ(
      problem_of(".sg", with_number(file, kHeaderBytes + 8, -2)),
      ": byte 25: offset -2 of vertex 1 is smaller than the offset 0 of the vertex before it");
  const std::string both = directed_file(kSmall, kSmall);
  EXPECT_EQ(
      problem_of(".sg", with_number(both, 89 + 8, 5)),
      ": byte 105: offset 4 of vertex 2 is smaller than the offset 5 of the vertex before it");
}

TEST(GapFile, IsRefusedAtItsFirstBadNeighbour) {
  EXPECT_EQ(problem_of(".sg", undirected_file({{1, 3}, {0, 5}, {}, {0, -1}, {}})),
            ": byte 77: vertex 1 has the neighbour 5, but the graph has 5 vertices");
  EXPECT_EQ(problem_of(".wsg", undirected_file({{1, 3}, {0, 3}, {}, {0, -1}, {}}, true)),
            ": byte 105: vertex 3 has the neighbour -1, but the graph has 5 vertices");
  EXPECT_EQ(problem_of(".sg", directed_file(kSmall, {{}, {}, {}, {}, {1, 2, 3, 9, 4, 5}})),
            ": byte 149: vertex 4 has the neighbour 9, but the graph has 5 vertices");
}

TEST(GapFile, IsRefusedIfAnEdgeIsInOneListOnly) {
  const std::string one_sided =
      ": the graph is undirected, but an edge is in the list of only one of its vertices";
  EXPECT_EQ(problem_of(".sg", undirected_file({{1, 3}, {0, 3}, {}, {0, 4}, {}})), one_sided);
  EXPECT_EQ(problem_of(".sg", undirected_file({{1, 1}, {0}})), one_sided);
  EXPECT_EQ(problem_of(".sg", undirected_file({{}, {0}})), one_sided);
}

// Any other byte in any position makes another graph, or one error.
TEST(GapFile, WithAnyOtherByteIsAGraphOrAnError) {
  const size_t before = heap_bytes_free();
  const std::string files[] = {undirected_file(kSmall), directed_file(kSmall, kSmall)};
  for (const std::string& file : files) {
    for (size_t at = 0; at < file.size(); ++at) {
      for (const int bits : {1, 2, 0x80, 0xff}) {
        std::string changed = file;
        changed[at] = char(changed[at] ^ bits);
        problem_of(".sg", changed);  // checks the form of the message
      }
    }
  }
  EXPECT_EQ(heap_bytes_free(), before);
}

// The file is sparse. The vertices would need more memory than there is.
TEST(GapFile, IsRefusedIfItNeedsMoreMemoryThanThereIs) {
  const size_t before = heap_bytes_free();
  const int64_t nv = int64_t(1) << 31;
  const GraphFile file(".sg", header_of(0, 0, nv));
  ASSERT_EQ(truncate(file.path().c_str(), kHeaderBytes + 8 * (nv + 1)), 0);
  EXPECT_EQ(error_of(file.path(), "")
                .find(file.path() + ": a graph of 2147483648 vertices needs 32.0 GiB for the "
                                    "vertices; "),
            0u)
      << error_of(file.path(), "");
  EXPECT_EQ(heap_bytes_free(), before);
}

std::string saved_gap(int64_t nv, const Edges& edges) {
  const Folder folder;
  TupleGraph graph = TupleGraph::from_edges(nv, edges);
  graph.save(folder.file("graph.sg"));
  graph.destroy();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"graph.sg"});
  return bytes_of(folder.file("graph.sg"));
}

TEST(SavedGapFile, HasSortedListsOfAnUndirectedGraph) {
  EXPECT_EQ(saved_gap(5, {{3, 1}, {1, 0}, {2, 2}, {0, 1}, {0, 3}}), undirected_file(kSmall));
  EXPECT_EQ(saved_gap(3, {}), undirected_file({{}, {}, {}}));
  for (int64_t nv = 1; nv < 10; ++nv) {
    const Edges path = {{0, nv - 1}, {nv / 2, 0}};
    EXPECT_EQ(saved_gap(nv, path), undirected_file(model_of(nv, path, false))) << nv;
  }
}

TEST(SavedGapFile, IsTheSameFileOnAnyNumberOfCores) {
  const Lists lists = model_of(kLargeVertices, large_edges(), false);
  EXPECT_EQ(saved_gap(kLargeVertices, large_edges()), undirected_file(lists));
}

TEST(SavedGapFile, IsReadBack) {
  const Folder folder;
  const Lists lists = model_of(kLargeVertices, large_edges(), false);
  TupleGraph graph = TupleGraph::from_edges(kLargeVertices, large_edges());
  graph.save(folder.file("graph"), "sg");
  graph.destroy();
  TupleGraph read = TupleGraph::Load(folder.file("graph"), "sg");
  EXPECT_EQ(read.nv, kLargeVertices);
  EXPECT_EQ(edges_of(read), edges_in(lists, false));
  read.destroy();
}

TEST(SavedGapFile, IsRefusedIfItCannotRepresentTheGraph) {
  const Folder folder;
  const size_t before = heap_bytes_free();
  TupleGraph graph = TupleGraph::from_edges(int64_t(1) << 50, {{0, 1}});
  std::string error;
  EXPECT_FALSE(graph.try_save(folder.file("a.sg"), "", &error));
  EXPECT_EQ(error, folder.file("a.sg") +
                       ": the graph has 1125899906842624 vertices, but the largest id in format sg "
                       "is 2147483647");
  graph.nv = 2;
  EXPECT_FALSE(graph.try_save(folder.file("a.wsg"), "", &error));
  EXPECT_EQ(error, folder.file("a.wsg") +
                       ": a .wsg file needs weights, but there are none; write a .sg file");
  delegate::write(graph.edges, TupleEdge{0, 2});
  EXPECT_FALSE(graph.try_save(folder.file("a.sg"), "", &error));
  EXPECT_EQ(error,
            folder.file("a.sg") + ": edges[0] has the vertex id 2, but the graph has 2 vertices");
  graph.destroy();
  EXPECT_EQ(heap_bytes_free(), before);
  EXPECT_EQ(folder.names(), std::vector<std::string>());
}

// The lists of neighbours, with the least weight of each edge.
typedef std::vector<std::map<VertexID, int32_t>> WeightedLists;

WeightedLists weighted_lists(int64_t nv, const Edges& edges,
                             const std::vector<EdgeAttributes>& attributes) {
  WeightedLists lists(static_cast<size_t>(nv));
  for (size_t k = 0; k < edges.size(); ++k) {
    const VertexID v = edges[k].v0, w = edges[k].v1;
    if (v == w) continue;
    const auto weight = static_cast<int32_t>(attributes[k].weight);
    const auto set_least = [weight](std::map<VertexID, int32_t>* list, VertexID id) {
      const auto at = list->emplace(id, weight).first;
      at->second = std::min(at->second, weight);
    };
    set_least(&lists[size_t(v)], w);
    set_least(&lists[size_t(w)], v);
  }
  return lists;
}

std::string weighted_file(const WeightedLists& lists) {
  std::string offsets = number(0, 8), entries;
  uint64_t end = 0;
  for (const auto& list : lists) {
    offsets += number(end += list.size(), 8);
    for (const auto& entry : list) {
      entries += number(uint64_t(entry.first), 4) + number(uint64_t(entry.second), 4);
    }
  }
  return header_of(0, int64_t(end), int64_t(lists.size())) + offsets + entries;
}

TEST(SavedWeightedGapFile, HasTheLeastWeightOfEachEdge) {
  const Folder folder;
  const Edges edges = {{3, 1}, {1, 0}, {2, 2}, {0, 1}, {0, 3}};
  const std::vector<EdgeAttributes> attributes = {{5, 1}, {-2, 0}, {9, 0}, {7, 0}, {INT32_MAX, 0}};
  const WeightedLists small = {
      {{1, -2}, {3, INT32_MAX}}, {{0, -2}, {3, 5}}, {}, {{0, INT32_MAX}, {1, 5}}, {}};
  EXPECT_EQ(weighted_lists(5, edges, attributes), small);
  TupleGraph graph = TupleGraph::from_edges(5, edges, attributes);
  graph.save(folder.file("a.wsg"));
  EXPECT_EQ(bytes_of(folder.file("a.wsg")), weighted_file(small));
  graph.destroy();
}

TEST(SavedWeightedGapFile, IsTheSameFileOnAnyNumberOfCores) {
  const Folder folder;
  const size_t before = heap_bytes_free();
  const Edges edges = large_edges();
  std::vector<EdgeAttributes> attributes;
  for (size_t k = 0; k < edges.size(); ++k) {
    attributes.push_back({double(int64_t(k * 2654435761) % 2000000011 - 1000000000), 0});
  }
  TupleGraph graph = TupleGraph::from_edges(kLargeVertices, edges, attributes);
  graph.save(folder.file("a.wsg"));
  graph.destroy();
  const WeightedLists lists = weighted_lists(kLargeVertices, edges, attributes);
  EXPECT_TRUE(bytes_of(folder.file("a.wsg")) == weighted_file(lists));
  TupleGraph read = TupleGraph::Load(folder.file("a.wsg"), "", Attributes::Keep);
  EXPECT_EQ(read.nv, kLargeVertices);
  read.destroy();
  EXPECT_EQ(heap_bytes_free(), before);
}

TEST(SavedWeightedGapFile, IsRefusedIfAWeightIsNoSignedIntegerOf4Bytes) {
  const Folder folder;
  const std::pair<double, const char*> unfit[] = {{0.5, "0.5"},
                                                  {2147483648.0, "2147483648"},
                                                  {-2147483649.0, "-2147483649"},
                                                  {HUGE_VAL, "inf"},
                                                  {std::nan(""), "nan"}};
  for (const auto& weight : unfit) {
    TupleGraph graph = TupleGraph::from_edges(2, {{0, 1}, {1, 1}}, {{1, 0}, {weight.first, 0}});
    std::string error;
    EXPECT_FALSE(graph.try_save(folder.file("a.wsg"), "", &error));
    EXPECT_EQ(error, folder.file("a.wsg") + ": edges[1] has the weight " + weight.second +
                         ", but a weight in format wsg is a whole number from -2147483648 to "
                         "2147483647; write a .wel file");
    graph.destroy();
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>());
}

TEST(SavedGapFile, LeavesTheOldFileIfTheDiskIsFull) {
  const Folder folder;
  const std::string path = folder.file("graph.sg");
  std::ofstream(path) << "old";
  TupleGraph graph = TupleGraph::from_edges(kLargeVertices, large_edges());
  std::string error;
  limit_files(400000);
  EXPECT_FALSE(graph.try_save(path, "", &error));
  limit_files(RLIM_INFINITY);
  EXPECT_EQ(error.find(path + ": cannot be written on core "), 0u) << error;
  EXPECT_EQ(folder.names(), std::vector<std::string>{"graph.sg"});
  EXPECT_EQ(bytes_of(path), "old");
  graph.destroy();
}

}}  // namespace Grappa
