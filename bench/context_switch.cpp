/// What is the cost of a yield to the next worker, and how does it grow with the number of workers?
///
/// Baseline for a few workers: a jump between two raw contexts. The stacks of many workers exceed
/// all caches. Baselines for many workers: the same yields among 1,000 workers, and jumps in a ring
/// with the same number of raw contexts. The workers are in the ready queue in random order, as if
/// woken by answers. Verified: each worker runs the expected number of times, in FIFO order.
///
/// A few workers have stacks of the default size; many workers have packed stacks of 8 KiB.
/// --stack_bytes sets both. --prefetch_distance applies to the ready queue. If the memory
/// does not suffice for a figure, the figure is omitted, and the run does not fail.

#include "apps/common/memory.hpp"
#include "bench/harness/bench.hpp"
#include "bench/raw_jump.hpp"
#include "bench/raw_ring.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gflags/gflags.h>

DEFINE_uint64(prefetch_distance, Grappa::detail::TaskingOptions().prefetch_distance,
              "number of next ready workers whose stacks are prefetched; 0: none");

namespace {

using Grappa::detail::WaitQueue;

// Number of tasks that are queued at a time while workers are created. The number is small, so the
// measured memory of the workers includes no long queue.
constexpr int64_t kBatch = 1024;

// Rounds before the measurement starts.
constexpr int64_t kFirstRounds = 2;

constexpr size_t kPackedStackBytes = 8 * Grappa::detail::KiB;

struct Arrivals {
  int64_t arrived = 0;
  int64_t expected = 0;
  WaitQueue<> main;  // waits until all expected workers have arrived

  void arrive() {
    if (++arrived == expected) main.wake_one();
  }
};

// A number of tasks that run in turn, each on its own worker.
class Circle {
 public:
  Circle(int64_t workers, int64_t rounds, const Grappa::detail::TaskingOptions& options)
      : workers_(workers),
        rounds_(rounds),
        options_(options),
        gates_(size_t(workers)),
        places_(size_t(workers)) {
    options_.num_workers = workers + 1;  // plus one for the main task
    std::iota(places_.begin(), places_.end(), 0);
    std::shuffle(places_.begin(), places_.end(), std::mt19937_64(1));
  }

  // Returns the nanoseconds of one yield.
  bench::Measurement run() {
    Grappa::TaskRunner runner(options_);
    runner.run([&] {
      assemble();
      std::vector<int64_t> at_place(places_.size());
      for (size_t id = 0; id < places_.size(); ++id) at_place[size_t(places_[id])] = int64_t(id);
      for (const int64_t id : at_place) gates_[size_t(id)].wake_one();
      runner.wait_for_tasks();
    });
    const int64_t turns = workers_ * (kFirstRounds + rounds_ + 1);
    return {double(end_ns_ - start_ns_) / double(workers_ * rounds_),
            turns_ == turns && out_of_turn_ == 0};
  }

  double bytes_per_worker() const { return bytes_per_worker_; }

 private:
  // Creates the workers. Each worker waits at its own gate.
  void assemble() {
    const double before = apps::resident_bytes();
    Arrivals arrivals;
    while (arrivals.expected < workers_) {
      const int64_t first = arrivals.expected;
      arrivals.expected = std::min(first + kBatch, workers_);
      for (int64_t id = first; id < arrivals.expected; ++id) {
        Grappa::spawn([this, &arrivals, id] {
          arrivals.arrive();
          gates_[size_t(id)].suspend();
          take_turns(places_[size_t(id)]);
        });
      }
      arrivals.main.suspend();
    }
    bytes_per_worker_ = (apps::resident_bytes() - before) / double(workers_);
  }

  // The first worker measures `rounds_` rounds of yields, after kFirstRounds rounds without
  // measurement, in which all workers arrive from their gates.
  void take_turns(int64_t place) {
    int64_t turn = take_rounds(kFirstRounds, place);
    if (place == 0) start_ns_ = Grappa::detail::steady_ns();
    turn = take_rounds(rounds_, turn);
    if (place == 0) end_ns_ = Grappa::detail::steady_ns();
    out_of_turn_ += turns_++ != turn;
  }

  // All data of this loop is in registers, so only the switch is measured. Returns the next turn.
  int64_t take_rounds(int64_t rounds, int64_t turn) {
    for (int64_t round = 0; round < rounds; ++round) {
      out_of_turn_ += turns_++ != turn;
      turn += workers_;
      Grappa::yield();
    }
    return turn;
  }

