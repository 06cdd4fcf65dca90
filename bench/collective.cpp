/// How long does a collective take if all cores enter at the same time?
///
/// Subject: barrier, allreduce of one word, and allreduce_inplace of an array, called repeatedly by
/// one task of each core, without other work. Baseline: the MPI functions in the same processes,
/// while the runtime is quiescent. MPI may spin; tasks must not spin. With two cores, a second
/// baseline is half the round trip of a cache line that both cores send each other with
/// hand-written code. The ratio is then a number of transfers, at least 2 if a result depends on
/// values of both cores and must return. Verified: all sums, and in additional barriers that no
/// core leaves a barrier before all cores have entered it.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/raw_collective.hpp"
#include "bench/raw_side.hpp"

#include <cstdint>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr size_t kArray = 64 << 10;  // doubles

// Each core has its own instance of this variable.
int64_t phase = 0;
double elapsed_ns = 0;
int64_t wrong = 0;
std::vector<double> values;

// Returns the nanoseconds of one of `n` calls of body(k), as the maximum over all cores. body(k)
// returns true if its result was right.
template <class F>
bench::Measurement call_ns(int64_t n, F body) {
  on_all_cores([n, body] {
    wrong = 0;
    barrier();
    const uint64_t start = steady_ns();
    for (int64_t k = 0; k < n; ++k) wrong += body(k) ? 0 : 1;
    elapsed_ns = double(steady_ns() - start);
  });
  const double ns = reduce<double, collective_max>(&elapsed_ns);
  return {ns / double(n), reduce<int64_t, collective_add>(&wrong) == 0};
}

// Measures calls of the MPI functions in the same way.
template <class F>
bench::Measurement raw_call_ns(int64_t n, F body) {
  const double ns = bench::raw_time_ns([n, body] {
    wrong = 0;
    for (int64_t k = 0; k < n; ++k) wrong += body(k) ? 0 : 1;
  });
  return {ns / double(n), reduce<int64_t, collective_add>(&wrong) == 0};
}

bool nobody_passes_early(int64_t barriers) {
  on_all_cores([] { phase = 0; });
  return call_ns(barriers,
                 [](int64_t k) {
                   phase = k;
                   barrier();
                   const Core next = static_cast<Core>((mycore() + 1) % cores());
                   return delegate::call(next, [] { return phase; }) >= k;
                 })
      .verified;
}

bench::Measurement barrier_ns(int64_t n) {
  const bench::Measurement timed = call_ns(n, [](int64_t) {
    barrier();
    return true;
  });
  return {timed.value, timed.verified && nobody_passes_early(n)};
}

double sum_of_cores(int64_t k) { return double(cores() * k + cores() * (cores() - 1) / 2); }

bool is_right(double sum, int64_t k) { return sum == sum_of_cores(k); }

bool all_are_right(int64_t k) {
  for (const double value : values) {
    if (!is_right(value, k)) return false;
  }
  return true;
}

bench::Measurement allreduce_ns(int64_t n) {
  return call_ns(n, [](int64_t k) {
    return is_right(allreduce<double, collective_add>(double(k + mycore())), k);
  });
}

bench::Measurement allreduce_array_ns(int64_t n) {
  return call_ns(n, [](int64_t k) {
    values.assign(kArray, double(k + mycore()));
    allreduce_inplace<double, collective_add>(values.data(), kArray);
    return all_are_right(k);
  });
}

bench::Measurement raw_barrier_ns(int64_t n) {
  return raw_call_ns(n, [](int64_t) {
    raw::barrier();
    return true;
  });
}

bench::Measurement raw_allreduce_ns(int64_t n) {
  return raw_call_ns(n, [](int64_t k) { return is_right(raw::sum(double(k + mycore())), k); });
}

bench::Measurement raw_allreduce_array_ns(int64_t n) {
  return raw_call_ns(n, [](int64_t k) {
    values.assign(kArray, double(k + mycore()));
    raw::sum_inplace(values.data(), kArray);
    return all_are_right(k);
  });
}

void measure(bench::Bench* bench) {
  struct Case {
    std::string id;
    std::string what;
    std::string baseline;
    int64_t calls;
    bench::Measurement (*subject)(int64_t n);
    bench::Measurement (*baseline_ns)(int64_t n);
  };
  const int64_t n = bench->quick() ? 1000 : 10000;
  const Case cases[] = {
      {"collective.barrier", "a barrier", "MPI_Barrier", n, barrier_ns, raw_barrier_ns},
      {"collective.allreduce", "the sum of a double of each core", "MPI_Allreduce", n, allreduce_ns,
       raw_allreduce_ns},
      {"collective.allreduce.array", "sums of 512 KiB of doubles, written and read",
       "MPI_Allreduce", n / 200, allreduce_array_ns, raw_allreduce_array_ns}};
  bench::PairOptions options;
  options.ping_pong = bench::raw_half_round_trip_ns;
  for (const Case& each : cases) {
    if (cores() == 1) {
      bench->omit(each.id, "requires more than one core");
      continue;
    }
    bench->compare(
        {each.id, each.what, "ns", each.baseline}, [&] { return each.subject(each.calls); },
        [&] { return each.baseline_ns(each.calls); }, options);
  }
  for (int k = 0; k < 2; ++k) {
    const std::string id = cases[k].id + ".transfers";
    if (cores() != 2) {
      bench->omit(id, "requires two cores");
      continue;
    }
    bench->compare(
        {id, cases[k].what, "ns", "a cache line from one core to the other, by hand"},
        [&] { return cases[k].subject(n); }, [] { return bench::raw_half_round_trip_ns(); },
        options);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  init(&argc, &argv);
  raw::prepare_collectives();
  run([&bench] {
    bench::prepare_raw_side();
    measure(&bench);
  });
  finalize();
  return bench.finish();
}
