/// What is the cost of a parallel loop, for each element and in total?
///
/// `forall.increment`: forall adds 1 to each of 2^27 words of the global heap, distributed over all
/// cores. This is also measured with a body that takes a range of words. Baseline: a plain loop
/// over the same words on each core, all starting at the same time. The unit of rates is million
/// words per second over all cores. A ratio of 1 means no overhead. Verified: the final values of
/// the words. `forall.empty`: a blocking loop with one iteration on each of two cores. An iteration
/// increments a count. Baseline: half the round trip of a cache line between two processes, with
/// hand-written code. The ratio is a number of transfers. Verified: the number of iterations.

#include <Grappa.hpp>

#include "apps/common/memory.hpp"
#include "bench/harness/bench.hpp"
#include "bench/raw_side.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace {

using Grappa::GlobalAddress;

constexpr int64_t kWords = int64_t{1} << 27;

// Memory besides the array, with a reserve.
constexpr double kOtherBytes = double(Grappa::detail::GiB);

// The number of iterations that this core has run.
int64_t iterations = 0;
bool all_right;

class Increments {
 public:
  Increments() : words_(Grappa::global_alloc<int64_t>(size_t(kWords))) {
    Grappa::memset(words_, 0, kWords);
  }
  ~Increments() { Grappa::global_free(words_); }
  Increments(const Increments&) = delete;
  Increments& operator=(const Increments&) = delete;

  bench::Measurement by_element() {
    return measure([this] { Grappa::forall(words_, kWords, [](int64_t& word) { ++word; }); });
  }

  bench::Measurement by_range() {
    return measure([this] {
      Grappa::forall(words_, kWords, [](int64_t, int64_t count, int64_t* words) {
        for (int64_t k = 0; k < count; ++k) ++words[k];
      });
    });
  }

  bench::Measurement by_hand() {
    const GlobalAddress<int64_t> words = words_;
    return rate(bench::raw_time_ns([words] {
      for (int64_t& word : Grappa::iterate_local(words, kWords)) ++word;
    }));
  }

 private:
  template <class Loop>
  bench::Measurement measure(const Loop& loop) {
    const uint64_t start = Grappa::detail::steady_ns();
    loop();
    return rate(double(Grappa::detail::steady_ns() - start));
  }

  bench::Measurement rate(double ns) {
    const int64_t expected = ++times_;
    const GlobalAddress<int64_t> words = words_;
    Grappa::on_all_cores([words, expected] {
      int64_t different = 0;
      for (const int64_t& word : Grappa::iterate_local(words, kWords)) different |= word ^ expected;
      all_right = different == 0;
    });
    const int right = Grappa::sum_all_cores([] { return all_right ? 1 : 0; });
    return {double(kWords) * 1000 / ns, right == Grappa::cores()};
  }

  const GlobalAddress<int64_t> words_;
  int64_t times_ = 0;
};

void measure_increments(bench::Bench* bench) {
  const char* const kIds[] = {"forall.increment", "forall.increment.range"};
  const double needed = double(kWords) * sizeof(int64_t) + kOtherBytes;
  if (apps::available_bytes() < needed || double(Grappa::heap_bytes_free()) < needed) {
    for (const char* id : kIds) bench->omit(id, "not enough memory for 2^27 words");
    return;
  }
  Increments increments;
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  options.pairs = 9;
  options.quick_pairs = 3;
  const auto by_hand = [&] { return increments.by_hand(); };
  bench->compare(
      {kIds[0], "add 1 to each word of a global array", "M/s", "a plain loop by each core"},
      [&] { return increments.by_element(); }, by_hand, options);
  bench->compare(
      {kIds[1], "the loop with a body for ranges", "M/s", "a plain loop by each core"},
      [&] { return increments.by_range(); }, by_hand, options);
}

int64_t iterations_everywhere() {
  return Grappa::sum_all_cores([] { return iterations; });
}

bench::Measurement empty_loops_ns(int64_t n) {
  const int64_t before = iterations_everywhere();
  const uint64_t start = Grappa::detail::steady_ns();
  for (int64_t k = 0; k < n; ++k) {
    Grappa::forall(0, Grappa::cores(), [](int64_t) { ++iterations; });
  }
  const double ns = double(Grappa::detail::steady_ns() - start) / double(n);
  return {ns, iterations_everywhere() - before == n * Grappa::cores()};
}

void measure_empty(bench::Bench* bench) {
  const char* const kId = "forall.empty";
  if (Grappa::cores() != 2) {
    bench->omit(kId, "requires two cores");
    return;
  }
  const int64_t n = bench->quick() ? 1000 : 10000;
  bench::PairOptions options;
  options.ping_pong = bench::raw_half_round_trip_ns;
  bench->compare(
      {kId, "an empty blocking loop on two cores", "ns",
       "a cache line from one core to the other, by hand"},
      [n] { return empty_loops_ns(n); }, [] { return bench::raw_half_round_trip_ns(); }, options);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    bench::prepare_raw_side();
    measure_empty(&bench);
    measure_increments(&bench);
  });
  Grappa::finalize();
  return bench.finish();
}
