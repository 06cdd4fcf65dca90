/// How long does a lone task wait for one word of another core?
///
/// Subject: blocking delegate::read by one task, one after the other, while nothing else runs;
/// beside a task that does nothing but yield, on the reader's core or on the owner's; and through
/// MPI (locales of one core, a job of its own). Baseline: half the round trip of a message of one
/// cache line that the two processes send each other by hand, right after the reads, so the ratio
/// counts transfers of a cache line: it cannot be below 2. Verified: the words that were read, and
/// that the other task has run.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "bench/message_reads.hpp"
#include "bench/raw_side.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace {

void compare(bench::Bench* bench, const bench::Question& question, const bench::Body& subject,
             const bench::Body& baseline, const std::function<double()>& ping_pong) {
  bench::PairOptions options;
  options.ping_pong = ping_pong;
  bench->compare(question, subject, baseline, options);
}

const char* const kBaseline = "a cache line from one core to the other, by hand";

void measure_here(bench::Bench* bench) {
  struct Case {
    const char* id;
    const char* what;
    bench::Beside beside;
  };
  const Case cases[] = {
      {"latency.read", "a read by a lone task", bench::Beside::Nothing},
      {"latency.read.yielding", "a read beside a task that yields", bench::Beside::ReaderYields},
      {"latency.read.owner_yields", "a read from a core with a task that yields",
       bench::Beside::OwnerYields}};
  const int64_t n = bench->quick() ? 2000 : 20000;
  for (const Case& each : cases) {
    if (Grappa::cores() != 2) {
      bench->omit(each.id, "it is about two cores");
      continue;
    }
    compare(
        bench, {each.id, each.what, "ns", kBaseline},
        [&each, n] { return bench::read_ns(n, each.beside); },
        [] { return bench::raw_half_round_trip_ns(); }, bench::raw_half_round_trip_ns);
  }
}

// Both sides are measured by the same job.
void measure_mpi(bench::Bench* bench) {
  bench::JobOutput last;
  const std::string program = std::string(GRAPPA_BENCH_LATENCY_JOB) + " --cores_per_locale=1";
  bench::PairOptions options;
  options.quick_pairs = 3;
  options.ping_pong = bench->ping_pong();
  bench->compare(
      {"latency.read.mpi", "a read by a lone task, through MPI", "ns", kBaseline},
      [&] {
        last = bench::run_job(2, program);
        return last.number("read_ns: ", 1);
      },
      [&] { return last.number("half_round_trip_ns: ", 1); }, options);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  const bool measures = Grappa::mycore() == 0;
  Grappa::run([&bench] {
    bench::prepare_raw_side();
    measure_here(&bench);
  });
  Grappa::finalize();
  if (measures) measure_mpi(&bench);
  return bench.finish();
}
