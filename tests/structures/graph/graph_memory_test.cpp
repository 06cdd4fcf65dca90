/// While a core reads and writes graph files, its peak memory grows only by the size of the global
/// array and a few MiB, and while it builds a graph, only by the size of the graph and a few MiB.
/// --megabytes is the size of the files.

#include "structures/graph/graph.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/mapping.hpp"
#include "tests/harness/reclaim_pages.hpp"
#include "tests/structures/graph/graph_files.hpp"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

DEFINE_int64(megabytes, 64, "size of the files that are read and written");

namespace Grappa {

using namespace detail;

namespace {

// The memory that a core may need in addition to the array: pieces and chunks of files, and one
// huge page for each core that writes to the array. A second copy of the edges would exceed this
// limit.
int64_t slack_bytes() { return int64_t(14 * MiB) + cores() * int64_t(kHugePageBytes); }

constexpr int64_t kBytesOfEdge = 8;  // bytes of an edge, in both file formats

int64_t status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string name;
  int64_t kib = 0;
  while (status >> name) {
    if (name == field && status >> kib) return kib * int64_t(KiB);
  }
  return -1;
}

int64_t resident_before;  // each core has its own instance

// Resets VmHWM, the peak resident memory of the process.
bool reset_peak() {
  std::ofstream refs("/proc/self/clear_refs");
  refs << 5 << std::flush;
  return refs.good();
}

// Uses the message buffers once: a buffer is allocated on its first use and never freed.
void warm_up() {
  constexpr int64_t kBytes = 4 * MiB;
  auto array = global_alloc<char>(size_t(kBytes * cores()));
  on_all_cores([array] {
    std::vector<char> piece(kBytes);
    for (int round = 0; round < 4; ++round) {
      memcpy(array + kBytes * mycore(), piece.data(), kBytes);
      memcpy(piece.data(), array + kBytes * mycore(), kBytes);
    }
  });
  global_free(array);
}

// Returns the largest memory growth of a core during `body`. Returns -1 if the kernel does not
// report the memory.
template <class Body>
int64_t growth_of(Body body) {
  warm_up();
  on_all_cores([] { reclaim_pages(reinterpret_cast<void*>(kHeapBase), heap().bytes_per_core()); });
  on_all_cores([] { resident_before = reset_peak() ? status_bytes("VmRSS:") : -1; });
  body();
  int64_t most = -1;
  for (Core c = 0; c < cores(); ++c) {
    most = std::max(most, delegate::call(c, [] {
                      return resident_before < 0 ? -1 : status_bytes("VmHWM:") - resident_before;
                    }));
  }
  return most;
}

void write_file(const std::string& path, const std::string& edge) {
  std::ofstream file(path, std::ios::binary);
  std::string piece;
  for (size_t k = 0; k < MiB / kBytesOfEdge; ++k) piece += edge;
  for (int64_t k = 0; k < FLAGS_megabytes; ++k) file << piece;
}

// Reads a file that repeats one edge, and saves the graph in another file.
void expect_little_memory(const std::string& suffix, const std::string& edge) {
  ASSERT_EQ(int64_t(edge.size()), kBytesOfEdge);
  const Folder folder;
  const std::string path = folder.file("graph" + suffix);
  const int64_t nedge = FLAGS_megabytes * int64_t(MiB) / kBytesOfEdge;
  write_file(path, edge);
  TupleGraph graph;
  const int64_t reading = growth_of([&] { graph = TupleGraph::Load(path); });
  ASSERT_EQ(graph.nedge, nedge);
  const int64_t writing = growth_of([&] { graph.save(path); });
  graph.destroy();
  if (reading < 0) GTEST_SKIP() << "the kernel does not report the peak memory";
  const int64_t array = nedge * int64_t(sizeof(TupleEdge)) / cores();
  std::printf("%lld MiB of %s: growth on a core: %.1f MiB reading, %.1f writing; edges %.1f MiB\n",
              static_cast<long long>(FLAGS_megabytes), suffix.c_str(), double(reading) / MiB,
              double(writing) / MiB, double(array) / MiB);
  EXPECT_GE(reading, array / 2) << "the growth is not measured";
  EXPECT_LE(reading, array + slack_bytes());
  EXPECT_LE(writing, slack_bytes());
}

TEST(GraphMemory, IsThatOfTheEdgesInRecordFiles) {
  expect_little_memory(".bintsv4", std::string("\1\0\0\0\2\1\0\0", 8));
}

TEST(GraphMemory, IsThatOfTheEdgesInTextFiles) { expect_little_memory(".el", "100 999\n"); }

/// An entry that waits to be sorted takes the memory of a sorted one. The limit is for pages of
/// groups of buckets, and for a group that is being sorted.
TEST(GraphMemory, OfABuildIsThatOfTheGraph) {
  TupleGraph tuples = TupleGraph::Uniform(int64_t{1} << 17, int64_t{1} << 23, 1);
  GlobalAddress<Graph<int32_t>> graph;
  const int64_t growth = growth_of([&] { graph = Graph<int32_t>::create(tuples); });
  const int64_t all = int64_t(
      graph_bytes_at_rest(tuples.nv, tuples.nedge, sizeof(Graph<int32_t>::Vertex)) / cores());
  graph->destroy();
  tuples.destroy();
  if (growth < 0) GTEST_SKIP() << "the kernel does not report the peak memory";
  std::printf("a build: growth on a core: %.1f MiB; the graph %.1f MiB\n", double(growth) / MiB,
              double(all) / MiB);
  EXPECT_GE(growth, all / 2) << "the growth is not measured";
  EXPECT_LE(growth, all + int64_t(26 * MiB));
}

/// At the peak of a build, there are 8 bytes for each edge in the lists, and the edges themselves,
/// or what has not been read of them.
TEST(GraphMemory, OfConsumedEdgesIsFreedDuringABuild) {
  static constexpr int64_t kEdges = int64_t{1} << 23;
  const auto growth_with = [](bool consumed) {
    return growth_of([consumed] {
      TupleGraph tuples = TupleGraph::Uniform(int64_t{1} << 17, kEdges, 1);
      const auto graph =
          consumed ? Graph<int32_t>::consume(&tuples) : Graph<int32_t>::create(tuples);
      if (!consumed) tuples.destroy();
      EXPECT_GT(graph->nadj, int64_t{kEdges});
      graph->destroy();
    });
  };
  const int64_t kept = growth_with(false), consumed = growth_with(true);
  if (kept < 0) GTEST_SKIP() << "the kernel does not report the peak memory";
  std::printf("edges and graph: growth on a core: %.1f MiB; if the edges are consumed %.1f MiB\n",
              double(kept) / MiB, double(consumed) / MiB);
  EXPECT_LE(consumed, kept - 6 * kEdges / cores());
}

}  // namespace
}  // namespace Grappa