  const int64_t workers_;
  const int64_t rounds_;
  Grappa::detail::TaskingOptions options_;
  std::vector<WaitQueue<>> gates_;
  std::vector<int64_t> places_;  // positions in the ready queue, by worker
  int64_t turns_ = 0;
  int64_t out_of_turn_ = 0;
  uint64_t start_ns_ = 0;
  uint64_t end_ns_ = 0;
  double bytes_per_worker_ = 0;
};

class ContextSwitch {
 public:
  ContextSwitch(int* argc, char** argv[]) : bench_(argc, argv, bench::Processes::One) {
    few_options_ = many_options_ = bench_.options().tasking;
    few_options_.prefetch_distance = many_options_.prefetch_distance = FLAGS_prefetch_distance;
    if (gflags::GetCommandLineFlagInfoOrDie("stack_bytes").is_default) {
      many_options_.stack_bytes = kPackedStackBytes;
    }
  }

  int run() {
    bench::Figure worst;
    for (const int64_t workers : {2, 10, 100, 1000}) {
      const bench::Figure figure = few(workers);
      if (figure.ratio >= worst.ratio) worst = figure;
    }
    worst.question.id = "switch.small";
    worst.question.what = "the slowest of these: " + worst.question.what;
    bench_.record(worst);

    many("switch.16k", 16384);
    many("switch.128k", 131072);
    many("switch.512k", 524288);
    limit("switch.512k.limit", 524288);
    bench_.record(bench::count(
        {"switch.memory", "resident memory of one worker; workers: " + std::to_string(largest_),
         "bytes", ""},
        bytes_per_worker_));
    return bench_.finish();
  }

 private:
  bench::Measurement yields(int64_t workers, const Grappa::detail::TaskingOptions& options) {
    const int64_t in_all = bench_.quick() ? int64_t(1) << 19 : int64_t(1) << 22;
    const int64_t rounds = std::max(in_all / workers, int64_t(2));
    Circle circle(workers, rounds, options);
    const bench::Measurement measured = circle.run();
    if (workers >= largest_) {
      largest_ = workers;
      bytes_per_worker_ = circle.bytes_per_worker();
    }
    return measured;
  }

  bench::Figure few(int64_t workers) {
    const int64_t jumps = bench_.quick() ? int64_t(1) << 18 : int64_t(1) << 21;
    return bench_.compare(
        {"switch." + std::to_string(workers),
         "a yield among " + std::to_string(workers) + " workers", "ns",
         "a jump between two raw contexts"},
        [&] { return yields(workers, few_options_); },
        [&] { return bench::measure_raw_jumps(jumps); });
  }

  void many(const std::string& id, int64_t workers) {
    // The estimate uses the memory of each worker, measured with fewer workers, plus a reserve.
    const double needed = 1.25 * bytes_per_worker_ * double(workers);
    const double available = apps::available_bytes();
    if (needed > available) {
      bench_.omit(id, std::to_string(workers) + " workers need " +
                          Grappa::detail::human_bytes(needed) + " of memory; " +
                          Grappa::detail::human_bytes(available) + " are available");
      return;
    }
    bench::PairOptions options;
    options.pairs = 9;  // the creation of the workers takes longer than the measurement
    options.quick_pairs = 3;
    bench_.compare(
        {id, "a yield among " + std::to_string(workers) + " workers in random order", "ns",
         "a yield among 1000 workers"},
        [&] { return yields(workers, many_options_); }, [&] { return yields(1000, many_options_); },
        options);
  }

  // Measures the limit of the machine: the same stacks in the same order, without a scheduler.
  void limit(const std::string& id, int64_t workers) {
    if (largest_ < workers) {
      bench_.omit(id, "for the same reason as the figure before");
      return;
    }
    const int64_t rounds = bench_.quick() ? 2 : 8;
    bench::RawRing ring(size_t(workers), many_options_.stack_bytes, FLAGS_prefetch_distance);
    bench::PairOptions options;
    options.pairs = 9;
    options.quick_pairs = 3;
    bench_.compare(
        {id, "a yield among " + std::to_string(workers) + " workers", "ns",
         "a jump in a ring of as many raw contexts"},
        [&] { return yields(workers, many_options_); }, [&] { return ring.run(rounds); }, options);
  }

  bench::Bench bench_;
  Grappa::detail::TaskingOptions few_options_;
  Grappa::detail::TaskingOptions many_options_;
  int64_t largest_ = 0;          // largest number of workers so far
  double bytes_per_worker_ = 0;  // measured with `largest_` workers
};

}  // namespace

int main(int argc, char* argv[]) {
  ContextSwitch benchmark(&argc, &argv);
  return benchmark.run();
}
