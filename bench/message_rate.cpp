/// What is the message rate between two cores for each message size, and what does a message cost?
///
/// Subject: async delegates whose closures have 8 to 1024 bytes, from core 0 to core 1 (one way) or
/// in both directions (both ways), until all have been executed. Baseline: the same bytes, written
/// into buckets in shared memory by hand-written code in the same processes, with one call for each
/// bucket. The unit of rates is million messages per second for each sending core (M/s/core). The
/// receiver reads the first and the last word of each message. Verified: the sums of these words.
///
/// For instruction counts, a core sends itself 500 messages of 16 bytes and then waits for all of
/// them. The counts are per message. `append` is the work of the sender. `execute` is all other
/// work, including the buffer transfer, the wait and the end of the scope.

#include <Grappa.hpp>

#include "bench/harness/bench.hpp"
#include "bench/raw_side.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_TOGGLE_COLLECT
#define GRAPPA_BENCH_WITHOUT_CALLGRIND
#endif

namespace {

#ifdef GRAPPA_BENCH_WITHOUT_CALLGRIND
constexpr bool kCanToggle = false;
#else
constexpr bool kCanToggle = true;
#endif

enum class Ways { One, Both };

// The sum of the words that have arrived on this core.
uint64_t sum_here;

template <size_t Bytes>
struct Message {
  static constexpr size_t kWords = Bytes / sizeof(uint64_t);
  uint64_t words[kWords];

  // Writes all words. The first and the last word identify the message.
  void fill(int64_t k) {
    for (uint64_t& word : words) word = uint64_t(k);
  }
  uint64_t value() const { return words[0] + words[kWords - 1]; }
  void operator()() const { sum_here += value(); }
};

bool sends(Ways ways) { return ways == Ways::Both || Grappa::mycore() == 0; }

uint64_t expected_sum(Ways ways, int64_t n) {
  return uint64_t(n) * uint64_t(n - 1) * (ways == Ways::Both ? 2 : 1);
}

// Computes the rate from the time in which each sender has sent n messages.
bench::Measurement measured(Ways ways, int64_t n, double ns) {
  uint64_t sum = 0;
  for (int core = 0; core < 2; ++core) {
    sum += Grappa::delegate::call(Grappa::Core(core), [] { return sum_here; });
  }
  return {double(n) / ns * 1000, sum == expected_sum(ways, n)};
}

template <size_t Bytes>
bench::Measurement send(Ways ways, int64_t n) {
  Grappa::on_all_cores([] { sum_here = 0; });
  const uint64_t start = Grappa::detail::steady_ns();
  Grappa::on_all_cores([ways, n] {
    if (!sends(ways)) return;
    const Grappa::Core other = Grappa::Core(1 - Grappa::mycore());
    for (int64_t k = 0; k < n; ++k) {
      Message<Bytes> message;
      message.fill(k);
      Grappa::delegate::call<Grappa::async>(other, message);
    }
  });
  return measured(ways, n, double(Grappa::detail::steady_ns() - start));
}

template <size_t Bytes>
bench::Measurement send_by_hand(Ways ways, int64_t n) {
  typedef Message<Bytes> Item;
  Grappa::on_all_cores([] { sum_here = 0; });
  const double ns = bench::raw_time_ns([ways, n] {
    uint64_t sum = 0;
    bench::raw_exchange().run(
        0, sends(ways) ? n : 0,
        raw::to_one<Item>(1 - Grappa::mycore(), [](int64_t k, Item* item) { item->fill(k); }),
        [&sum](const Item* begin, const Item* end) {
          for (const Item* item = begin; item != end; ++item) sum += item->value();
        });
    sum_here = sum;
  });
  return measured(ways, n, ns);
}

template <size_t Bytes>
void compare(bench::Bench* bench, Ways ways) {
  const std::string both = ways == Ways::Both ? "both" : "one";
  const std::string size = std::to_string(Bytes);
  const std::string id = "message." + size + "." + both + "_way" + (both == "both" ? "s" : "");
  if (Grappa::cores() != 2) {
    bench->omit(id, "requires two cores");
    return;
  }
  const int64_t bytes = int64_t(1) << (bench->quick() ? 26 : 29);  // 64 or 512 MiB; reduced below
  const int64_t n = std::min(bytes / int64_t(Bytes), int64_t(1) << (bench->quick() ? 21 : 24));
  bench::PairOptions options;
  options.better = bench::Better::Higher;
  options.ping_pong = bench::raw_half_round_trip_ns;
  options.quick_pairs = 3;
  bench->compare(
      {id, "messages of " + size + " bytes, " + both + (both == "both" ? " ways" : " way"),
       "M/s/core", "the same bytes by hand"},
      [ways, n] { return send<Bytes>(ways, n); },
      [ways, n] { return send_by_hand<Bytes>(ways, n); }, options);
}

template <size_t Bytes>
void compare_ways(bench::Bench* bench) {
  compare<Bytes>(bench, Ways::One);
  compare<Bytes>(bench, Ways::Both);
}

// During the lifetime of an object, callgrind does not count.
class NotCounted {
 public:
  NotCounted() { CALLGRIND_TOGGLE_COLLECT; }
  ~NotCounted() { CALLGRIND_TOGGLE_COLLECT; }
  NotCounted(const NotCounted&) = delete;
  NotCounted& operator=(const NotCounted&) = delete;
};

constexpr int64_t kPerRound = 500;  // messages of a round: half of the smallest buffer

void append() {
  for (int64_t k = 0; k < kPerRound; ++k) {
    Message<16> message;
    message.fill(k);
    Grappa::delegate::call<Grappa::async>(Grappa::mycore(), message);
  }
}

// Counts the instructions to append n messages; their execution is not counted.
bool append_rounds(int64_t n) {
  sum_here = 0;
  for (int64_t k = 0; k < n; k += kPerRound) {
    Grappa::finish([] {
      append();
      CALLGRIND_TOGGLE_COLLECT;
    });
    CALLGRIND_TOGGLE_COLLECT;
  }
  return sum_here == uint64_t(n / kPerRound) * expected_sum(Ways::One, kPerRound);
}

// Counts all instructions except those that append messages.
bool execute_rounds(int64_t n) {
  sum_here = 0;
  for (int64_t k = 0; k < n; k += kPerRound) {
    Grappa::finish([] {
      const NotCounted appending;
      append();
    });
  }
  return sum_here == uint64_t(n / kPerRound) * expected_sum(Ways::One, kPerRound);
}

void count_instructions(bench::Bench* bench) {
  const bench::Question sending = {"message.append.instructions",
                                   "instructions to send a message of 16 bytes", "1", ""};
  const bench::Question executing = {"message.execute.instructions",
                                     "instructions to receive and execute a message", "1", ""};
  if (!kCanToggle) {
    const char* const why = "the program was built without valgrind/callgrind.h";
    bench->omit(sending.id, why);
    bench->omit(executing.id, why);
    return;
  }
  constexpr int64_t kMessages = 400 * kPerRound;  // startup varies by about 10,000 instructions
  bench->instructions(sending, append_rounds, kMessages);
  bench->instructions(executing, execute_rounds, kMessages);
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::Job);
  Grappa::init(&argc, &argv);
  Grappa::run([&bench] {
    count_instructions(&bench);
    bench::prepare_raw_side();
    compare_ways<8>(&bench);
    compare_ways<16>(&bench);
    compare_ways<32>(&bench);
    compare_ways<64>(&bench);
    compare_ways<256>(&bench);
    compare_ways<1024>(&bench);
  });
  Grappa::finalize();
  return bench.finish();
}
