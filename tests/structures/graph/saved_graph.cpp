/// Generates and saves a graph, or loads a graph. Prints a checksum of the graph. With --times, the
/// program also prints the seconds of each step. saved_graph_test.sh runs this program on different
/// numbers of cores.

#include "structures/graph/csr_edges.hpp"
#include "structures/graph/graph.hpp"

#include <Grappa.hpp>
#include <chrono>
#include <cstdio>
#include <gflags/gflags.h>
#include <string>

DEFINE_int32(scale, 17, "the graph has 2^scale vertices, and 16 edges for each vertex");
DEFINE_bool(directed, false, "the graph is directed");
DEFINE_bool(times, false, "print times in seconds");
DEFINE_string(save, "", "generate a graph and save it to this file");
DEFINE_string(load, "", "load a graph from this file");

namespace {

using namespace Grappa;

struct Level {
  int64_t level;
};
typedef Graph<Level> G;

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A checksum of the edges and the valid vertices. The checksum does not depend on their order.
uint64_t number_of(GlobalAddress<G> g) {
  static uint64_t mine;
  on_all_cores([] { mine = 0; });
  forall(g, [](VertexID id, G::Vertex& v) { mine += mixed(2 * uint64_t(id) + v.valid); });
  TupleGraph edges = edges_of(g->lists(), g->directed);
  forall(edges.edges, edges.nedge,
         [](TupleEdge& e) { mine += mixed(uint64_t(e.v0) << 32 ^ mixed(uint64_t(e.v1))); });
  edges.destroy();
  return sum_all_cores([] { return mine; });
}

template <class F>
void timed(const char* what, F body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (FLAGS_times) std::printf("%-8s %.3f s\n", what, took.count());
}

void run_test() {
  GlobalAddress<G> g;
  if (!FLAGS_save.empty()) {
    TupleGraph tuples = TupleGraph::Kronecker(FLAGS_scale, int64_t(16) << FLAGS_scale, 1, 2);
    timed("building", [&] { g = G::create(tuples, FLAGS_directed); });
    tuples.destroy();
    timed("saving", [&] { g->save(FLAGS_save); });
  } else {
    timed("loading", [&] { g = G::load(FLAGS_load); });
  }
  std::printf("nv %lld nadj %lld directed %d number %016llx\n", static_cast<long long>(g->nv),
              static_cast<long long>(g->nadj), int(g->directed),
              static_cast<unsigned long long>(number_of(g)));
  g->destroy();
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] { run_test(); });
  finalize();
  return 0;
}
