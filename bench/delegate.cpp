/// What is the cost of a delegate to the caller's own core, and what is the gain of futures?
///
/// Local: delegate::read, write and call, one after another, on words of this core that are in the
/// cache. Baseline: the same loop with the plain operation on the same words. The difference is a
/// separate figure. Instruction counts are exact. They include the instructions of the loop, which
/// the figures of the plain operations show. Verified: the sum of the words that were read, and the
/// words that were written.
///
/// Futures: one task has 64 reads from core 1 in flight. Baseline: 64 blocking reads, one after
/// another. A second figure is in round trips, each the time of a blocking read. A third figure is
/// the number of round trips besides 12 ns of work for each read. Verified: the words.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/harness/keep.hpp"
#include "bench/raw_side.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using Grappa::Future;
using Grappa::GlobalAddress;

constexpr size_t kWords = 128;  // each on a separate cache line
constexpr int64_t kReadsUnderWay = 64;
constexpr double kWorkNs = 12;  // for a read, in both cores

// Words of one core. Word k has the value k. Both kinds of address refer to these words.
struct Words {
  std::vector<GlobalAddress<int64_t>> addresses;
  std::vector<int64_t*> pointers;
};

Words words_of(GlobalAddress<int64_t> array, Grappa::Core core) {
  Words words;
  constexpr int64_t kPerBlock = Grappa::block_size / int64_t(sizeof(int64_t));
  for (; words.addresses.size() < kWords; array += kPerBlock) {
    if (array.core() != core) continue;
    Grappa::delegate::write(array, int64_t(words.addresses.size()));
    words.addresses.push_back(array);
    words.pointers.push_back(array.pointer());
  }
  return words;
}

// Returns the sum of n words that are read in turn.
int64_t expected_sum(int64_t n) {
  const int64_t all = int64_t(kWords) * int64_t(kWords - 1) / 2, rest = n % int64_t(kWords);
  return n / int64_t(kWords) * all + rest * (rest - 1) / 2;
}

// Each loop applies its operation to n words in turn.
template <class F>
bool sums_up(int64_t n, F read) {
  int64_t sum = 0;
  for (int64_t k = 0; k < n; ++k) {
    sum += read(size_t(k) % kWords);
    bench::keep(sum);
  }
  return sum == expected_sum(n);
}

bool reads(const Words& words, int64_t n) {
  return sums_up(n, [&](size_t k) { return Grappa::delegate::read(words.addresses[k]); });
}

bool plain_reads(const Words& words, int64_t n) {
  return sums_up(n, [&](size_t k) { return *words.pointers[k]; });
}

bool calls(const Words& words, int64_t n) {
  return sums_up(n, [&](size_t k) {
    return Grappa::delegate::call(words.addresses[k], [](const int64_t& word) { return word; });
  });
}

// Each write stores the value that the word already has.
bool writes(const Words& words, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    const size_t at = size_t(k) % kWords;
    Grappa::delegate::write(words.addresses[at], int64_t(at));
    bench::keep(*words.pointers[at]);
  }
  return plain_reads(words, kWords);
}

bool plain_writes(const Words& words, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    const size_t at = size_t(k) % kWords;
    *words.pointers[at] = int64_t(at);
    bench::keep(*words.pointers[at]);
  }
  return plain_reads(words, kWords);
}

typedef bool (*Loop)(const Words& words, int64_t n);

// Returns a body that measures the nanoseconds of one of n iterations.
bench::Body time_of(Loop loop, const Words& words, int64_t n) {
  return [loop, &words, n] {
    const uint64_t start = Grappa::detail::steady_ns();
    const bool right = loop(words, n);
    return bench::Measurement(double(Grappa::detail::steady_ns() - start) / double(n), right);
  };
}

struct LocalCase {
  const char* id;
  const char* what;
  Loop loop;
  Loop plain;
};

