/// A program for benchmarks of triangle counting in the memory of one process, with OpenMP and
/// without the runtime. The edges are the same as those of apps/triangles with the same flags.
///
/// Timed: a trial, from the built graph to the number of triangles, including the renumbering.
/// Verified: the number of every trial, by a different algorithm.
///
/// Exit status: 0 if every trial is right, 1 if a trial is wrong, 2 for invalid flags.

#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_job.hpp"
#include "bench/raw_tc.hpp"
#include "bench/raw_tc_verify.hpp"

#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <vector>

DEFINE_int64(trials, 3, "number of times to count the triangles");
DEFINE_string(algorithm, "merge", "merge (as in GAP) or marks (the algorithm of apps/triangles)");

int main(int argc, char* argv[]) {
  raw::begin_job(argc, argv);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  const auto method = static_cast<raw::TriangleMethod>(
      apps::check_choice("algorithm", FLAGS_algorithm, {"merge", "marks"}));
  const raw::Edges edges = raw::input_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  const int64_t expected = raw::count_by_marks(edges.nv, edges.all.data(), edges.all.size());
  std::vector<double> times;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    int64_t found = 0;
    times.push_back(
        raw::seconds_of([&] { found = raw::count_triangles(*graph, int(FLAGS_threads), method); }));
    if (found == expected) continue;
    std::fprintf(stderr, "raw_tc_job: trial %lld is wrong: %lld triangles, expected %lld\n",
                 static_cast<long long>(trial), static_cast<long long>(found),
                 static_cast<long long>(expected));
    return 1;
  }
  raw::report("triangles", double(expected));
  raw::report("skewed", raw::has_skewed_degrees(*graph) ? 1 : 0);
  raw::report("median_seconds", apps::summarize(times).median);
  return 0;
}
