/// What is the gain of combining for the global structures, and what do their operations cost?
///
/// The workloads are those of section 5.1 of the paper ("Flat Combining Synchronized Global Data
/// Structures", PGAS 2013): tasks on all cores choose operations at random. Stack and queue: only
/// pushes, or half pushes and half pops, on 1, 2, 4 and 8 cores. Set and map: inserts and lookups
/// of keys from ranges of 2^8 to 2^26, on 2 cores. The set is also measured without its cache of
/// known keys, which is not part of combining. Baseline: the same workload without combining, or
/// another workload. Queues are also compared with updates of a table, a set with erasures with the
/// same set without its cache, asynchronous inserts with a single core, and asynchronous
/// combinations with an exchange of keys by hand, and without partial sums. Each round is a job
/// that measures all workloads of its kind in sequence. The unit of rates is million operations per
/// second over all cores. Verified: the number and sum of the pushed elements that were popped or
/// are still in the structure; the keys of a set or map, by a list that is made without the
/// structure.
///
/// `./grappa bench figures` draws the paper's figures from the result (plot/pictures.hpp).

#include "apps/common/memory.hpp"
#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "bench/plot/pictures.hpp"
#include "bench/rounds.hpp"
#include "structures/graph/graph_bytes.hpp"
#include "system/base/units.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gflags/gflags.h>

namespace {

using bench::Bench;
using bench::Figure;
using bench::Rounds;

constexpr int kCores = 2;  // number of cores for figures of a fixed number of cores
const char* const kRate = "M/s";
const char* const kUncached = " --known_keys=0";  // flag to measure combining alone

// Numbers of repetitions and sizes of the workloads.
struct Sizes {
  int rounds;        // rounds for figures that a table quotes
  int more_rounds;   // rounds for other figures
  double seconds;    // time of each run of a stack or queue
  int log_table;     // operations of each run of a set or map
  int log_distinct;  // number of inserts without duplicates
  int log_words;     // words of the updated table, for each core
  int log_updates;
  int log_async;   // number of asynchronous inserts
  int log_growth;  // number of inserts into a map without a capacity
};
constexpr double kMostEntryBytes = 96;  // a key with its value (structures/global_map.hpp)
const Sizes kFull = {5, 3, 0.15, 21, 23, 27, 26, 26, 24};
const Sizes kQuick = {3, 1, 0.02, 15, 20, 24, 23, 22, 18};

class Structures {
 public:
  explicit Structures(Bench* bench) : bench_(bench), sizes_(bench->quick() ? kQuick : kFull) {}

  void measure() {
    for (const char* structure : {"stack", "queue"}) {
      for (const int cores : bench::plot::core_numbers()) measure_sequence(structure, cores);
    }
    measure_lone();
    measure_master_messages();
    measure_beside_gups();
    measure_table("set", "set", "");
    measure_table(bench::plot::kUncachedSet, "set", kUncached);
    measure_table("map", "map", "");
    measure_hot("set.hot", "");
    measure_hot("set.hot.uncached", kUncached);
    for (const char* structure : {"set", "map"}) measure_text(structure);
    measure_distinct();
    measure_erasures();
    measure_async();
    measure_counts();
    measure_growth();
  }

 private:
  Rounds rounds(int wanted, int cores, const std::string& flags) const {
    const std::string job = GRAPPA_BENCH_STRUCTURES_JOB " --num_workers=" +
                            std::to_string(bench_->options().tasking.num_workers) + " " + flags;
    return Rounds(wanted, bench_->ping_pong(), [&] { return bench::run_job(cores, job); });
  }

