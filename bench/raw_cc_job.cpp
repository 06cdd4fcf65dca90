/// A program for benchmarks of connected components in the memory of one process, with OpenMP and
/// without the runtime. The edges are the same as those of apps/cc with the same flags. There are
/// two algorithms: Afforest as published, and the algorithm of apps/cc.
///
/// Timed: a trial, from the built graph to the finished labels, including the reset of the labels.
/// A rate is in generated edges per second, including self-loops and repeated edges. Verified: all
/// labels of every trial, by the edges and by a serial union-find.
///
/// Exit status: 0 if every trial is right, 1 if a trial is wrong, 2 for invalid flags.

#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_cc.hpp"
#include "bench/raw_cc_sweeps.hpp"
#include "bench/raw_cc_verify.hpp"
#include "bench/raw_job.hpp"
#include "system/base/input_error.hpp"

#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <vector>

DEFINE_int64(trials, 16, "number of times to find the components");
DEFINE_string(algorithm, "sampling",
              "sampling (Afforest as published) or sweeps (the algorithm of apps/cc's afforest)");

namespace {

// Prints a message and returns false after the first trial that is wrong.
template <class Components>
bool find_all(const raw::Edges& edges, const raw::Csr& graph) {
  const Grappa::TupleEdge* const all = edges.all.data();
  const int64_t n = edges.all.size();
  const int64_t components = raw::count_components(edges.nv, all, n);
  Components finder(&graph, int(FLAGS_threads));
  std::vector<double> times, rates;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const raw::Vertex* labels = nullptr;
    const double seconds = raw::seconds_of([&] { labels = finder.find(); });
    const char* const broken =
        raw::broken_rule(edges.nv, all, n, labels, components, int(FLAGS_threads));
    if (broken != nullptr) {
      std::fprintf(stderr, "raw_cc_job: trial %lld is wrong; broken rule: %s\n",
                   static_cast<long long>(trial), broken);
      return false;
    }
    times.push_back(seconds);
    rates.push_back(double(n) / seconds);
    std::printf("trial %lld, %.6f s, %.6e edges/s\n", static_cast<long long>(trial), seconds,
                rates.back());
  }
  const apps::Summary summary = apps::summarize(rates);
  raw::report("components", double(components));
  raw::report("median_time", apps::summarize(times).median);
  raw::report("min_edges_per_second", summary.min);
  raw::report("median_edges_per_second", summary.median);
  raw::report("max_edges_per_second", summary.max);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) {
  raw::begin_job(argc, argv);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  const bool sweeps = FLAGS_algorithm == "sweeps";
  if (!sweeps && FLAGS_algorithm != "sampling") {
    Grappa::input_error("--algorithm=" + FLAGS_algorithm + " is unknown; use sampling or sweeps");
  }
  const raw::Edges edges = raw::input_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  const bool right = sweeps ? find_all<raw::SweepingComponents>(edges, *graph)
                            : find_all<raw::Components>(edges, *graph);
  return right ? 0 : 1;
}
