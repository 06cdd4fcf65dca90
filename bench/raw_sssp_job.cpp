/// A program for benchmarks of shortest paths in the memory of one process, with OpenMP and without
/// the runtime. Edges, weights and roots are the same as those of apps/sssp with the same flags.
///
/// Timed: a search, from the call to the finished distances, including the reset of all distances.
/// The weights are beside the neighbours before. Verified: every search, from the edges.
///
/// Exit status: 0 if every search is right, 1 if a search is wrong, 2 for invalid flags.

#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_job.hpp"
#include "bench/raw_sssp.hpp"
#include "bench/raw_sssp_verify.hpp"
#include "system/base/input_error.hpp"

#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <vector>

DEFINE_int64(nroots, 64, "number of searches, each from a different root");
DEFINE_int64(delta, 16, "width of a bucket of distances");
DEFINE_int64(weight_seed, 1, "random seed of the weights");
DEFINE_int64(largest_weight, 255, "weights are random numbers from 1 to this");

namespace {

// Prints a message and returns false after the first search that is wrong.
bool search_from_all(const raw::Edges& edges, const raw::Csr& graph) {
  const uint64_t seed = uint64_t(FLAGS_weight_seed);
  const raw::DistanceCheck check(edges.nv, edges.all.data(), edges.all.size(), seed,
                                 FLAGS_largest_weight);
  raw::ShortestPaths paths(&graph, seed, FLAGS_largest_weight, int(FLAGS_threads));
  std::vector<double> times;
  for (const Grappa::VertexID root : raw::choose_roots(graph, FLAGS_nroots)) {
    const uint32_t* distances = nullptr;
    times.push_back(
        raw::seconds_of([&] { distances = paths.find(raw::Vertex(root), uint32_t(FLAGS_delta)); }));
    const char* const broken = check.broken_rule(distances, raw::ShortestPaths::kUnreached, root);
    if (broken != nullptr) {
      std::fprintf(stderr, "raw_sssp_job: the search from root %lld is wrong; broken rule: %s\n",
                   static_cast<long long>(root), broken);
      return false;
    }
    std::printf("root %lld, %.6f s\n", static_cast<long long>(root), times.back());
  }
  raw::report("mean_time", apps::summarize(times).mean);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) {
  raw::begin_job(argc, argv);
  apps::check_range("nroots", FLAGS_nroots, 1, int64_t(1) << 20);
  apps::check_range("delta", FLAGS_delta, 1, int64_t(1) << 31);
  apps::check_range("largest_weight", FLAGS_largest_weight, 1, int64_t(1) << 20);
  const raw::Edges edges = raw::input_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  return search_from_all(edges, *graph) ? 0 : 1;
}
