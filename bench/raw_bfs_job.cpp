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
#include "bench/raw_job.hpp"
#include "system/base/input_error.hpp"

#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

DEFINE_int64(nbfs, 64, "number of searches, each from a different root");
DEFINE_string(algorithm, "direction", "direction (optimising) or topdown");

namespace {

void check_flags() {
  apps::check_range("nbfs", FLAGS_nbfs, 1, int64_t(1) << 20);
  if (FLAGS_algorithm != "direction" && FLAGS_algorithm != "topdown") {
    Grappa::input_error("--algorithm=" + FLAGS_algorithm + " is unknown; use direction or topdown");
  }
}

struct Search {
  double seconds;
  double teps;  // traversed edges per second; 0 if the search is wrong
};

// Searches from a root. If the search is wrong, prints why.
Search search(const raw::Edges& edges, raw::Vertex root, raw::Searcher* searcher) {
  const raw::Direction direction =
      FLAGS_algorithm == "topdown" ? raw::Direction::TopDown : raw::Direction::Optimising;
  const raw::Vertex* parents = nullptr;
  const double seconds = raw::seconds_of([&] { parents = searcher->search(root, direction); });
  const raw::Verdict verdict =
      raw::verify(edges.nv, edges.all.data(), edges.all.size(), root, parents, int(FLAGS_threads));
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
  std::vector<double> seconds, teps;
  for (const Grappa::VertexID root : raw::choose_roots(graph, FLAGS_nbfs)) {
    const Search result = search(edges, raw::Vertex(root), &searcher);
    seconds.push_back(result.seconds);
    teps.push_back(result.teps);
    if (teps.back() == 0) return false;
  }
  if (teps.empty()) Grappa::input_error("no vertex of the graph has a neighbour");
  const apps::Summary summary = apps::summarize(teps);
  raw::report("NBFS", double(teps.size()));
  raw::report("mean_time", apps::summarize(seconds).mean);
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
  const raw::Edges edges = raw::generate_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  return search_all(edges, *graph) ? 0 : 1;
}
