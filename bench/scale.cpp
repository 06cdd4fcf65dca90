/// What grows with the number of cores, from one locale of 16 cores to 64 locales?
///
/// Simulates (docs/simulation.md) jobs on --locales locales of 16 cores with the network of the
/// paper's cluster. Subject: the job on all locales. Baseline, for speeds: the same job on one
/// locale, so the ratio is at most the number of locales. Baseline for queues: the same job without
/// combining trees, or a program without combining. Baseline for collectives: the time of the
/// messages of binary trees, up and down, without the work of the cores. Another baseline for the
/// search: an estimate from its levels (search_estimate_s). Memory: that of a core after random
/// updates, without stacks and global heap. All times are virtual and the same in each run, so each
/// figure has one pair. Verified: by the jobs, except the components on all locales.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/net/sim/options.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gflags/gflags.h>
#include <nlohmann/json.hpp>

DEFINE_int32(locales, 64, "number of locales, a power of 2 from 2 to 64");
DEFINE_string(only, "", "measure only figures whose ids begin with this text");
DEFINE_string(network, GRAPPA_BENCH_NETWORK, "parameters of the network and the cores");
DEFINE_int32(bfs_scale, 22, "logarithm of the number of vertices of the graphs");

namespace {

using bench::Bench;
using bench::JobOutput;
using bench::Measurement;
using Json = nlohmann::json;

struct Sizes {
  int cores;              // of a locale
  int64_t pushes;         // of each core
  int64_t plain_pushes;   // of each core, without combining
  int64_t inserts;        // of each core, blocking
  int64_t async_inserts;  // of each core
  int64_t updates;        // of each core
};
// With 2^14 updates, a job of 64 locales is idle half of the time: until the first and after the
// last buffers arrive.
const Sizes kFull = {16, 1 << 16, 1 << 10, 1 << 13, 1 << 15, 1 << 17};
const Sizes kQuick = {4, 1 << 12, 1 << 8, 1 << 9, 1 << 10, 1 << 12};

const Measurement kFailed(1e-9, false);  // a result must be above 0

class Scale {
 public:
  explicit Scale(Bench* bench)
      : bench_(bench), sizes_(bench->quick() ? kQuick : kFull), locales_(FLAGS_locales) {}

  void measure() {
    queue();
    lone();
    collectives();
    table();
    updates();
    for (const int locales : std::set<int>{1, std::min(16, locales_), locales_}) memory(locales);
    search();
    components();
  }

 private:
  bool wanted(const std::string& id) const { return ("scale." + id).rfind(FLAGS_only, 0) == 0; }

  /// Each job runs once.
  const JobOutput& run(int locales, const std::string& program) {
    const std::string cluster =
        std::to_string(locales) + "x" + std::to_string(sizes_.cores) + ",network=" + FLAGS_network;
    const auto at = outputs_.find(cluster + " " + program);
    if (at != outputs_.end()) return at->second;
    return outputs_[cluster + " " + program] = bench::run_simulated_job(cluster, program);
  }

  void record(const std::string& id, const std::string& what, const std::string& unit,
              bench::Better better, const std::string& against, const Measurement& subject,
              const Measurement& baseline) {
    bench::PairOptions options;
    options.better = better;
    options.pairs = options.quick_pairs = 1;
    bench_->compare(
        {"scale." + id, what, unit, against}, [&] { return subject; }, [&] { return baseline; },
        options);
  }

  /// Compares the job on all locales with the same job on one locale.
  template <class Program>
  void speedup(const std::string& id, const std::string& what, const std::string& unit,
               const std::string& label, double factor, const Program& program) {
    if (!wanted(id)) return;
    record(id, what, unit, bench::Better::Higher, "one locale",
           run(locales_, program(locales_ * sizes_.cores)).number(label, factor),
           run(1, program(sizes_.cores)).number(label, factor));
  }

  std::string sequence_job(int64_t operations, const std::string& flags) const {
    return GRAPPA_BENCH_STRUCTURES_JOB
           " --workload=queue --seconds=0 --warm_ups=0 --num_workers=512 " +
           flags + " --operations=" + std::to_string(operations);
  }

