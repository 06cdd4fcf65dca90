/// A job for bench/structures: runs and verifies each workload of one kind once, in sequence.

#include "bench/gups_updates.hpp"
#include "bench/raw_side.hpp"
#include "bench/structures_async.hpp"
#include "bench/structures_plain.hpp"
#include "bench/structures_sequence.hpp"
#include "bench/structures_table.hpp"
#include "bench/warm_up.hpp"
#include "structures/global_queue.hpp"
#include "structures/global_stack.hpp"

#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

DEFINE_int32(
    warm_ups, 3,
    "number of runs that make each core create its workers before the measured runs, because the "
    "creation of a worker takes 40 us on some hosts; two are enough. Unless it is 0, the job also "
    "uses all message buffers once, sets and maps have one run in each mode, and counts has one "
    "run of the hand-written code, because the first access to a page of shared memory takes 25 us "
    "on some hosts");
DEFINE_string(workload, "stack",
              "stack, queue, set, map, text_set, text_map, distinct (inserts into a set without "
              "duplicates), erasures "
              "(a set with and without its cache), gups (a queue and updates of a table), async "
              "(asynchronous inserts into a map), counts "
              "(asynchronous combinations in a map, and the same by hand), sums (the same with and "
              "without partial sums), growth (async without a "
              "capacity) or lone (pushes of a single task)");
DEFINE_double(seconds, 0.1,
              "approximate time of each run of a stack or queue; 0: each has --operations");
DEFINE_int64(operations, 1 << 20, "operations of each other run, over all cores");
DEFINE_string(mixes, "push,mixed,plain", "operations of stack and queue");
DEFINE_string(modes, "none,centralized,distributed",
              "combining of stack, queue, sets and maps; the programs without a structure of the "
              "operations `plain` belong to none");
DEFINE_int32(log_table, 20, "base-2 logarithm of the number of words of the table");
DEFINE_int32(log_range, 26, "base-2 logarithm of the key range of distinct, counts and sums");
DEFINE_string(log_ranges, "8,26", "base-2 logarithms of the key ranges of sets and maps");
DEFINE_string(lookups, "0,50,80", "percentages of lookups of sets and maps");

