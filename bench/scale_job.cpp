/// The job of bench/scale that measures collectives and allocations. Prints the microseconds of
/// each operation, and the share of small allocations without messages.

#include <Grappa.hpp>

#include "bench/structures_workload.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/reduce.hpp"

#include <cstdint>
#include <functional>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr int kRounds = 8;        // of each operation; the first is not measured
constexpr int kSmallBytes = 64;   // of a small allocation
constexpr int kAllocations = 64;  // small allocations of each core

bool right = true;
int64_t silent = 0;  // allocations and releases of this core that sent no message

// Reports the mean time of a call of `operation`.
void report_us(const char* name, const std::function<void()>& operation) {
  operation();
  const uint64_t begin_ns = steady_ns();
  for (int round = 1; round < kRounds; ++round) operation();
  bench::report(name, double(steady_ns() - begin_ns) / 1000 / (kRounds - 1));
}

// Reports the mean time of a call of `operation` on all cores at the same time.
template <class F>
void report_collective_us(const char* name, const F& operation) {
  on_all_cores([name, operation] {
    operation();
    barrier();
    const uint64_t begin_ns = steady_ns();
    for (int round = 1; round < kRounds; ++round) operation();
    if (mycore() == 0) bench::report(name, double(steady_ns() - begin_ns) / 1000 / (kRounds - 1));
  });
}

// Calls `operation` and counts it if this core has sent no message meanwhile.
template <class F>
void count_if_silent(const F& operation) {
  const uint64_t before = bench::counted_messages();
  operation();
  if (bench::counted_messages() == before) ++silent;
}

void measure() {
  report_collective_us("barrier", [] { barrier(); });
  report_collective_us("allreduce", [] {
    const int64_t sum = allreduce<int64_t, collective_add>(mycore());
    if (sum != int64_t{cores()} * (cores() - 1) / 2) right = false;
  });
  report_us("on_all_cores", [] { on_all_cores([] {}); });
  const GlobalAddress<int64_t> array = global_alloc<int64_t>(cores());
  report_us("forall", [array] { forall(array, cores(), [](int64_t& element) { element = 1; }); });
  global_free(array);
  report_us("reduce", [] {
    if (reduce<int64_t, collective_add>(&silent) != 0) right = false;
  });
  // Arrays of all cores, as any core but core 0 allocates them: 1 KiB and 4 MiB of each core.
  on_all_cores([] {
    if (mycore() + 1 != cores()) return;
    report_us("alloc", [] { global_free(global_alloc<char>(int64_t{cores()} << 10)); });
    report_us("alloc_large", [] { global_free(global_alloc<char>(int64_t{cores()} << 22)); });
  });
  on_all_cores([] {
    // A first allocation may take memory for several later ones.
    for (int k = 0; k <= kAllocations; ++k) {
      GlobalAddress<char> address;
      const auto allocate = [&address] { address = global_alloc<char>(kSmallBytes); };
      if (k == 0) {
        allocate();
        global_free(address);
        continue;
      }
      count_if_silent(allocate);
      count_if_silent([&address] { global_free(address); });
    }
  });
  bench::report("alloc_small.silent",
                double(reduce<int64_t, collective_add>(&silent)) / (2.0 * kAllocations * cores()));
  right = right && reduce<bool, collective_and>(&right);
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] { measure(); });
  const bool valid = right;
  finalize();
  return valid ? 0 : 1;
}