  void measure_sequence(const std::string& structure, int cores) {
    const bool quoted = cores == kCores;
    Rounds of_this =
        rounds(quoted ? sizes_.rounds : sizes_.more_rounds, cores,
               "--workload=" + structure + " --seconds=" + std::to_string(sizes_.seconds));
    for (const char* mix : {"push", "mixed"}) record_throughput(of_this, structure, mix, cores);
    if (cores > 1) record_order(of_this, structure, cores);
    if (structure == "stack" && cores > 1) {
      for (const char* mix : {"push", "mixed"}) {
        record_messages(of_this, bench::plot::messages_id(mix, cores), mix, cores);
      }
    }
    record_plain(of_this, structure, cores);
    if (!quoted) return;
    bench_->record(
        of_this.figure({structure + ".fc", structure + ", only pushes, combining on each core",
                        kRate, "no combining"},
                       "push.distributed", "push.none"));
    bench_->record(of_this.figure(
        {structure + ".mixed", structure + ", pushes and pops", kRate, "only pushes"},
        "mixed.distributed", "push.distributed"));
    bench_->record(of_this.figure(
        {structure + ".drawn", structure + ", one of two random pushes", kRate, "pushes in a loop"},
        "push.distributed", "plain.distributed"));
    if (structure == "stack") {
      record_messages(of_this, "stack.ops_per_message", "mixed", cores);
    }
    pushes_.emplace(structure, of_this);
  }

  void measure_lone() {
    Figure figure = rounds(sizes_.rounds, kCores, "--workload=lone")
                        .figure({"stack.lone", "push to a stack by the only active task", "us",
                                 "a delegate call"},
                                "push", "call");
    figure.better = bench::Better::Lower;
    bench_->record(figure);
  }

  void record_throughput(const Rounds& of_this, const std::string& structure,
                         const std::string& mix, int cores) {
    for (const char* mode : {"centralized", "distributed"}) {
      bench_->record(of_this.figure(
          {bench::plot::throughput_id(structure, mix, mode, cores),
           structure + ", " + words(mix) + ", " + mode + ", " + number_of_cores(cores), kRate,
           "no combining"},
          mix + "." + mode, mix + ".none"));
    }
  }

  // Records pushes in a loop against programs without a global structure. For figures that a table
  // quotes, also records the ratio to the fastest blocking program.
  void record_plain(const Rounds& of_this, const std::string& structure, int cores) {
    const std::string what =
        structure + ", pushes in a loop, combining on each core, " + number_of_cores(cores);
    const std::map<std::string, std::string> descriptions = {
        {"append", "a delegate call that appends to a vector of core 0"},
        {"append_async", "async calls that append to a vector of core 0"},
        {"reserve", "a fetch_and_add and a write"}};
    const auto against = [&](const std::string& id, const std::string& program) {
      return of_this.figure({id, what, kRate, descriptions.at(program)}, "plain.distributed",
                            program);
    };
    for (const std::string& program : bench::plot::plain_programs()) {
      bench_->record(
          against(bench::plot::throughput_id(structure, "plain", program, cores), program));
    }
    if (cores != kCores) return;
    const Figure append = against(structure + ".plain", "append");
    const Figure reserve = against(structure + ".plain", "reserve");
    bench_->record(append.ratio < reserve.ratio ? append : reserve);
  }

  // Records the smaller ratio of adjacent modes: combining on each core, at the master, and none.
  void record_order(const Rounds& of_this, const std::string& structure, int cores) {
    const std::string id = "modes.order." + structure + "." + std::to_string(cores);
    const std::string what = structure + ", only pushes, " + number_of_cores(cores) + ", ";
    const Figure above =
        of_this.figure({id, what + "combining on each core", kRate, "combining at the master"},
                       "push.distributed", "push.centralized");
    const Figure below =
        of_this.figure({id, what + "combining at the master", kRate, "no combining"},
                       "push.centralized", "push.none");
    bench_->record(above.ratio < below.ratio ? above : below);
  }

  void record_messages(const Rounds& of_this, const std::string& id, const std::string& mix,
                       int cores) {
    const std::string name = mix + ".distributed";
    bench_->record(
        of_this.figure({id, "operations of a stack, " + words(mix) + ", " + number_of_cores(cores),
                        "", "combined messages"},
                       name + ".operations", name + ".commits"));
  }

  void measure_master_messages() {
    Figure most;
    for (const auto& of_one : pushes_) {
      Figure figure = of_one.second.figure(
          {"master.messages", "messages to the master of a " + of_one.first + ", only pushes", "",
           "operations"},
          "push.distributed.messages", "push.distributed.operations");
      figure.better = bench::Better::Lower;
      if (figure.ratio >= most.ratio) most = figure;
    }
    bench_->record(most);
  }

