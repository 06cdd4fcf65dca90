#include "structures/graph/csr/csr.hpp"

#include "tests/structures/graph/csr_files.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

template <class G>
Lists lists_of(GlobalAddress<G> g) {
  typedef typename G::Vertex Vertex;
  Lists all(static_cast<size_t>(g->nv));
  for (VertexID v = 0; v < g->nv; ++v) {
    const int64_t nadj = delegate::call(g->vs + v, [](Vertex& x) { return int64_t{x.nadj}; });
    for (int64_t k = 0; k < nadj; ++k) {
      all[size_t(v)].push_back(
          delegate::call(g->vs + v, [g, k](Vertex& x) { return g->edge(x, k).id; }));
    }
  }
  return all;
}

template <class G>
std::vector<bool> valid_of(GlobalAddress<G> g) {
  std::vector<bool> valid;
  for (VertexID v = 0; v < g->nv; ++v) {
    valid.push_back(delegate::call(g->vs + v, [](typename G::Vertex& x) { return x.valid; }));
  }
  return valid;
}

TEST(CsrFile, HasTheBytesOfItsFormat) {
  const std::string bytes = saved(4, {{2, 0}, {0, 3}, {3, 3}, {0, 2}}, false);
  EXPECT_EQ(bytes, small_file(0, {2, 0, 1, 1}, {2, 3, 0, 0}));
  EXPECT_EQ(saved(4, {{2, 0}, {0, 3}}, true), small_file(1, {1, 0, 1, 0}, {3, 0}));
  EXPECT_EQ(file_of(true, {{3}, {}, {0}, {}}), small_file(1, {1, 0, 1, 0}, {3, 0}));
  const Edges edges = kronecker_edges(8, 2000);
  for (const bool directed : {false, true}) {
    EXPECT_TRUE(saved(256, edges, directed) == file_of(directed, model_of(256, edges, directed)));
  }
}

template <class From, class To>
void there_and_back(int64_t nv, const Edges& edges, bool directed, SlotWidth width,
                    GraphLayout from, GraphLayout to) {
  const Folder folder;
  const auto before = graph_of<From>(nv, edges, directed, width, from);
  before->save(folder.file("graph"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"graph"});
  const auto after = To::load(folder.file("graph"), to, width);
  EXPECT_EQ(after->directed, directed);
  EXPECT_EQ(after->nv, nv);
  EXPECT_EQ(after->nadj, before->nadj);
  EXPECT_EQ(lists_of(after), lists_of(before));
  EXPECT_EQ(valid_of(after), valid_of(before));
  after->save(folder.file("again"));
  EXPECT_EQ(bytes_of(folder.file("again")), bytes_of(folder.file("graph")));
  before->destroy();
  after->destroy();
}

template <class From, class To>
void there_and_back(int64_t nv, const Edges& edges, bool directed,
                    SlotWidth width = SlotWidth::kAutomatic) {
  const auto in_turn = GraphLayout::Interleaved, ranges = GraphLayout::Ranges;
  there_and_back<From, To>(nv, edges, directed, width, in_turn, in_turn);
  there_and_back<From, To>(nv, edges, directed, width, in_turn, ranges);
  there_and_back<From, To>(nv, edges, directed, width, ranges, in_turn);
}

TEST(CsrFile, HoldsAGraphWhateverTheSizeOfVertices) {
  for (const bool directed : {false, true}) {
    there_and_back<Small, Small>(256, kronecker_edges(8, 2000), directed);
    there_and_back<Small, Large>(256, kronecker_edges(8, 2000), directed);
    there_and_back<Large, Small>(256, kronecker_edges(8, 2000), directed);
  }
}

TEST(CsrFile, HoldsAGraphWithSlotsOf64Bits) {
  there_and_back<Small, Large>(256, kronecker_edges(8, 2000), false, SlotWidth::k64);
  there_and_back<Small, Small>(256, kronecker_edges(8, 2000), true, SlotWidth::k64);
}

TEST(CsrFile, HoldsVerticesWithoutEdgesAndGraphsWithoutEdgesOrVertices) {
  there_and_back<Small, Small>(1000, {{1, 998}}, false);
  there_and_back<Small, Small>(1000, {{998, 1}}, true);
  there_and_back<Small, Small>(1000, {}, false);
  there_and_back<Small, Small>(1, {}, true);
  there_and_back<Small, Small>(0, {}, false);
}

// Returns the edges of a ring and a star. The list of the centre of the star needs more than one
// piece.
Edges star_and_ring(int64_t nv) {
  Edges edges;
  for (int64_t v = 0; v < nv; ++v) edges.push_back(TupleEdge{v, (v + 1) % nv});
  for (int64_t v = 0; v < nv; v += 2) edges.push_back(TupleEdge{65537, v});
  return edges;
}

uint64_t fingerprint(GlobalAddress<Small> g) {
  static uint64_t mine;
  on_all_cores([] { mine = 0; });
  forall(g, [g](VertexID id, Small::Vertex& v) {
    for (int64_t i = 0; i < v.nadj; ++i) {
      const uint64_t pair[] = {uint64_t(id), uint64_t(g->edge(v, i).id), uint64_t(i)};
      mine += checksum_of(pair, sizeof pair);
    }
  });
  return sum_all_cores([] { return mine; });
}