  void queue() {
    const auto pushes = [this](int64_t of_core, const std::string& flags) {
      return [this, of_core, flags](int64_t cores) {
        return sequence_job(cores * of_core, "--modes=distributed --mixes=plain" + flags);
      };
    };
    // Without combining trees, a simulation takes four times as long.
    const int64_t few = sizes_.pushes / 4;
    const auto combined = pushes(sizes_.pushes, ""), fewer = pushes(few, "");
    const auto no_tree = pushes(few, " --combining_tree=false");
    const std::string label = "plain.distributed: ";
    speedup("queue_push", "blocking pushes to a queue, 512 workers a core", "M/s", label, 1,
            combined);
    speedup("queue_push.no_tree", "a quarter of these pushes, without combining trees", "M/s",
            label, 1, no_tree);
    const int64_t cores = locales_ * sizes_.cores;
    for (const std::string plain : {"append", "append_async"}) {
      if (!wanted("queue_plain." + plain)) continue;
      record("queue_plain." + plain, "pushes to a queue", "M/s", bench::Better::Higher,
             plain == "append" ? "blocking delegate calls that append at one core"
                               : "async delegate calls that append at one core",
             run(locales_, combined(cores)).number(label, 1),
             run(locales_, sequence_job(cores * sizes_.plain_pushes, "--modes=none --mixes=plain"))
                 .number(plain + ": ", 1));
    }
    if (!wanted("commits")) return;
    const auto messages = [this, cores, few](const std::string& program) {
      return run(locales_, program).number("plain.distributed.messages: ", double(cores * few));
    };
    record("commits", "messages to the master for each push", "", bench::Better::Lower,
           "without combining trees", messages(fewer(cores)), messages(no_tree(cores)));
  }

  void lone() {
    if (!wanted("lone")) return;
    const auto push = [this](const std::string& flags) {
      return run(locales_, GRAPPA_BENCH_STRUCTURES_JOB " --workload=lone --warm_ups=0" + flags)
          .number("push: ", 1);
    };
    record("lone", "a push by the only active task", "us", bench::Better::Lower,
           "without combining trees", push(""), push(" --combining_tree=false"));
  }

  static Grappa::detail::SimOptions network() {
    Grappa::detail::SimOptions options;
    const std::string error =
        Grappa::detail::parse_simulation("1x1,network=" + FLAGS_network, &options);
    if (!error.empty()) Grappa::input_error(error);
    return options;
  }

  /// The time of the messages of a collective on the binary trees of locales and of their cores.
  double binary_trees_us() const {
    const Grappa::detail::SimOptions options = network();
    const auto step_ps = [](const Grappa::detail::SimNetwork& way) {
      return double(way.latency_ps + way.send_ps + way.receive_ps);
    };
    const auto levels = [](int n) { return Grappa::detail::floor_log2(static_cast<uint64_t>(n)); };
    return 2 *
           (levels(sizes_.cores) * step_ps(options.near) +
            levels(locales_) * step_ps(options.far)) *
           1e-6;
  }

  void collectives() {
    const Measurement trees = binary_trees_us();
    for (const char* what :
         {"barrier", "allreduce", "on_all_cores", "forall", "reduce", "alloc", "alloc_large"}) {
      const std::string id = std::string("collectives.") + what;
      if (!wanted(id)) continue;
      record(id, what, "us", bench::Better::Lower, "messages of binary trees, up and down",
             run(locales_, GRAPPA_BENCH_SCALE_JOB).number(std::string(what) + ": ", 1), trees);
    }
    if (!wanted("alloc_small")) return;
    record("alloc_small", "small allocations and releases without messages", "",
           bench::Better::Higher, "all",
           run(locales_, GRAPPA_BENCH_SCALE_JOB).number("alloc_small.silent: ", 1), 1.0);
  }

