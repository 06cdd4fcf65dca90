/// What grows with the number of cores, from one locale of 16 cores to 64 locales?
///
/// Simulates (docs/simulation.md) jobs on --locales locales of 16 cores with the network of the
/// paper's cluster. Subject: the job on all locales. Baseline, for speeds: the same job on one
/// locale, so the ratio is at most the number of locales. Baseline for queues: the same job without
/// combining trees, or a program without combining. Baseline for collectives: the time of the
/// messages of binary trees, up and down, without the work of the cores. Memory: that of a core
/// after random updates, without stacks and global heap. All times are virtual and the same in each
/// run, so each figure has one pair. Verified: by the jobs.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/net/sim/options.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gflags/gflags.h>
#include <nlohmann/json.hpp>

DEFINE_int32(locales, 64, "number of locales, a power of 2 from 2 to 64");
DEFINE_string(only, "", "measure only figures whose ids begin with this text");
DEFINE_string(network, GRAPPA_BENCH_NETWORK, "parameters of the network and the cores");
DEFINE_int32(bfs_scale, 20, "logarithm of the number of vertices of the graphs");

namespace {

using bench::Bench;
using bench::JobOutput;
using bench::Measurement;

struct Sizes {
  int cores;             // of a locale
  int64_t pushes;        // of each core
  int64_t plain_pushes;  // of each core, without combining
  int64_t inserts;       // of each core
  int64_t updates;       // of each core
};
// With 2^14 updates, a job of 64 locales is idle half of the time: until the first and after the
// last buffers arrive.
const Sizes kFull = {16, 1 << 16, 1 << 10, 1 << 13, 1 << 17};
const Sizes kQuick = {4, 1 << 12, 1 << 8, 1 << 9, 1 << 12};

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
    memory();
    searches();
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
        return sequence_job(cores * of_core, "--modes=distributed --mixes=push" + flags);
      };
    };
    // Without combining trees, a simulation takes four times as long.
    const int64_t few = sizes_.pushes / 4;
    const auto combined = pushes(sizes_.pushes, ""), fewer = pushes(few, "");
    const auto no_tree = pushes(few, " --combining_tree=false");
    const std::string label = "push.distributed: ";
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
      return run(locales_, program).number("push.distributed.messages: ", double(cores * few));
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

  /// The time of the messages of a collective on the binary trees of locales and of their cores.
  double binary_trees_us() const {
    Grappa::detail::SimOptions options;
    const std::string error =
        Grappa::detail::parse_simulation("1x1,network=" + FLAGS_network, &options);
    if (!error.empty()) Grappa::input_error(error);
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

  void table() {
    const auto inserts = [this](const std::string& flags) {
      return [this, flags](int64_t cores) {
        return GRAPPA_BENCH_STRUCTURES_JOB " --workload=distinct --modes=distributed --warm_ups=0" +
               flags + " --operations=" + std::to_string(cores * sizes_.inserts);
      };
    };
    speedup("set", "inserts of new keys into a set", "M/s", "distributed: ", 1, inserts(""));
    speedup("set.no_tree", "the same, without combining trees", "M/s", "distributed: ", 1,
            inserts(" --combining_tree=false"));
  }

  std::string update_job(int64_t cores) const {
    return GRAPPA_BENCH_GUPS " --log_table=20 --updates=" + std::to_string(cores * sizes_.updates) +
           " --report_json=" + report_of(cores);
  }
  std::string report_of(int64_t cores) const {
    return folder_.path() + "/" + std::to_string(cores) + ".json";
  }

  void updates() {
    speedup("gups", "asynchronous updates", "M/s", "updates_per_second: ", 1e6,
            [this](int64_t cores) { return update_job(cores); });
  }

  /// The touched memory of each core after the updates, in increasing order.
  std::vector<double> memory_mib(int locales) {
    const int64_t cores = locales * sizes_.cores;
    if (run(locales, update_job(cores)).failed()) return {0};
    const auto memory =
        nlohmann::json::parse(std::ifstream(report_of(cores))).at("report").at("memory");
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

  void memory() {
    if (!wanted("memory.median") && !wanted("memory.largest")) return;
    const std::vector<double> one = memory_mib(1), all = memory_mib(locales_);
    const auto record_mib = [this](const char* id, const char* what, double value, double of_one) {
      Measurement subject = value;
      subject.verified = value > 0;
      record(id, what, "MiB", bench::Better::Lower, "one locale", subject, of_one);
    };
    record_mib("memory.median", "memory of a core during updates: median", all[all.size() / 2],
               one[one.size() / 2]);
    record_mib("memory.largest", "the same: largest", all.back(), one.back());
  }

  void searches() {
    const std::string scale = " --scale=" + std::to_string(bench_->quick() ? 12 : FLAGS_bfs_scale);
    const std::string graph = "Kronecker graph," + scale;
    speedup("bfs", "search, " + graph, "M/s", "harmonic_mean_TEPS: ", 1e6,
            [&](int64_t) { return GRAPPA_BENCH_BFS " --nbfs=2 --verify=sampled" + scale; });
    speedup("cc", "components, " + graph, "M/s", "median_MTEPS: ", 1,
            [&](int64_t) { return GRAPPA_BENCH_CC + scale; });
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
