/// A minimal benchmark that runs as a job, for the tests of the harness.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"

#include <cstdint>

namespace {

int64_t counter = 0;

// Adds a nanosecond, because the time on one core may be below the resolution of the clock.
bench::Measurement increment_from_all_cores() {
  Grappa::delegate::write(Grappa::make_global(&counter, 0), int64_t(0));
  const uint64_t start = Grappa::detail::steady_ns();
  Grappa::on_all_cores([] { Grappa::delegate::call(0, [] { return ++counter; }); });
  return {double(Grappa::detail::steady_ns() - start + 1), counter == Grappa::cores()};
}

bench::Measurement do_nothing_on_all_cores() {
  const uint64_t start = Grappa::detail::steady_ns();
  Grappa::on_all_cores([] {});
  return double(Grappa::detail::steady_ns() - start + 1);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    bench.compare({"increments", "an increment by each core", "ns", "a task on each core"},
                  increment_from_all_cores, do_nothing_on_all_cores);
    bench.record(bench::count({"cores", "cores of the job", "1", ""}, double(Grappa::cores())));
    bench.instructions({"increments.instructions", "an increment by core 0", "1", ""},
                       [](int64_t n) {
                         for (int64_t k = 0; k < n; ++k)
                           Grappa::delegate::call(0, [] { ++counter; });
                         return counter == n;
                       });
  });
  Grappa::finalize();
  return bench.finish();
}
