/// What is the cost of spawning, running and ending a task?
///
/// Baseline: one jump between two raw contexts. A task that does not suspend needs no jump; the
/// ratio states its time in switches. Verified: every task has run, with the captured value.

#include "bench/harness/bench.hpp"
#include "bench/raw_jump.hpp"
#include "system/observe/clock.hpp"
#include "tests/harness/tasks.hpp"

#include <cstdint>

namespace {

constexpr int64_t kBatch = 1000;  // tasks that are queued before the first task runs

// A closure that is too large for inline storage is on the heap until its task starts.
struct Large {
  int64_t* sum;
  int64_t numbers[31];

  void operator()() const { *sum += numbers[0] + numbers[30]; }
};
static_assert(sizeof(Large) == 256, "the description of the figure has this size");

// Returns the nanoseconds of one task, over `batches` batches. `spawn_one()` spawns a task.
template <class F>
double time_of_tasks(int64_t batches, F spawn_one) {
  double ns = 0;
  Grappa::TaskRunner runner;
  runner.run([&] {
    for (int64_t batch = -1; batch < batches; ++batch) {  // the first batch creates the worker
      const uint64_t start = Grappa::detail::steady_ns();
      for (int64_t k = 0; k < kBatch; ++k) spawn_one();
      runner.wait_for_tasks();
      if (batch >= 0) ns += double(Grappa::detail::steady_ns() - start);
    }
  });
  return ns / double(batches * kBatch);
}

bench::Measurement small_tasks(int64_t batches) {
  int64_t ran = 0;
  const double ns = time_of_tasks(batches, [&ran] { Grappa::spawn([&ran] { ++ran; }); });
  return {ns, ran == (batches + 1) * kBatch};
}

bench::Measurement large_tasks(int64_t batches) {
  int64_t sum = 0;
  Large body = {&sum, {}};
  body.numbers[0] = 1;
  body.numbers[30] = 2;
  const double ns = time_of_tasks(batches, [&body] { Grappa::spawn(body); });
  return {ns, sum == 3 * (batches + 1) * kBatch};
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  const int64_t batches = bench.quick() ? 100 : 1000;
  const auto jumps = [batches] { return bench::measure_raw_jumps(batches * kBatch); };
  bench.compare(
      {"spawn", "spawn, run and end a task that adds one", "ns", "a jump between two raw contexts"},
      [batches] { return small_tasks(batches); }, jumps);
  bench.compare(
      {"spawn.large", "spawn, run and end a task with a closure of 256 bytes", "ns",
       "a jump between two raw contexts"},
      [batches] { return large_tasks(batches); }, jumps);
  return bench.finish();
}
