#pragma once

/// The interface of the benchmark harness.
///
///   int main(int argc, char* argv[]) {
///     bench::Bench bench(&argc, &argv, bench::Processes::One);
///     bench.compare({"switch.2", "yield among 2 workers", "ns", "a jump between 2 contexts"},
///                   measure_yields, measure_jumps);
///     return bench.finish();
///   }
///
/// A benchmark that runs as a job passes Processes::Job, calls Grappa::init after constructing its
/// Bench, measures in Grappa::run on core 0, and calls finish() after Grappa::finalize.
///
/// The constructor parses the flags of the benchmark (DEFINE_... of gflags) and the flags of the
/// runtime. Grappa::init then finds no flags. An invalid flag, or a result file that cannot be
/// written, ends the program with one line and status 2 before the measurement.

#include "bench/harness/figure.hpp"
#include "bench/harness/pairs.hpp"
#include "bench/harness/ping_pong.hpp"
#include "bench/harness/ranks.hpp"
#include "bench/harness/result.hpp"
#include "system/runtime/flags.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// One: the benchmark never calls Grappa::init. Job: the benchmark calls Grappa::init and runs on
/// any number of cores.
enum class Processes { One, Job };

class Bench {
 public:
  /// Probes the machine. From: main, before anything else.
  Bench(int* argc, char** argv[], Processes processes);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// True if the run should take less than a minute. The ids of all figures then end with ".quick",
  /// because the sizes differ.
  bool quick() const;

  /// Returns the values of the runtime flags, for benchmarks that construct parts of the runtime
  /// themselves and do not call Grappa::init.
  const Grappa::detail::RuntimeOptions& options() const { return options_; }

  /// Measures a subject and its baseline alternately, and records the figure.
  /// From: core 0.
  Figure compare(const Question& question, const Body& subject, const Body& baseline,
                 const PairOptions& options = PairOptions());

  /// Records a figure without pairs, or one derived from other figures. Ids are unique. From: core
  /// 0.
  void record(const Figure& figure);

  /// Records the reason why a figure cannot be measured here. From: core 0.
  void omit(const std::string& id, const std::string& why);

  /// Counts the instructions of one iteration and records them. `operation(n)` runs n iterations
  /// and returns whether the result was right. The operation runs in a separate process, in which
  /// main runs up to this call without measuring. A benchmark that calls this needs INSTRUCTIONS in
  /// CMakeLists.txt. From: core 0.
  void instructions(const Question& question, const std::function<bool(int64_t n)>& operation,
                    int64_t n = 1000);

  /// For PairOptions in benchmarks of one process, if the figure involves two processors.
  std::function<double()> ping_pong();

  /// Probes the machine again, prints the report, and returns the exit status, which is 1 if a
  /// figure was not verified. From: main.
  int finish();

 private:
  void take_flags(int* argc, char** argv[]);
  void describe_run();
  void record_instructions(const Question& question, int64_t n);
  std::string id_of_run(const std::string& id) const;
  void check_new(const std::string& id) const;

  Ranks ranks_;
  Grappa::detail::RuntimeOptions options_;
  std::vector<std::string> arguments_;  // all command-line arguments
  const Processes processes_;
  std::unique_ptr<PingPong> partner_;  // null except on core 0
  Result result_;
};

}  // namespace bench