namespace {

using bench::Mix;
using bench::Run;
using Grappa::Combining;

constexpr int kPartialSums = 8192;   // the default of --partial_sums
constexpr int64_t kLongestKeys = 4;  // keys for the longest insert, for each key of other runs
const std::vector<Combining> kWithAndWithout = {Combining::None, Combining::Distributed};

// Prints the results of a run. Returns false if the run was wrong.
bool report(const std::string& name, const Run& run) {
  bench::report(name, run.rate());
  bench::report(name + ".operations", double(run.operations));
  bench::report(name + ".commits", double(run.counts.commits));
  bench::report(name + ".messages", double(run.counts.master_messages));
  bench::report(name + ".all_messages", double(run.counts.messages));
  if (!run.right) std::printf("wrong: %s\n", name.c_str());
  return run.right;
}

std::vector<int> numbers(const std::string& list) {
  std::vector<int> result;
  std::istringstream stream(list);
  std::string number;
  while (std::getline(stream, number, ',')) result.push_back(std::stoi(number));
  return result;
}

// Returns true if a word is in a list that is separated by commas.
bool contains(const std::string& list, const std::string& word) {
  return ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// Returns those of `modes` that --modes lists.
std::vector<Combining> selected(const std::vector<Combining>& modes) {
  std::vector<Combining> result;
  for (const Combining mode : modes) {
    if (contains(FLAGS_modes, Grappa::detail::name_of(mode))) result.push_back(mode);
  }
  return result;
}

Run run_sized(const std::function<Run(int64_t n)>& run) {
  return FLAGS_seconds == 0 ? run(FLAGS_operations) : bench::run_for(FLAGS_seconds, run);
}

template <class Sequence>
bool measure_sequence() {
  const auto measured = [](const std::string& name, Combining mode, Mix mix) {
    return report(name + Grappa::detail::name_of(mode), run_sized([mode, mix](int64_t n) {
                    return bench::run_sequence<Sequence>(mode, mix, n);
                  }));
  };
  bool right = true;
  for (const std::string mix : {"push", "mixed"}) {
    if (!contains(FLAGS_mixes, mix)) continue;
    for (const Combining mode :
         selected({Combining::None, Combining::Centralized, Combining::Distributed})) {
      right = measured(mix + ".", mode, mix == "push" ? Mix::Push : Mix::Mixed) && right;
    }
  }
  if (!contains(FLAGS_mixes, "plain")) return right;
  right = measured("plain.", Combining::Distributed, Mix::PlainPush) && right;
  if (!contains(FLAGS_modes, Grappa::detail::name_of(Combining::None))) return right;
  right = report("append", run_sized(&bench::run_appends)) && right;
  right = report("append_async", run_sized(&bench::run_async_appends)) && right;
  return report("reserve", run_sized(&bench::run_reservations)) && right;
}

// Measures single pushes to a stack, and single delegate calls.
bool measure_lone() {
  const auto stack = Grappa::GlobalStack<uint64_t>::create();
  for (int round = 0; round < 2; ++round) {  // the first round warms up
    const double push = bench::lone_push_us([stack](uint64_t value) { stack->push(value); });
    const double call = bench::lone_push_us([](uint64_t value) {
      Grappa::delegate::call(0, [value] { bench::tally.sum_inserted += value; });
    });
    if (round == 0) continue;
    bench::report("push", push);
    bench::report("call", call);
  }
  const bool right = stack->size() == 2 * bench::kLonePushes;
  stack->destroy();
  return right;
}

template <class Operations>
bool measure_table() {
  bool right = true;
  for (const Combining mode : selected(kWithAndWithout)) {
    if (FLAGS_warm_ups == 0) break;
    right = bench::run_table<Operations>(mode, {16, 50, false}, FLAGS_operations).right && right;
  }
  for (const int lookups : numbers(FLAGS_lookups)) {
    for (const int log_range : numbers(FLAGS_log_ranges)) {
      for (const Combining mode : selected(kWithAndWithout)) {
        const Run run =
            bench::run_table<Operations>(mode, {log_range, lookups, false}, FLAGS_operations);
        right = report(std::to_string(lookups) + "." + std::to_string(log_range) + "." +
                           Grappa::detail::name_of(mode),
                       run) &&
                right;
      }
    }
  }
  return right;
}

bool measure_distinct() {
  bool right = true;
  for (const Combining mode : selected(kWithAndWithout)) {
    const Run run =
        bench::run_table<bench::SetOperations>(mode, {FLAGS_log_range, 0, true}, FLAGS_operations);
    right = report(Grappa::detail::name_of(mode), run) && right;
  }
  return right;
}

bool measure_erasures() {
  const int kLogRange = 10, kKnownKeys = 8192;
  return report("uncached", bench::run_erasures(kLogRange, FLAGS_operations, 0)) &&
         report("cached", bench::run_erasures(kLogRange, FLAGS_operations, kKnownKeys));
}

// Measures a queue, and updates of a table for comparison.
bool measure_beside_gups() {
  const Run run = bench::run_for(FLAGS_seconds, [](int64_t n) {
    return bench::run_sequence<Grappa::GlobalQueue<uint64_t>>(Combining::Distributed,
                                                              Mix::PlainPush, n);
  });
  bench::GupsSubject subject{FLAGS_log_table};
  const bench::Measurement updates = bench::increment_words(&subject, FLAGS_operations);
  bench::report("updates", updates.value * double(Grappa::cores()));
  return report("push", run) && updates.verified;
}

bool measure_async() {
  const Run all = bench::run_async_inserts(FLAGS_operations);
  const Run alone = bench::run_local_inserts(FLAGS_operations / Grappa::cores());
  bench::report("async.core", all.rate() / double(Grappa::cores()));
  return report("async", all) && report("local", alone);
}

bool measure_counts() {
  constexpr int kWarmUpRange = 16;
  constexpr int64_t kWarmUpUpdates = 4 << 20;
  bench::prepare_raw_side();
  return (FLAGS_warm_ups == 0 || bench::run_raw_counts(kWarmUpRange, kWarmUpUpdates).right) &&
         report("raw", bench::run_raw_counts(FLAGS_log_range, FLAGS_operations)) &&
         report("counts", bench::run_counts(FLAGS_log_range, FLAGS_operations, kPartialSums));
}

bool measure_sums() {
  return report("direct", bench::run_counts(FLAGS_log_range, FLAGS_operations, 0)) &&
         report("summed", bench::run_counts(FLAGS_log_range, FLAGS_operations, kPartialSums));
}

bool measure_growth() {
  const int64_t n = FLAGS_operations;
  const int64_t keys = kLongestKeys * n / Grappa::cores();
  bench::report("longest", bench::longest_insert_us(keys, 0));
  bench::report("longest.hint", bench::longest_insert_us(keys, bench::capacity_for(keys)));
  return report("hint", bench::run_creation_and_inserts(n, bench::capacity_for(n))) &&
         report("growth", bench::run_creation_and_inserts(n, 0));
}

bool measure() {
  if (FLAGS_workload == "stack") return measure_sequence<Grappa::GlobalStack<uint64_t>>();
  if (FLAGS_workload == "queue") return measure_sequence<Grappa::GlobalQueue<uint64_t>>();
  if (FLAGS_workload == "set") return measure_table<bench::SetOperations>();
  if (FLAGS_workload == "map") return measure_table<bench::MapOperations>();
  if (FLAGS_workload == "text_set") return measure_table<bench::TextSetOperations>();
  if (FLAGS_workload == "text_map") return measure_table<bench::TextMapOperations>();
  if (FLAGS_workload == "distinct") return measure_distinct();
  if (FLAGS_workload == "erasures") return measure_erasures();
  if (FLAGS_workload == "gups") return measure_beside_gups();
  if (FLAGS_workload == "async") return measure_async();
  if (FLAGS_workload == "counts") return measure_counts();
  if (FLAGS_workload == "sums") return measure_sums();
  if (FLAGS_workload == "growth") return measure_growth();
  if (FLAGS_workload == "lone") return measure_lone();
  Grappa::input_error("--workload=" + FLAGS_workload + " is unknown; --help lists all workloads");
}

// Touches all buffers. Then makes all workers wait for the lock of a stack, so that they exist
// before a timed run. Returns false if the stack has lost an element.
bool warm_up() {
  if (FLAGS_warm_ups != 0) bench::touch_message_buffers();
  bool right = true;
  for (int k = 0; k < FLAGS_warm_ups; ++k) {
    const int64_t pushes = 2 * bench::all_workers();
    right = bench::run_sequence<Grappa::GlobalStack<uint64_t>>(Combining::None, Mix::Push, pushes)
                .right &&
            right;
  }
  return right;
}

}  // namespace

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  bool right = true;
  Grappa::run([&right] { right = warm_up() && measure(); });
  Grappa::finalize();
  return right ? 0 : 1;
}
