/// What is the cost of a mutex and a completion event without waiting tasks?
///
/// Baseline: an increment of a number in memory. Instruction counts are exact, and include two or
/// three instructions of the loop around the operation. Verified: the final state of mutex and
/// event.

#include "bench/harness/bench.hpp"
#include "bench/harness/keep.hpp"
#include "system/observe/clock.hpp"
#include "system/sync/completion_event.hpp"
#include "system/sync/mutex.hpp"

#include <cstdint>
#include <string>

namespace {

bool increments(int64_t n) {
  int64_t number = 0;
  for (int64_t k = 0; k < n; ++k) {
    ++number;
    bench::keep(number);
  }
  return number == n;
}

bool locks(int64_t n) {
  Grappa::Mutex mutex;
  for (int64_t k = 0; k < n; ++k) {
    mutex.lock();
    bench::keep(mutex);
    mutex.unlock();
    bench::keep(mutex);
  }
  const bool free = mutex.trylock();
  const bool held = !mutex.trylock();
  mutex.unlock();
  return free && held;
}

bool completions(int64_t n) {
  Grappa::CompletionEvent event;
  for (int64_t k = 0; k < n; ++k) {
    event.enroll();
    bench::keep(event);
    event.complete();
    bench::keep(event);
  }
  return event.get_count() == 0;
}

// Returns a body that measures the nanoseconds of one of n iterations.
bench::Body time_of(bool (*operation)(int64_t n), int64_t n) {
  return [operation, n] {
    const uint64_t start = Grappa::detail::steady_ns();
    const bool right = operation(n);
    return bench::Measurement(double(Grappa::detail::steady_ns() - start) / double(n), right);
  };
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  const std::string mutex = "lock and unlock a free mutex";
  const std::string event = "enroll in a completion event and complete";
  bench.instructions({"sync.mutex", "instructions to " + mutex, "1", ""}, locks);
  bench.instructions({"sync.completion_event", "instructions to " + event, "1", ""}, completions);

  const int64_t n = bench.quick() ? 100000 : 10000000;
  const std::string baseline = "increment a number in memory";
  bench.compare({"sync.mutex.time", mutex, "ns", baseline}, time_of(locks, n),
                time_of(increments, n));
  bench.compare({"sync.completion_event.time", event, "ns", baseline}, time_of(completions, n),
                time_of(increments, n));
  return bench.finish();
}