TEST(CsrFile, MayHaveManyBlocks) {
  const Folder folder;
  const int64_t nv = 3 * 65536 + 77;
  const Edges edges = star_and_ring(nv);
  for (const bool directed : {false, true}) {
    const auto before = graph_of<Small>(nv, edges, directed);
    before->save(folder.file("graph"));
    EXPECT_TRUE(bytes_of(folder.file("graph")) == file_of(directed, model_of(nv, edges, directed)));
    const auto after = Small::load(folder.file("graph"));
    EXPECT_EQ(fingerprint(after), fingerprint(before));
    before->destroy();
    after->destroy();
  }
}

TEST(CsrFile, FreesItsMemory) {
  const Folder folder;
  const auto g = graph_of<Small>(1000, kronecker_edges(9, 3000), false);
  g->save(folder.file("graph"));
  const size_t before = heap_bytes_free();
  for (int i = 0; i < 3; ++i) {
    g->save(folder.file("graph"));
    Small::load(folder.file("graph"))->destroy();
    load_problem<Small>("/");
  }
  EXPECT_EQ(heap_bytes_free(), before);
  g->destroy();
}

TEST(CsrFile, RemembersInTransformedGraphsWhetherTheyAreDirected) {
  for (const bool directed : {false, true}) {
    const auto g = graph_of<Small>(10, {{1, 2}}, directed);
    const auto next = g->transform<Wide>([](Small::Vertex&, Wide&) {});
    EXPECT_EQ(next->directed, directed);
    EXPECT_EQ(delegate::call(Core(cores() - 1), [next] { return next->directed; }), directed);
    next->destroy();
  }
}

std::string save_problem(GlobalAddress<Small> g, const std::string& path) {
  std::string error;
  if (g->try_save(path, &error)) return "none";
  EXPECT_EQ(error.compare(0, path.size(), path), 0) << error;
  return error.substr(path.size());
}

TEST(CsrFile, IsTheSameForListsInTheOrderOfDegrees) {
  const Folder folder;
  const auto g = graph_of<Small>(300, kronecker_edges(8, 2000), false);
  g->save(folder.file("by id"));
  g->order_by_degree();
  g->save(folder.file("by degree"));
  g->destroy();
  EXPECT_EQ(bytes_of(folder.file("by id")), bytes_of(folder.file("by degree")));
}

TEST(CsrFile, IsRefusedIfItCannotBeWritten) {
  const auto g = graph_of<Small>(3, {{0, 1}}, false);
  EXPECT_EQ(save_problem(g, "/nowhere/graph"), ": cannot be written: No such file or directory");
  EXPECT_EQ(save_problem(g, "/"), ": is a directory, which a file cannot replace");
  EXPECT_EQ(save_problem(g, "/dev/full"), ": is not a regular file, so a file cannot replace it");
  g->destroy();
}

TEST(CsrFile, LeavesOnlyTheOldFileIfTheDiskIsFull) {
  const Folder folder;
  const std::string path = folder.file("graph");
  const auto old = graph_of<Small>(3, {{0, 1}}, false);
  ASSERT_EQ(save_problem(old, path), "none");
  old->destroy();
  const std::string before = bytes_of(path);
  const auto g = graph_of<Small>(200000, {{0, 1}, {70000, 170000}}, false);
  for (const rlim_t room : {rlim_t(0), rlim_t(300000)}) {
    limit_files(room);
    const std::string problem = save_problem(g, path);
    limit_files(RLIM_INFINITY);
    EXPECT_EQ(problem.find(": cannot be written"), 0u) << problem;
    EXPECT_NE(problem.find(": File too large"), std::string::npos) << problem;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"graph"});
    EXPECT_EQ(bytes_of(path), before);
  }
  EXPECT_EQ(save_problem(g, path), "none");
  EXPECT_EQ(load_problem<Small>(path), "none");
  g->destroy();
}

TEST(CsrFile, IsLoadedIntoAGraphWithOtherData) {
  const Folder folder;
  const std::string path = folder.file("graph");
  TupleGraph tuples = TupleGraph::from_edges(7, {{3, 0}, {0, 3}, {3, 5}, {2, 2}});
  const auto plain = Small::create(tuples);
  plain->save(path);
  typedef Graph<double, double> Weighted;
  const auto weighted = Graph<double, double>::load(path);
  EXPECT_EQ(lists_of(weighted), lists_of(plain));
  forall(weighted, [](Weighted::Vertex& v) { EXPECT_EQ(v.data, 0); });
  weighted->destroy();
  GlobalAddress<Weighted> again;
  std::string error;
  ASSERT_TRUE((Graph<double, double>::try_load(path, &again, &error))) << error;
  EXPECT_EQ(again->nadj, 4);
  again->destroy();
  EXPECT_FALSE((Graph<double, double>::try_load("/nowhere/graph", &again, &error)));
  EXPECT_EQ(error, "/nowhere/graph: cannot be opened: No such file or directory");
  EXPECT_FALSE(plain->try_save("/nowhere/graph", &error));
  EXPECT_EQ(error, "/nowhere/graph: cannot be written: No such file or directory");
  plain->destroy();
  tuples.destroy();
}

}  // namespace
}  // namespace Grappa
