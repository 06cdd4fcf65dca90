/// How long does a single task wait for one word of another core?
///
/// Subject: blocking delegate::read by one task, one after another, in four cases: without other
/// work; next to a task that only yields, on the core of the reader or of the owner; and through
/// MPI (locales of one core, a separate job). Baseline: half the round trip of a message of one
/// cache line that two processes send each other with hand-written code. The baseline is measured
/// right after the reads. The ratio is a number of transfers, at least 2. Verified: the words that
/// were read, and that the yielding task has run.

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
      bench->omit(each.id, "requires two cores");
      continue;
    }
    compare(
        bench, {each.id, each.what, "ns", kBaseline},
        [&each, n] { return bench::read_ns(n, each.beside); },
        [] { return bench::raw_half_round_trip_ns(); }, bench::raw_half_round_trip_ns);
  }
}

// Measures reads through MPI. The same job measures both sides.
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
