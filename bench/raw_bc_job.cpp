/// A program for benchmarks of betweenness centrality in the memory of one process, with OpenMP and
/// without the runtime. The edges and sources are the same as those of apps/betweenness with the
/// same flags.
///
/// Timed: a trial, from the built graph to the scores, the sum over all sources. Verified: all
/// scores of every trial, by a serial computation.
///
/// Exit status: 0 if every trial is right, 1 if a trial is wrong, 2 for invalid flags.

#include "apps/common/flags.hpp"
#include "apps/common/root_order.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_bc.hpp"
#include "bench/raw_bc_verify.hpp"
#include "bench/raw_job.hpp"

#include <algorithm>
#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <vector>

DEFINE_int64(trials, 16, "number of times to find the scores");
DEFINE_int64(sources, 4, "number of sources");

namespace {

std::vector<raw::Vertex> choose_sources(const raw::Csr& graph) {
  apps::Candidates candidates;
  for (int64_t v = 0; v < graph.nv(); ++v) {
    if (graph.degree(raw::Vertex(v)) == 0) continue;
    apps::consider(v, uint64_t(FLAGS_seed), FLAGS_sources, &candidates);
  }
  std::vector<raw::Vertex> sources;
  for (const auto& candidate : candidates) sources.push_back(raw::Vertex(candidate.second));
  return sources;
}

}  // namespace

int main(int argc, char* argv[]) {
  raw::begin_job(argc, argv);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  apps::check_range("sources", FLAGS_sources, 1, int64_t(1) << 20);
  const raw::Edges edges = raw::input_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  const std::vector<raw::Vertex> sources = choose_sources(*graph);
  const raw::ScoreCheck check(edges.nv, edges.all.data(), edges.all.size(), sources);
  raw::Betweenness finder(graph.get(), int(FLAGS_threads));
  std::vector<double> times;
  double largest = 0;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const double* scores = nullptr;
    times.push_back(raw::seconds_of([&] { scores = finder.find(sources); }));
    const double error = check.error_of(scores);
    if (!(error <= raw::kLargestScoreError)) {  // also if the error is not a number
      std::fprintf(stderr, "raw_bc_job: trial %lld is wrong by %g\n", static_cast<long long>(trial),
                   error);
      return 1;
    }
    largest = std::max(largest, error);
  }
  raw::report("error", largest);
  raw::report("median_seconds", apps::summarize(times).median);
  return 0;
}
