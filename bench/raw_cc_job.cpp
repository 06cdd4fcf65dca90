/// A program for benchmarks of connected components: in the memory of one process, by OpenMP and
/// without the runtime. The same edges as those of apps/cc with the same flags. Two algorithms:
/// Afforest as published, and that of apps/cc.
///
/// What is timed: from the built graph to the finished labels, resetting them included. A rate is
/// in generated edges a second: edgefactor * 2^scale, self-loops and repeated edges included.
/// Verified: all labels of every trial, by the edges and by a serial union-find.
///
/// Exit status: 0 if every trial is right, 1 if one is not, 2 for bad flags.

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

DEFINE_int64(trials, 16, "times that the components are found");
DEFINE_string(algorithm, "sampling",
              "sampling (Afforest as published) or sweeps (the algorithm of apps/cc's afforest)");

namespace {

// False, with a line on stderr, if one is wrong; the rest is not run then.
template <class Components>
bool find_all(const raw::Edges& edges, const raw::Csr& graph) {
  const Grappa::TupleEdge* const all = edges.all.data();
  const int64_t n = edges.all.size();
  const int64_t components = raw::count_components(edges.nv, all, n);
  Components finder(&graph, int(FLAGS_threads));
  std::vector<double> rates;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const raw::Vertex* labels = nullptr;
    const double seconds = raw::seconds_of([&] { labels = finder.find(); });
    const char* const broken =
        raw::broken_rule(edges.nv, all, n, labels, components, int(FLAGS_threads));
    if (broken != nullptr) {
      std::fprintf(stderr, "raw_cc_job: trial %lld is wrong: it is not so that %s\n",
                   static_cast<long long>(trial), broken);
      return false;
    }
    rates.push_back(double(n) / seconds);
    std::printf("trial %lld, %.6f s, %.6e edges/s\n", static_cast<long long>(trial), seconds,
                rates.back());
  }
  const apps::Summary summary = apps::summarize(rates);
  raw::report("components", double(components));
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
    Grappa::input_error("--algorithm=" + FLAGS_algorithm + " is neither sampling nor sweeps");
  }
  const raw::Edges edges = raw::generate_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  const bool right = sweeps ? find_all<raw::SweepingComponents>(edges, *graph)
                            : find_all<raw::Components>(edges, *graph);
  return right ? 0 : 1;
}
