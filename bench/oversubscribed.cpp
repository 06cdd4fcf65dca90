/// How fast is a job with four cores on each processor?
///
/// Subject: jobs with four times as many cores as processors, for example 8 cores on 2 processors.
/// Baseline: the same jobs with one core on each processor. Each measurement is a separate job: a
/// ring in which every core keeps many messages in flight; a ring with one message, where each hop
/// waits until the next core gets a processor; and a breadth-first search. The exit status of each
/// job shows whether its result is verified: the ring checks the sum of the received values, and
/// the search is validated.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"

#include <string>

namespace {

void compare(bench::Bench* bench, const bench::Question& question, const std::string& program,
             const std::string& label, double unit) {
  const int processors = bench::processors();
  const auto rate = [&program, &label, unit](int cores) {
    return bench::run_job(cores, program).number(label, unit);
  };
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  options.pairs = 9;
  options.quick_pairs = 3;
  options.ping_pong = bench->ping_pong();
  bench->compare(
      question, [&] { return rate(4 * processors); }, [&] { return rate(processors); }, options);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  const std::string baseline = "one core on each processor";
  const std::string ring = GRAPPA_BENCH_RING;
  compare(&bench, {"oversubscribed.ring", "a ring with many messages", "Mhops/s", baseline},
          ring + " --tokens=1000 --hops=500", "hops_per_second:", 1e6);
  compare(&bench, {"oversubscribed.token", "a ring with one message", "Mhops/s", baseline},
          ring + " --tokens=1 --hops=20000", "hops_per_second:", 1e6);
  compare(&bench, {"oversubscribed.bfs", "breadth-first search, scale 16", "MTEPS", baseline},
          std::string(GRAPPA_BENCH_BFS) + " --scale=16 --nbfs=16", "harmonic_mean_TEPS:", 1e6);
  return bench.finish();
}
