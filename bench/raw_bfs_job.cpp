/// A program for benchmarks of searches: the Graph500 search benchmark in the memory of one
/// process, with OpenMP and without the runtime. Edges, roots and counts are the same as those of
/// apps/bfs with the same flags.
///
/// Timed: the construction, from the edges in memory to the finished graph, including memory
/// allocation. Each search is also timed, from the call to the finished tree, including the reset
/// of the parents. Verified: every search, by the rules of Graph500.
///
/// Exit status: 0 if every search is right, 1 if a search is wrong, 2 for invalid flags.

#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_bfs.hpp"
#include "bench/raw_bfs_verify.hpp"
#include "bench/raw_files.hpp"
#include "bench/raw_job.hpp"
#include "system/base/input_error.hpp"

#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

DEFINE_int64(nbfs, 64, "number of searches, each from a different root");
DEFINE_string(load, "", "serialized graph (.sg) to read, instead of a list of edges");
DEFINE_bool(verify, true, "verify each search; without, count its edges by the degrees");
DEFINE_string(algorithm, "direction", "direction (optimising) or topdown");

namespace {

void check_flags() {
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  if (!FLAGS_load.empty() && FLAGS_verify) {
    Grappa::input_error("--load requires --verify=false: the file does not contain the edges");
  }
  if (FLAGS_algorithm != "direction" && FLAGS_algorithm != "topdown") {
    Grappa::input_error("--algorithm=" + FLAGS_algorithm + " is unknown; use direction or topdown");
  }
}

struct Search {
  double seconds;
  double teps;  // traversed edges per second; 0 if the search is wrong
};

// Returns the number of edges of the component, each counted once.
raw::Verdict count_edges(const raw::Csr& graph, const raw::Vertex* parents) {
  int64_t reached = 0, ends = 0;
#pragma omp parallel for reduction(+ : reached, ends) num_threads(int(FLAGS_threads))
  for (int64_t v = 0; v < graph.nv(); ++v) {
    if (parents[v] < 0) continue;
    ++reached;
    ends += graph.degree(raw::Vertex(v));
  }
  raw::Verdict verdict = {};
  verdict.reached = reached;
  verdict.traversed_edges = ends / 2;
  return verdict;
}

// Searches from a root. If the search is wrong, prints why.
Search search(const raw::Edges& edges, const raw::Csr& graph, raw::Vertex root,
              raw::Searcher* searcher) {
  const raw::Direction direction =
      FLAGS_algorithm == "topdown" ? raw::Direction::TopDown : raw::Direction::Optimising;
  const raw::Vertex* parents = nullptr;
  const double seconds = raw::seconds_of([&] { parents = searcher->search(root, direction); });
  const raw::Verdict verdict = FLAGS_verify
                                   ? raw::verify(edges.nv, edges.all.data(), edges.all.size(), root,
                                                 parents, int(FLAGS_threads))
                                   : count_edges(graph, parents);
  if (verdict.broken != nullptr) {
    std::fprintf(stderr, "raw_bfs_job: the search from root %d is wrong; broken rule: %s\n",
                 int(root), verdict.broken);
    return Search{seconds, 0};
  }
  const double teps = double(verdict.traversed_edges) / seconds;
  std::printf("root %d, %.6f s, %lld vertices, %lld edges, %.6e TEPS\n", int(root), seconds,
              static_cast<long long>(verdict.reached),
              static_cast<long long>(verdict.traversed_edges), teps);
  return Search{seconds, teps};
}

// Returns false after the first search that is wrong.
bool search_all(const raw::Edges& edges, const raw::Csr& graph) {
  raw::Searcher searcher(&graph, int(FLAGS_threads));
  std::vector<double> seconds, teps, nedge;
  for (const Grappa::VertexID root : raw::choose_roots(graph, FLAGS_nbfs)) {
    const Search result = search(edges, graph, raw::Vertex(root), &searcher);
    seconds.push_back(result.seconds);
    teps.push_back(result.teps);
    nedge.push_back(result.teps * result.seconds);
    if (teps.back() == 0) return false;
  }
  if (teps.empty()) Grappa::input_error("no vertex of the graph has a neighbour");
  const apps::Summary summary = apps::summarize(teps);
  raw::report("NBFS", double(teps.size()));
  raw::report("mean_time", apps::summarize(seconds).mean);
  raw::report("mean_nedge", apps::summarize(nedge).mean);
  raw::report("min_TEPS", summary.min);
  raw::report("median_TEPS", summary.median);
  raw::report("max_TEPS", summary.max);
  raw::report("harmonic_mean_TEPS", apps::summarize_rates(teps).mean);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) {
  raw::begin_job(argc, argv);
  check_flags();
  raw::Edges edges;
  std::unique_ptr<raw::Csr> graph;
  if (!FLAGS_load.empty()) {
    graph = raw::read_serialized(FLAGS_load, int(FLAGS_threads));
  } else {
    edges = raw::input_edges();
    graph = raw::build_graph(edges);
  }
  return search_all(edges, *graph) ? 0 : 1;
}
