/// What is the cost of suspending a task and waking it up?
///
/// Two tasks pass a number back and forth through two full/empty words. In each exchange, each task
/// suspends once and is woken once. Baseline: two jumps between raw contexts, the minimum for an
/// exchange. Verified: the number has increased by one in each exchange.

#include "bench/harness/bench.hpp"
#include "bench/raw_jump.hpp"
#include "system/observe/clock.hpp"
#include "system/sync/full_empty.hpp"
#include "tests/harness/tasks.hpp"

#include <cstdint>

namespace {

using Grappa::FullEmpty;

// Returns the nanoseconds from passing the number to the other task until the number is back.
bench::Measurement hand_back_and_forth(int64_t times) {
  FullEmpty<int64_t> there, back;
  int64_t number = 0;
  uint64_t start = 0, end = 0;
  Grappa::run_tasks([&] {
    Grappa::spawn([&] {
      start = Grappa::detail::steady_ns();
      for (int64_t k = 0; k < times; ++k) {
        there.writeEF(number + 1);
        number = back.readFE();
      }
      end = Grappa::detail::steady_ns();
    });
    Grappa::spawn([&] {
      for (int64_t k = 0; k < times; ++k) back.writeEF(there.readFE() + 1);
    });
  });
  return {double(end - start) / double(times), number == 2 * times};
}

bench::Measurement jump_back_and_forth(int64_t times) {
  const bench::Measurement jump = bench::measure_raw_jumps(2 * times);
  return {2 * jump.value, jump.verified};
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  const int64_t times = bench.quick() ? 100000 : 1000000;
  bench.compare(
      {"handoff", "pass a number to another task and wait for its return", "ns",
       "two jumps between two raw contexts"},
      [times] { return hand_back_and_forth(times); },
      [times] { return jump_back_and_forth(times); });
  return bench.finish();
}