  void measure_beside_gups() {
    const char* const id = "queue.push";
    const double table = double(sizeof(int64_t) << sizes_.log_words) * kCores;
    if (lacks_memory(id, table)) return;
    const int log_table = sizes_.log_words + 1;
    const Rounds of_this =
        rounds(sizes_.rounds, kCores,
               "--workload=gups --seconds=" + std::to_string(sizes_.seconds) +
                   " --log_table=" + std::to_string(log_table) + operations(sizes_.log_updates));
    bench_->record(of_this.figure(
        {id, "push to a queue, combining on each core", "M/s/core",
         "increment<async> of 2^" + std::to_string(sizes_.log_words) + " words a core"},
        "push", "updates", kCores));
  }

  // `name` is part of the ids; `flags` are the flags of the job.
  void measure_table(const std::string& name, const std::string& structure,
                     const std::string& flags) {
    Rounds of_this = rounds(sizes_.more_rounds, kCores,
                            "--workload=" + structure + flags + operations(sizes_.log_table) +
                                " --log_ranges=" + list(bench::plot::log_key_ranges()) +
                                " --lookups=" + list(bench::plot::lookup_percentages()));
    for (const int lookups : bench::plot::lookup_percentages()) {
      for (const int log_range : bench::plot::log_key_ranges()) {
        record_table(of_this, bench::plot::hash_id(name, lookups, log_range),
                     structure + described(flags), lookups, log_range);
      }
    }
    if (structure == "map") record_map_messages(of_this);
  }

  void record_map_messages(const Rounds& of_this) {
    const std::string fewest_keys = "0." + std::to_string(bench::plot::log_key_ranges().front());
    Figure figure = of_this.figure(
        {"map.messages", "messages of inserts of the fewest keys into a map", "", "no combining"},
        fewest_keys + ".distributed.all_messages", fewest_keys + ".none.all_messages");
    figure.better = bench::Better::Lower;
    bench_->record(figure);
  }

  static std::string described(const std::string& flags) {
    return flags.empty() ? "" : " without cache of known keys";
  }

  void record_table(const Rounds& of_this, const std::string& id, const std::string& structure,
                    int lookups, int log_range) {
    const std::string name = std::to_string(lookups) + "." + std::to_string(log_range) + ".";
    bench_->record(of_this.figure(
        {id,
         structure + ", " + std::to_string(lookups) + "% lookups, 2^" + std::to_string(log_range) +
             " keys, 2^" + std::to_string(sizes_.log_table) + " operations, combining on each core",
         kRate, "no combining"},
        name + "distributed", name + "none"));
  }

  void measure_hot(const char* id, const std::string& flags) {
    constexpr int kLogRange = 10;
    const Rounds of_this =
        rounds(sizes_.rounds, kCores,
               "--workload=set --lookups=0" + flags + operations(sizes_.log_table) +
                   " --log_ranges=" + std::to_string(kLogRange));
    record_table(of_this, id, "set" + described(flags), 0, kLogRange);
  }

  void measure_text(const std::string& structure) {
    const std::vector<int> log_ranges = {8, 12, 20};
    const Rounds of_this =
        rounds(sizes_.rounds, kCores,
               "--workload=text_" + structure + " --lookups=50" + operations(sizes_.log_table) +
                   " --log_ranges=" + list(log_ranges));
    for (const int log_range : log_ranges) {
      record_table(of_this, structure + ".text." + std::to_string(log_range),
                   structure + " of strings", 50, log_range);
    }
  }

  void measure_distinct() {
    const Rounds of_this =
        rounds(sizes_.rounds, kCores, "--workload=distinct" + operations(sizes_.log_distinct));
    bench_->record(of_this.figure(
        {"set.cold", "set, inserts without duplicates, 2^26 keys, combining on each core", kRate,
         "no combining"},
        "distributed", "none"));
  }

