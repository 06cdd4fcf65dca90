/// A program for benchmarks of PageRank in the memory of one process, with OpenMP and without the
/// runtime. The edges and the definition of the ranks are the same as those of apps/pagerank with
/// the same flags. There are two algorithms, those of the GAP benchmark suite.
///
/// Timed: a trial, from the built graph to the finished ranks, including the reset of the ranks. A
/// rate is in generated edges per second, without regard to the number of iterations, including
/// self-loops and repeated edges. Verified: all ranks of every trial, by
/// the edges and a serial iteration in double. `iterations` and `error` are the largest values of
/// all trials.
///
/// Exit status: 0 if every trial is right, 1 if a trial is wrong or has not converged, 2 for
/// invalid flags.

#include "apps/common/flags.hpp"
#include "apps/common/statistics.hpp"
#include "bench/raw_job.hpp"
#include "bench/raw_pagerank.hpp"
#include "bench/raw_pagerank_verify.hpp"

#include <algorithm>
#include <cstdio>
#include <gflags/gflags.h>
#include <memory>
#include <vector>

DEFINE_int64(trials, 16, "number of times to find the ranks");
DEFINE_string(algorithm, "jacobi",
              "jacobi (pulls the ranks of the previous iteration) or gauss_seidel (the newest)");
DEFINE_double(damping, 0.85, "probability that the surfer moves to a neighbour, 0 to 0.999");
DEFINE_double(tolerance, 1e-6, "an iteration is the last if the sum of all changes is smaller");
DEFINE_int64(iterations, 200, "largest number of iterations");

namespace {

using raw::PageRank;

// Prints a message and returns false after the first trial that is wrong.
bool find_all(const raw::Edges& edges, const raw::Csr& graph, PageRank::Algorithm algorithm) {
  const raw::RankCheck check(edges.nv, edges.all.data(), edges.all.size());
  const double limit = raw::largest_error(FLAGS_damping, FLAGS_tolerance);
  PageRank finder(&graph, int(FLAGS_threads));
  const PageRank::Stop stop = {FLAGS_damping, FLAGS_tolerance, FLAGS_iterations};
  std::vector<double> times;
  int64_t iterations = 0;
  double largest = 0;
  for (int64_t trial = 0; trial < FLAGS_trials; ++trial) {
    const float* ranks = nullptr;
    times.push_back(raw::seconds_of([&] { ranks = finder.find(algorithm, stop); }));
    const double error = check.error_of(ranks, FLAGS_damping);
    if (!(error <= limit)) {  // also if the error is not a number
      std::fprintf(stderr,
                   "raw_pagerank_job: trial %lld is wrong after %lld iterations; the error is %g, "
                   "expected at most %g\n",
                   static_cast<long long>(trial), static_cast<long long>(finder.iterations()),
                   error, limit);
      return false;
    }
    std::printf("trial %lld, %.6f s, %lld iterations\n", static_cast<long long>(trial),
                times.back(), static_cast<long long>(finder.iterations()));
    iterations = std::max(iterations, finder.iterations());
    largest = std::max(largest, error);
  }
  const apps::Summary summary = apps::summarize(times);
  raw::report("iterations", double(iterations));
  raw::report("error", largest);
  raw::report("min_seconds", summary.min);
  raw::report("median_seconds", summary.median);
  raw::report("max_seconds", summary.max);
  raw::report("median_edges_per_second", double(edges.all.size()) / summary.median);
  return true;
}

}  // namespace

int main(int argc, char* argv[]) {
  raw::begin_job(argc, argv);
  apps::check_range("trials", FLAGS_trials, 1, int64_t(1) << 20);
  // With damping 1, errors of the sum of all ranks do not decrease.
  apps::check_range("damping", FLAGS_damping, 0.0, 0.999);
  apps::check_range("tolerance", FLAGS_tolerance, 0.0, 2.0);
  apps::check_range("iterations", FLAGS_iterations, 1, int64_t(1) << 40);
  const bool jacobi =
      apps::check_choice("algorithm", FLAGS_algorithm, {"jacobi", "gauss_seidel"}) == 0;
  const raw::Edges edges = raw::input_edges();
  const std::unique_ptr<raw::Csr> graph = raw::build_graph(edges);
  const bool right = find_all(
      edges, *graph, jacobi ? PageRank::Algorithm::Jacobi : PageRank::Algorithm::GaussSeidel);
  return right ? 0 : 1;
}
