/// A job of two cores for bench/calibrate: small programs, each of which depends mainly on one
/// parameter of a simulated cluster. Prints the nanoseconds of one operation.

#include <Grappa.hpp>

#include "bench/harness/keep.hpp"
#include "bench/warm_up.hpp"
#include "system/message/append.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

DEFINE_string(
    kernel, "clock",
    "clock (readings of the clock), loop (iterations that update a table in the cache), "
    "charge (chains of hashes, whose time is charged), "
    "switch (tasks that meet), task (spawned tasks), latency (calls of a single "
    "task), buffer (messages in buffers of their own), message (messages of 8 bytes in "
    "both directions that update a table in the cache), bytes (the same of 64 bytes), calls (calls "
    "of many tasks to random cores) or misses (updates by both cores of tables in no cache)");
DEFINE_int64(operations, 200000, "operations of each run");
DEFINE_int32(repeats, 5, "number of runs after the first; the result is the median");

namespace {

constexpr uint64_t kWords = 1 << 15;     // of a core; fit into the second-level cache
constexpr int64_t kMissWords = 1 << 24;  // of a core; fit into no cache

/// A chain of hashes, and its time on the reference processor. It defines the unit of all charges
/// of programs and structures, and was chosen such that the programs of bench/predict that mostly
/// charge take their measured time on average.
constexpr int kChain = 100;
constexpr uint64_t kChainNs = 167;

uint64_t executed = 0;  // messages or tasks on this core
uint64_t sum = 0;
uint64_t table[kWords];

uint64_t hash_of(int64_t k) {
  const uint64_t hash = uint64_t(k) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

void add_to_random_word(int64_t k) { table[hash_of(k) % kWords] += uint64_t(k); }

Grappa::Core other_core() { return Grappa::Core(1 - Grappa::mycore()); }

void read_clock(int64_t n) {
  for (int64_t k = 0; k < n; ++k) sum += Grappa::detail::ticks();
}

void loop(int64_t n) {
  Grappa::forall_here(0, n, [](int64_t k) { add_to_random_word(k); });
}

void charge(int64_t n) {
  Grappa::forall_here(0, n, [](int64_t k) {
    uint64_t hash = sum + uint64_t(k);
    for (int step = 0; step < kChain; ++step) hash = hash_of(int64_t(hash) + 1);
    sum = hash;
    Grappa::charge_ns(kChainNs);
  });
}

// Tasks that meet again and again. The last one wakes the others, as a combined batch does. Their
// stacks are cold: with two tasks, a switch takes half as long.
void meet(int64_t n) {
  constexpr int64_t kTasks = 1000;
  Grappa::ConditionVariable all_here;
  int64_t waiting = 0;
  Grappa::finish([n, &all_here, &waiting] {
    for (int64_t task = 0; task < kTasks; ++task) {
      Grappa::spawn([n, &all_here, &waiting] {
        for (int64_t k = 0; k < n / kTasks; ++k) {
          if (++waiting < kTasks) {
            all_here.wait();
          } else {
            waiting = 0;
            all_here.broadcast();
          }
        }
      });
    }
  });
}

void spawn(int64_t n) {
  constexpr int64_t kBatch = 1000;
  for (int64_t done = 0; done < n; done += kBatch) {
    Grappa::finish([] {
      for (int64_t k = 0; k < kBatch; ++k) Grappa::spawn([] { ++executed; });
    });
  }
}

void call(int64_t n) {
  for (int64_t k = 0; k < n; ++k) Grappa::delegate::call(1, [] { ++executed; });
}

void call_from_many_tasks(int64_t n) {
  Grappa::forall(0, n, [](int64_t k) {
    Grappa::delegate::call(Grappa::Core(hash_of(k + 1) >> 20 & 1), [k] {
      add_to_random_word(k);
      ++executed;
    });
  });
}

// Each core makes half of the updates.
void miss(int64_t n) {
  constexpr int64_t kAhead = 16;  // updates, for the prefetch
  static const auto all_words = Grappa::global_alloc<uint64_t>(2 * kMissWords);
  const auto words = all_words;
  Grappa::on_all_cores([words, n] {
    uint64_t* const mine = Grappa::iterate_local(words, 2 * kMissWords).begin();
    Grappa::forall_here(0, n / 2, [mine](int64_t k) {
      __builtin_prefetch(&mine[hash_of(k + kAhead) % kMissWords], 1);
      mine[hash_of(k) % kMissWords] += uint64_t(k);
      Grappa::charge_misses(1);
    });
  });
}

// Each core sends half of the messages to the other core.
template <size_t words>
void exchange(int64_t n, bool flush) {
  Grappa::forall(0, n, [flush](int64_t k) {
    std::array<int64_t, words> payload;
    payload.fill(k);
    const Grappa::Core dest = other_core();
    Grappa::delegate::call<Grappa::async>(dest, [payload] {
      add_to_random_word(payload[words - 1]);
      ++executed;
    });
    if (flush) Grappa::detail::flush_to(dest, Grappa::detail::FlushCause::Asked);
  });
}

void run(int64_t n) {
  if (FLAGS_kernel == "clock") return read_clock(n);
  if (FLAGS_kernel == "loop") return loop(n);
  if (FLAGS_kernel == "charge") return charge(n);
  if (FLAGS_kernel == "switch") return meet(n);
  if (FLAGS_kernel == "task") return spawn(n);
  if (FLAGS_kernel == "latency") return call(n);
  if (FLAGS_kernel == "calls") return call_from_many_tasks(n);
  if (FLAGS_kernel == "misses") return miss(n);
  if (FLAGS_kernel == "buffer") return exchange<1>(n, true);
  if (FLAGS_kernel == "message") return exchange<1>(n, false);
  if (FLAGS_kernel == "bytes") return exchange<8>(n, false);
  Grappa::input_error("--kernel=" + FLAGS_kernel + " is unknown; --help lists all kernels");
}

bool measure() {
  std::vector<double> times;
  const int64_t n = FLAGS_operations;
  for (int k = 0; k <= FLAGS_repeats; ++k) {
    const uint64_t start = Grappa::detail::steady_ns();
    run(n);
    if (k > 0) times.push_back(double(Grappa::detail::steady_ns() - start) / double(n));
  }
  std::sort(times.begin(), times.end());
  std::printf("%s: %.9g\n", FLAGS_kernel.c_str(), times[times.size() / 2]);
  uint64_t all = 0;
  for (int core = 0; core < Grappa::cores(); ++core) {
    all += Grappa::delegate::call(Grappa::Core(core), [] { return executed; });
  }
  bench::keep(sum);
  bench::keep(table);
  return all == 0 || all == uint64_t(n) * uint64_t(FLAGS_repeats + 1);
}

}  // namespace

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  bool right = true;
  Grappa::run([&right] {
    bench::touch_message_buffers();
    right = measure();
  });
  Grappa::finalize();
  return right ? 0 : 1;
}