  void measure_erasures() {
    const Rounds of_this =
        rounds(sizes_.rounds, kCores, "--workload=erasures" + operations(sizes_.log_table));
    bench_->record(of_this.figure(
        {"set.erase_mix", "set, 1% erasures, 49% lookups, 2^10 keys, with the cache of known keys",
         kRate, "without the cache"},
        "cached", "uncached"));
  }

  void measure_async() {
    const char* const id = "map.async";
    const double tables = kMostEntryBytes * double(int64_t(1) << sizes_.log_async);
    if (lacks_memory(id, tables)) return;
    const Rounds of_this =
        rounds(sizes_.rounds, kCores, "--workload=async" + operations(sizes_.log_async));
    bench_->record(of_this.figure(
        {id, "insert<async> of 2^" + std::to_string(sizes_.log_async) + " random keys into a map",
         "M/s/core", "one core alone, into a local table"},
        "async.core", "local"));
  }

  void measure_counts() {
    constexpr int kLogRange = 20;
    const Rounds of_this = rounds(sizes_.rounds, kCores,
                                  "--workload=counts --log_range=" + std::to_string(kLogRange) +
                                      operations(sizes_.log_distinct));
    bench_->record(of_this.figure({"map.combine",
                                   "insert_or_combine<async> of random keys of 2^" +
                                       std::to_string(kLogRange) + " into a map",
                                   kRate, "two processes that exchange keys by hand"},
                                  "counts", "raw"));
    const Rounds of_few_keys = rounds(
        sizes_.rounds, kCores, "--workload=sums --log_range=8" + operations(sizes_.log_distinct));
    bench_->record(of_few_keys.figure(
        {"map.sums", "insert_or_combine<async> of 2^8 keys into a map, with partial sums", kRate,
         "without partial sums"},
        "summed", "direct"));
  }

  void measure_growth() {
    const char* const id = "map.longest_insert";
    const std::string keys = "2^" + std::to_string(sizes_.log_growth);
    // The largest table has twice as many keys as the map.
    if (lacks_memory(id, 2 * kMostEntryBytes * double(int64_t(1) << sizes_.log_growth))) return;
    const Rounds of_this =
        rounds(sizes_.rounds, kCores, "--workload=growth" + operations(sizes_.log_growth));
    bench_->record(of_this.figure(
        {"map.growth",
         "insert<async> of " + keys + " keys into a map without a capacity, with its creation",
         kRate, "a map created for these keys"},
        "growth", "hint"));
    Figure longest =
        of_this.figure({id, "longest insert of four times as many keys into the local tables", "us",
                        "tables created for these keys"},
                       "longest", "longest.hint");
    longest.better = bench::Better::Lower;
    bench_->record(longest);
  }

  // If the memory is too small, omits the figure and returns true.
  bool lacks_memory(const std::string& id, double bytes) {
    const double needed = bytes + double(Grappa::detail::GiB);  // a reserve for all other memory
    const double available = apps::available_bytes();
    if (needed <= available) return false;
    bench_->omit(id, "needs " + Grappa::detail::human_bytes(needed) + " of memory; " +
                         Grappa::detail::human_bytes(available) + " are available");
    return true;
  }

  static std::string operations(int log) {
    return " --operations=" + std::to_string(int64_t(1) << log);
  }

  static std::string list(const std::vector<int>& numbers) {
    std::string result;
    for (const int number : numbers) result += (result.empty() ? "" : ",") + std::to_string(number);
    return result;
  }

  static std::string words(const std::string& mix) {
    return mix == "push" ? "only pushes" : "pushes and pops";
  }

  static std::string number_of_cores(int cores) {
    return std::to_string(cores) + (cores == 1 ? " core" : " cores");
  }

  Bench* const bench_;
  const Sizes sizes_;
  std::map<std::string, Rounds> pushes_;  // results on kCores cores, by structure
};

}  // namespace

int main(int argc, char* argv[]) {
  google::SetCommandLineOptionWithMode("num_workers", "2048", google::SET_FLAGS_DEFAULT);
  Bench bench(&argc, &argv, bench::Processes::One);
  Structures(&bench).measure();
  return bench.finish();
}
