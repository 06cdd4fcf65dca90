/// Do the claims of the paper hold on a cluster of up to 64 locales of 16 cores?
///
/// Simulates (docs/simulation.md) the workloads of figures 6 to 9b of the paper ("Flat Combining
/// Synchronized Global Data Structures", PGAS 2013, section 5), with the network of the paper
/// unless --network names another. Rates are operations or edges per second of virtual time. They
/// are the same in each run, so each figure has one pair. Stack and queue: a run that combines on
/// each core has 8 operations for each worker. A run without combining, or with combining at the
/// master, has 1,024 operations for each core of at most 4 locales: its rate hardly depends on
/// their number. Set and map: 2,048 operations for each core. Graphs: Kronecker graphs of the same
/// scale for all numbers of locales. The baseline is the workload without combining, or the tuned
/// program. Verified: as in bench/structures, and by the programs bfs and cc.
///
/// `./grappa bench figures --simulate` draws the figures from the result (plot/pictures.hpp).

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"
#include "bench/plot/pictures.hpp"
#include "system/base/input_error.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gflags/gflags.h>

DEFINE_string(locales, "1,2,4,8,16,32,64", "numbers of locales, each from 1 to 64");
DEFINE_string(figures, "6,8,9a,9b", "figures to simulate; 6 includes 7");
DEFINE_string(network, GRAPPA_BENCH_NETWORK, "parameters of the network and the cores");

namespace {

using bench::Bench;
using bench::JobOutput;
namespace plot = bench::plot;

struct Sizes {
  int cores;  // of a locale
  int operations_per_worker;
  int most_locales;      // for the number of operations that are not combined on each core
  int table_operations;  // of a core
  int bfs_scale, cc_scale;
};
const Sizes kFull = {16, 8, 4, 2048, 16, 14};
const Sizes kQuick = {4, 8, 1, 2048, 12, 10};

constexpr int kRequests = 1024;  // elements that the master places on one core before the next

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> result;
  std::istringstream stream(list);
  std::string word;
  while (std::getline(stream, word, ',')) result.push_back(word);
  return result;
}

class Simulated {
 public:
  explicit Simulated(Bench* bench)
      : bench_(bench),
        sizes_(bench->quick() ? kQuick : kFull),
        workers_(bench->options().tasking.num_workers) {}

  void measure() {
    const std::vector<std::string> figures = words(FLAGS_figures);
    const auto wanted = [&figures](const char* figure) {
      return std::find(figures.begin(), figures.end(), figure) != figures.end();
    };
    for (const std::string& number : words(FLAGS_locales)) {
      locales_ = std::atoi(number.c_str());
      const std::vector<int>& known = plot::locale_numbers();
      if (std::find(known.begin(), known.end(), locales_) == known.end())
        Grappa::input_error("--locales: \"" + number + "\" is not a power of 2 from 1 to 64");
      if (wanted("6")) {
        for (const char* structure : {"stack", "queue"}) sequences(structure);
      }
      if (wanted("8")) tables();
      if (wanted("9a")) searches();
      if (wanted("9b")) components();
    }
  }

 private:
  int cores() const { return locales_ * sizes_.cores; }

  std::string operations(int64_t n) const { return " --operations=" + std::to_string(n); }

  JobOutput run(const std::string& program, const std::string& processors = "") const {
    return bench::run_simulated_job(
        std::to_string(locales_) + "x" + std::to_string(sizes_.cores) + processors +
            ",network=" + FLAGS_network,
        program + " --num_workers=" + std::to_string(workers_) +
            " --buffers_per_core=" + std::to_string(bench_->options().net.buffers_per_core));
  }

  JobOutput run_structures(const std::string& flags, const std::string& processors = "") const {
    return run(GRAPPA_BENCH_STRUCTURES_JOB " --seconds=0 --warm_ups=0 " + flags, processors);
  }

  // Records a figure for the present number of locales.
  void record(const std::string& id, const std::string& what, const std::string& unit,
              const JobOutput& subject, const std::string& label, const std::string& against,
              const JobOutput& baseline, const std::string& baseline_label) {
    bench::PairOptions options;
    options.better = bench::Better::Higher;
    options.pairs = options.quick_pairs = 1;
    bench_->compare(
        {id, what + ", " + std::to_string(locales_) + " locales", unit, against},
        [&] { return subject.number(label + ": ", 1); },
        [&] { return baseline.number(baseline_label + ": ", 1); }, options);
  }

