/// A minimal benchmark of one process, for the tests of the harness: a pair, a count, and an
/// instruction count.

#include "bench/harness/bench.hpp"
#include "bench/harness/keep.hpp"
#include "system/observe/clock.hpp"

#include <gflags/gflags.h>

DEFINE_bool(wrong, false, "treat the result of the pair as wrong");
DEFINE_bool(twice, false, "use an id twice");

namespace {

bool add_up(int64_t n) {
  int64_t sum = 0;
  for (int64_t k = 0; k < n; ++k) {
    sum += k;
    bench::keep(sum);
  }
  return sum == n * (n - 1) / 2;
}

bench::Measurement measure() {
  const uint64_t start = Grappa::detail::steady_ns();
  const bool right = add_up(1000);
  return {double(Grappa::detail::steady_ns() - start), right && !FLAGS_wrong};
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  bench::PairOptions options;
  options.ping_pong = bench.ping_pong();
  bench.compare({"sum", "sum of 1000 numbers", "ns", "the same"}, measure, measure, options);
  bench.record(bench::count({FLAGS_twice ? "sum" : "numbers", "numbers summed", "1", ""}, 1000));
  bench.instructions({"sum.instructions", "one addition", "1", ""}, add_up);
  bench.omit("moon", "there is none here");
  return bench.finish();
}