  std::string insert_job(int64_t cores, bool tree) const {
    return GRAPPA_BENCH_STRUCTURES_JOB " --workload=distinct --modes=distributed --warm_ups=0" +
           std::string(tree ? "" : " --combining_tree=false") +
           " --operations=" + std::to_string(cores * sizes_.inserts) +
           " --report_json=" + file(inserts(tree), cores);
  }
  std::string async_insert_job(int64_t cores) const {
    return GRAPPA_BENCH_STRUCTURES_JOB " --workload=async --warm_ups=0 --operations=" +
           std::to_string(cores * sizes_.async_inserts) +
           " --report_json=" + file("async_inserts", cores);
  }
  static std::string inserts(bool tree) { return tree ? "set" : "set_no_tree"; }
  std::string update_job(int64_t cores) const {
    return GRAPPA_BENCH_GUPS " --log_table=20 --updates=" + std::to_string(cores * sizes_.updates) +
           " --report_json=" + file("updates", cores);
  }
  std::string graph() const {
    return " --scale=" + std::to_string(bench_->quick() ? 12 : FLAGS_bfs_scale);
  }
  std::string search_job(int64_t cores) const {
    return GRAPPA_BENCH_BFS " --nbfs=2 --verify=sampled" + graph() +
           " --json=" + file("search", cores);
  }

  /// The file into which a job of these cores writes.
  std::string file(const std::string& job, int64_t cores) const {
    return folder_.path() + "/" + job + "." + std::to_string(cores) + ".json";
  }
  Json parsed(const std::string& job, int64_t cores) const {
    return Json::parse(std::ifstream(file(job, cores)));
  }

  void table() {
    const std::string label = "distributed: ";
    speedup("set", "inserts of new keys into a set", "M/s", label, 1,
            [this](int64_t cores) { return insert_job(cores, true); });
    speedup("set.no_tree", "the same, without combining trees", "M/s", label, 1,
            [this](int64_t cores) { return insert_job(cores, false); });
    speedup("map_async", "asynchronous inserts of new keys into a map", "M/s", "async: ", 1,
            [this](int64_t cores) { return async_insert_job(cores); });
    const int64_t cores = int64_t{locales_} * sizes_.cores;
    const auto mean_bytes = [this, cores](const std::string& job, const std::string& report) {
      if (run(locales_, job).failed()) return kFailed;
      return Measurement(message_bytes(parsed(report, cores)));
    };
    const auto blocking = [this, cores, mean_bytes](bool tree) {
      return mean_bytes(insert_job(cores, tree), inserts(tree));
    };
    const std::string what = "mean size of a buffer between locales during ";
    if (wanted("set_message")) {
      record("set_message", what + "the inserts into the set", "bytes", bench::Better::Higher,
             "without combining trees", blocking(true), blocking(false));
    }
    if (wanted("map_async_message")) {
      record("map_async_message", what + "the asynchronous inserts", "bytes", bench::Better::Higher,
             "during the blocking ones into a set",
             mean_bytes(async_insert_job(cores), "async_inserts"), blocking(true));
    }
  }

  /// The mean size of a buffer between two locales.
  static double message_bytes(const Json& report) {
    double buffers = 0, bytes = 0;
    for (const Json& pair : report.at("report").at("locales").at("pairs")) {
      if (pair.at(0) == pair.at(1)) continue;
      buffers += pair.at(2).get<double>();
      bytes += pair.at(3).get<double>();
    }
    return bytes / buffers;
  }

  void updates() {
    speedup("gups", "asynchronous updates", "M/s", "updates_per_second: ", 1e6,
            [this](int64_t cores) { return update_job(cores); });
  }