  void sequences(const std::string& structure) {
    const std::string workload = "--workload=" + structure;
    // Few cores have work at the same time, so a second processor slows the simulation down.
    const JobOutput apart = run_structures(
        workload + " --modes=none,centralized" +
            operations(kRequests * sizes_.cores * std::min(locales_, sizes_.most_locales)),
        ",processors=1");
    const JobOutput combined =
        run_structures(workload + " --modes=distributed --mixes=push,mixed" +
                       operations(int64_t{sizes_.operations_per_worker} * workers_ * cores()));
    for (const std::string mix : {"push", "mixed"}) {
      for (const std::string mode : {"centralized", "distributed"}) {
        record(plot::simulated_id(plot::throughput_id(structure, mix, mode, locales_)),
               structure + ", " + mix + ", " + mode, "M/s",
               mode == "distributed" ? combined : apart, mix + "." + mode, "no combining", apart,
               mix + ".none");
      }
      if (structure != "stack") continue;
      const std::string name = mix + ".distributed";
      record(plot::simulated_id(plot::messages_id(mix, locales_)), "operations of a stack, " + mix,
             "", combined, name + ".operations", "combined messages", combined, name + ".commits");
    }
    for (const std::string& program : plot::plain_programs()) {
      record(plot::simulated_id(plot::throughput_id(structure, "plain", program, locales_)),
             structure + ", pushes in a loop", "M/s", apart, "plain.distributed", program, apart,
             program);
    }
  }

  void tables() {
    for (const std::string structure : {"set", "map"}) {
      const std::string flags =
          "--workload=" + structure + " --lookups=" + std::to_string(plot::kSimulatedLookups) +
          " --log_ranges=" + std::to_string(plot::simulated_log_key_ranges()[0]) + "," +
          std::to_string(plot::simulated_log_key_ranges()[1]) +
          operations(int64_t{sizes_.table_operations} * cores());
      const JobOutput both = run_structures(flags);
      record_tables(structure, both, both);
      if (structure != "set") continue;
      record_tables(plot::kUncachedSet,
                    run_structures(flags + " --modes=distributed --known_keys=0"), both);
    }
  }

  void record_tables(const std::string& name, const JobOutput& combined, const JobOutput& apart) {
    for (const int log_range : plot::simulated_log_key_ranges()) {
      const std::string label =
          std::to_string(plot::kSimulatedLookups) + "." + std::to_string(log_range) + ".";
      record(plot::simulated_hash_id(name, log_range, locales_),
             name + ", 2^" + std::to_string(log_range) + " keys", "M/s", combined,
             label + "distributed", "no combining", apart, label + "none");
    }
  }

  void searches() {
    const std::string program = GRAPPA_BENCH_BFS " --scale=" + std::to_string(sizes_.bfs_scale) +
                                " --nbfs=1 --verify=sampled --algorithm=";
    const JobOutput tuned = run(program + "tuned");
    for (const std::string& form : plot::bfs_forms()) {
      const size_t dot = form.find('.');
      record(plot::simulated_id(plot::bfs_id(form, locales_)), "bfs, " + form, "TEPS",
             run(program + form.substr(0, dot) + " --combining=" + form.substr(dot + 1)),
             "harmonic_mean_TEPS", "tuned", tuned, "harmonic_mean_TEPS");
    }
  }

  void components() {
    const std::string program =
        GRAPPA_BENCH_CC " --scale=" + std::to_string(sizes_.cc_scale) + " --algorithm=";
    const JobOutput tuned = run(program + "tuned");
    for (const std::string& form : plot::kahan_forms()) {
      const std::string flags = form == plot::kUncachedForm ? "distributed --known_keys=0" : form;
      record(plot::simulated_id(plot::cc_id(form, locales_)), "cc, kahan, " + form, "M edges/s",
             run(program + "kahan --combining=" + flags), "median_MTEPS", "tuned", tuned,
             "median_MTEPS");
    }
  }

  Bench* const bench_;
  const Sizes sizes_;
  const int workers_;
  int locales_ = 0;
};

}  // namespace

int main(int argc, char* argv[]) {
  Bench bench(&argc, &argv, bench::Processes::One);
  Simulated(&bench).measure();
  return bench.finish();
}
