/// A program for benchmarks of searches: the Graph500 search benchmark in the memory of one
/// process, by OpenMP and without the runtime. The same edges, the same roots and the same counts
/// as those of apps/bfs with the same flags.
///
/// What is timed: a build from the edges in memory to the finished graph, memory taken included; a
/// search from the call to the finished tree, resetting the parents included. Verified: every
/// search, by the rules of Graph500.
///
/// It is no job of Grappa: start it by itself, free to use all processors. Its threads are bound to
/// one each, unless OMP_PROC_BIND says otherwise.
///
/// Exit status: 0 if every search is right, 1 if one is not, 2 for bad flags.

#include "apps/bfs/root_order.hpp"
#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_bfs.hpp"
#include "bench/raw_bfs_verify.hpp"
#include "structures/graph/kronecker.hpp"
#include "system/base/input_error.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gflags/gflags.h>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

DEFINE_int64(scale, 16, "logarithm to base 2 of the number of vertices, 1 to 30");
DEFINE_int64(edgefactor, 16, "edges for each vertex");
DEFINE_int64(seed, 1, "of the graph and of the choice of roots");
DEFINE_int64(nbfs, 64, "searches, each from another root");
DEFINE_int64(threads, 2, "of OpenMP");
DEFINE_int64(builds, 3, "times that the graph is built; the median counts");
DEFINE_string(algorithm, "direction", "direction (optimising) or topdown");

namespace {

using Grappa::TupleEdge;

// That of apps/bfs.
constexpr uint64_t kSecondSeed = 0xdecafbad;

struct Edges {
  int64_t nv;
  raw::Array<TupleEdge> all;
};

void check_flags() {
  apps::check_range("scale", FLAGS_scale, 1, 30);
  apps::check_range("edgefactor", FLAGS_edgefactor, 1, 1024);
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  apps::check_range("threads", FLAGS_threads, 1, 1024);
  apps::check_range("builds", FLAGS_builds, 1, 1000);
  if (FLAGS_algorithm != "direction" && FLAGS_algorithm != "topdown") {
    Grappa::input_error("--algorithm=" + FLAGS_algorithm + " is neither direction nor topdown");
  }
}

// OpenMP reads the environment before main, so this has to start anew.
void bind_threads(char* argv[]) {
  if (std::getenv("OMP_PROC_BIND") != nullptr) return;
  ::setenv("OMP_PROC_BIND", "true", 1);
  ::execv("/proc/self/exe", argv);  // if it fails, threads are not bound
}

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const std::string& name, double number) {
  std::printf("%s: %.9g\n", name.c_str(), number);
}

Edges generate() {
  const Grappa::KroneckerGenerator generator(int(FLAGS_scale), uint64_t(FLAGS_seed), kSecondSeed);
  const int64_t n = FLAGS_edgefactor << FLAGS_scale;
  Edges edges = {int64_t(1) << FLAGS_scale, raw::Array<TupleEdge>(n)};
#pragma omp parallel for schedule(static) num_threads(int(FLAGS_threads))
  for (int64_t i = 0; i < n; ++i) edges.all[i] = generator.edge(i);
  return edges;
}

std::unique_ptr<raw::Csr> build(const Edges& edges) {
  std::unique_ptr<raw::Csr> graph;
  std::vector<double> seconds;
  for (int64_t k = 0; k < FLAGS_builds; ++k) {
    graph.reset();
    seconds.push_back(seconds_of([&] {
      graph.reset(new raw::Csr(edges.nv, edges.all.data(), edges.all.size(), int(FLAGS_threads)));
    }));
  }
  const double median = apps::summarize(seconds).median;
  report("construction_time", median);
  report("construction_edges_per_second", double(edges.all.size()) / median);
  report("csr_bytes", double(graph->bytes()));
  return graph;
}

std::vector<Grappa::VertexID> choose_roots(const raw::Csr& graph) {
  std::vector<bfs::Candidate> candidates;
  for (int64_t v = 0; v < graph.nv(); ++v) {
    if (graph.degree(raw::Vertex(v)) == 0) continue;
    bfs::consider(bfs::candidate_of(v, uint64_t(FLAGS_seed)), FLAGS_nbfs, &candidates);
  }
  return bfs::in_order(std::move(candidates));
}

// The rate of a search in traversed edges a second; 0, with a line on stderr, if it is wrong.
double search(const Edges& edges, raw::Vertex root, raw::Searcher* searcher) {
  const raw::Direction direction =
      FLAGS_algorithm == "topdown" ? raw::Direction::TopDown : raw::Direction::Optimising;
  const raw::Vertex* parents = nullptr;
  const double seconds = seconds_of([&] { parents = searcher->search(root, direction); });
  const raw::Verdict verdict =
      raw::verify(edges.nv, edges.all.data(), edges.all.size(), root, parents, int(FLAGS_threads));
  if (verdict.broken != nullptr) {
    std::fprintf(stderr, "raw_bfs_job: the search from root %d is wrong: it is not so that %s\n",
                 int(root), verdict.broken);
    return 0;
  }
  const double teps = double(verdict.traversed_edges) / seconds;
  std::printf("root %d, %.6f s, %lld vertices, %lld edges, %.6e TEPS\n", int(root), seconds,
              static_cast<long long>(verdict.reached),
              static_cast<long long>(verdict.traversed_edges), teps);
  return teps;
}

// False if one is wrong; the rest is not run then.
bool search_all(const Edges& edges, const raw::Csr& graph) {
  raw::Searcher searcher(&graph, int(FLAGS_threads));
  std::vector<double> teps;
  for (const Grappa::VertexID root : choose_roots(graph)) {
    teps.push_back(search(edges, raw::Vertex(root), &searcher));
    if (teps.back() == 0) return false;
  }
  if (teps.empty()) Grappa::input_error("no vertex of the graph has a neighbour");
  const apps::Summary summary = apps::summarize(teps);
  report("NBFS", double(teps.size()));
  report("min_TEPS", summary.min);
  report("median_TEPS", summary.median);
  report("max_TEPS", summary.max);
  report("harmonic_mean_TEPS", apps::summarize_rates(teps).mean);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) {
  bind_threads(argv);
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  apps::check_no_surplus(argc, argv);
  check_flags();
  const Edges edges = generate();
  const std::unique_ptr<raw::Csr> graph = build(edges);
  return search_all(edges, *graph) ? 0 : 1;
}