void measure_local(bench::Bench* bench, const Words& words) {
  const LocalCase cases[] = {
      {"delegate.local.read", "delegate::read of a word of this core", reads, plain_reads},
      {"delegate.local.write", "delegate::write to a word of this core", writes, plain_writes},
      {"delegate.local.call", "delegate::call to read a word of this core", calls, plain_reads}};
  const auto count = [bench, &words](const std::string& id, const std::string& what, Loop loop) {
    const auto operation = [loop, &words](int64_t n) {
      const Grappa::detail::VirtualClock
          clock;  // valgrind slows memory down, and the runtime would adapt to slow memory
      return loop(words, n);
    };
    bench->instructions({id + ".instructions", "instructions of " + what, "1", ""}, operation,
                        1000000);
  };
  for (const LocalCase& each : cases) count(each.id, each.what, each.loop);
  count("delegate.local.plain_read", "the plain read and the loop", plain_reads);
  count("delegate.local.plain_write", "the plain write and the loop", plain_writes);
  const int64_t n = bench->quick() ? 200000 : 10000000;
  for (const LocalCase& each : cases) {
    bench::Figure figure =
        bench->compare({each.id, each.what, "ns", "the plain operation"},
                       time_of(each.loop, words, n), time_of(each.plain, words, n));
    bench::Figure more =
        bench::count({each.id + std::string(".more"), "time above the baseline", "ns", ""},
                     figure.value - figure.baseline_value);
    more.verified = figure.verified;
    bench->record(more);
  }
}

int64_t read_with_futures(const Words& words) {
  std::vector<Future<int64_t>> under_way;
  under_way.reserve(size_t(kReadsUnderWay));
  for (int64_t k = 0; k < kReadsUnderWay; ++k) {
    under_way.push_back(Grappa::delegate::read_future(words.addresses[size_t(k)]));
  }
  int64_t sum = 0;
  for (Future<int64_t>& word : under_way) sum += word.get();
  return sum;
}

int64_t read_blocking(const Words& words) {
  int64_t sum = 0;
  for (int64_t k = 0; k < kReadsUnderWay; ++k) {
    sum += Grappa::delegate::read(words.addresses[size_t(k)]);
  }
  return sum;
}

// Returns a body that measures the nanoseconds of 64 reads, averaged over `rounds`. The owner
// sleeps after a long time without work, but is awake when the measurement starts.
bench::Body time_of_rounds(int64_t (*read)(const Words&), const Words& words, int64_t rounds) {
  return [read, &words, rounds] {
    int64_t sum = read(words);
    const uint64_t start = Grappa::detail::steady_ns();
    for (int64_t k = 0; k < rounds; ++k) sum += read(words);
    const double ns = double(Grappa::detail::steady_ns() - start) / double(rounds);
    return bench::Measurement(ns, sum == (rounds + 1) * expected_sum(kReadsUnderWay));
  };
}

void measure_futures(bench::Bench* bench, const Words& words) {
  const std::string id = "delegate.future", in_round_trips = id + ".round_trips";
  const std::string besides_work = "reads.futures";
  if (Grappa::cores() != 2) {
    for (const std::string& each : {id, in_round_trips, besides_work}) {
      bench->omit(each, "requires two cores");
    }
    return;
  }
  const int64_t rounds = bench->quick() ? 2000 : 20000;
  bench::PairOptions options;
  options.ping_pong = bench::raw_half_round_trip_ns;
  const bench::Figure figure = bench->compare(
      {id, "64 reads of another core by one task, with futures", "ns", "the same, one by one"},
      time_of_rounds(read_with_futures, words, rounds),
      time_of_rounds(read_blocking, words, rounds / 16), options);
  bench::Figure trips =
      bench::count({in_round_trips, "64 reads with futures, in round trips", "1", ""},
                   double(kReadsUnderWay) * figure.value / figure.baseline_value);
  trips.verified = figure.verified;
  bench->record(trips);
  const double read_ns = figure.baseline_value / double(kReadsUnderWay);
  bench::Figure waits =
      bench::count({besides_work, "the same, besides 12 ns of work for each read", "1", ""},
                   (figure.value - double(kReadsUnderWay) * kWorkNs) / read_ns);
  waits.verified = figure.verified;
  bench->record(waits);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    const size_t blocks = (kWords + 1) * size_t(Grappa::cores());
    const auto array = Grappa::global_alloc<int64_t>(blocks * size_t(Grappa::block_size) / 8);
    measure_local(&bench, words_of(array, Grappa::mycore()));
    bench::prepare_raw_side();
    measure_futures(&bench, words_of(array, Grappa::Core(Grappa::cores() - 1)));
    Grappa::global_free(array);
  });
  Grappa::finalize();
  return bench.finish();
}