  /// The touched memory of each core after the updates, in increasing order.
  std::vector<double> memory_mib(int locales) {
    const int64_t cores = int64_t{locales} * sizes_.cores;
    if (run(locales, update_job(cores)).failed()) return {kFailed.value};
    const Json memory = parsed("updates", cores).at("report").at("memory");
    std::vector<double> all;
    for (size_t core = 0; core < size_t(cores); ++core) {
      const auto bytes = [&memory, core](const char* part) {
        return memory.at(std::string(part) + "_by_core").at(core).get<double>();
      };
      all.push_back((bytes("own_bytes") - bytes("stack_bytes") - bytes("heap_bytes_resident")) /
                    double(Grappa::detail::MiB));
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  void memory(int locales) {
    const std::string id = "memory." + std::to_string(locales * sizes_.cores);
    if (!wanted(id)) return;
    const std::vector<double> all = memory_mib(locales);
    Measurement largest = all.back();
    largest.verified = all.size() > 1;
    record(id, "memory of a core during updates: largest", "MiB", bench::Better::Lower, "median",
           largest, all[all.size() / 2]);
  }

  void search() {
    const std::string what = "search, Kronecker graph," + graph();
    speedup("bfs", what, "M/s", "harmonic_mean_TEPS: ", 1e6,
            [this](int64_t cores) { return search_job(cores); });
    if (!wanted("bfs_bound")) return;
    const int64_t cores = int64_t{locales_} * sizes_.cores;
    if (run(locales_, search_job(cores)).failed() || run(1, search_job(sizes_.cores)).failed()) {
      return record("bfs_bound", what, "ms", bench::Better::Lower, "an estimate", kFailed, 1.0);
    }
    const Json all = parsed("search", cores).at("searches");
    const Json one = parsed("search", sizes_.cores).at("searches");
    const Measurement allreduce = run(locales_, GRAPPA_BENCH_SCALE_JOB).number("allreduce: ", 1);
    double time = 0, estimate = 0;
    for (size_t k = 0; k < all.size(); ++k) {
      time += all[k].at("time").get<double>();
      estimate += search_estimate_s(all[k], allreduce.value, one[k].at("time").get<double>());
    }
    record("bfs_bound", what, "ms", bench::Better::Lower,
           "one allreduce for each level, a bitmap for each bottom-up level, and the work of one "
           "locale divided by the locales",
           1000 * time, Measurement(1000 * estimate, allreduce.verified));
  }

  /// An estimate of the time of a search: one measured allreduce for each level, one bit of each
  /// vertex through the port of a locale for each bottom-up level, and the measured time on one
  /// locale divided by the number of locales.
  double search_estimate_s(const Json& search, double allreduce_us, double one_locale_s) const {
    const double bitmap_us = double(int64_t{1} << (bench_->quick() ? 12 : FLAGS_bfs_scale)) / 8 *
                             double(network().far.gap_per_byte_ps) * 1e-6;
    return 1e-6 * (search.at("levels").get<double>() * allreduce_us +
                   search.at("bottom_up_levels").get<double>() * bitmap_us) +
           one_locale_s / locales_;
  }

  /// On all locales, verification takes longer than all else, so only the number of components is
  /// compared with that of the verified job on one locale.
  void components() {
    if (!wanted("cc")) return;
    const JobOutput& all = run(locales_, GRAPPA_BENCH_CC " --verify=none" + graph());
    const JobOutput& one = run(1, GRAPPA_BENCH_CC " --verify=rules" + graph());
    const std::string speed = "median_MTEPS: ", number = "components: ";
    Measurement subject = all.number(speed, 1);
    const Measurement found = all.number(number, 1), expected = one.number(number, 1);
    subject.verified = subject.verified && found.verified && found.value == expected.value;
    record("cc", "components, Kronecker graph," + graph(), "M/s", bench::Better::Higher,
           "one locale", subject, one.number(speed, 1));
  }

  Bench* const bench_;
  const Sizes sizes_;
  const int locales_;
  std::map<std::string, JobOutput> outputs_;
  const bench::TemporaryFolder folder_;
};

}  // namespace

int main(int argc, char* argv[]) {
  Bench bench(&argc, &argv, bench::Processes::One);
  if (FLAGS_locales < 2 || FLAGS_locales > 64 || (FLAGS_locales & (FLAGS_locales - 1)) != 0) {
    Grappa::input_error("--locales: invalid value " + std::to_string(FLAGS_locales) +
                        ", expected a power of 2 from 2 to 64");
  }
  Scale(&bench).measure();
  return bench.finish();
}
