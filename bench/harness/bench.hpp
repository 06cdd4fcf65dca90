#pragma once

/// What a benchmark is written with.
///
///   int main(int argc, char* argv[]) {
///     bench::Bench bench(&argc, &argv, bench::Processes::One);
///     bench.compare({"switch.2", "yield among 2 workers", "ns", "a jump between 2 contexts"},
///                   measure_yields, measure_jumps);
///     return bench.finish();
///   }
///
/// A benchmark of a job says Processes::Job, calls Grappa::init after making its Bench, measures in
/// Grappa::run, and calls finish() after Grappa::finalize. Core 0 alone measures and reports.
///
/// The constructor takes all flags, the benchmark's own (DEFINE_... of gflags, like those of any
/// program) and the runtime's as well, so Grappa::init finds none left. A bad flag or a result file
/// that cannot be written ends the program with one line and status 2 before anything is measured.

#include "bench/harness/figure.hpp"
#include "bench/harness/pairs.hpp"
#include "bench/harness/ping_pong.hpp"
#include "bench/harness/ranks.hpp"
#include "bench/harness/result.hpp"
#include "system/runtime/options.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// One: never calls Grappa::init. Job: does, and runs on any number of cores.
enum class Processes { One, Job };

class Bench {
 public:
  /// Probes the machine. From: main, first of all.
  Bench(int* argc, char** argv[], Processes processes);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  /// Keep to less than a minute. The ids of all figures then end in ".quick", since their sizes are
  /// others.
  bool quick() const;

  /// What the runtime's flags say. Of benchmarks without Grappa::init, which construct what they
  /// need.
  const Grappa::detail::RuntimeOptions& options() const { return options_; }

  /// Measures a subject against its baseline, turn about, and records the figure.
  /// From: core 0.
  Figure compare(const Question& question, const Body& subject, const Body& baseline,
                 const PairOptions& options = PairOptions());

  /// Records a figure that is no pair, or that is derived from others. No id may be used twice.
  /// From: core 0.
  void record(const Figure& figure);

  /// Says why a figure cannot be measured here. From: core 0.
  void omit(const std::string& id, const std::string& why);

  /// Counts the instructions of one iteration and records them. `operation(n)` runs n iterations
  /// and returns whether their result was right; it is called in a process of its own, which has
  /// run main up to here without measuring. Benchmarks that use this say INSTRUCTIONS in
  /// CMakeLists.txt. From: core 0.
  void instructions(const Question& question, const std::function<bool(int64_t n)>& operation,
                    int64_t n = 1000);

  /// For PairOptions, where there is one process and its figure involves two processors.
  std::function<double()> ping_pong();

  /// Probes again, reports, and returns the exit status: 1 if a figure was not verified.
  /// From: main.
  int finish();

 private:
  void take_flags(int* argc, char** argv[]);
  void describe_run();
  void record_instructions(const Question& question, int64_t n);
  std::string id_of_run(const std::string& id) const;
  void check_new(const std::string& id) const;

  Ranks ranks_;
  Grappa::detail::RuntimeOptions options_;
  std::vector<std::string> arguments_;  // all that were given
  const Processes processes_;
  std::unique_ptr<PingPong> partner_;  // of core 0
  Result result_;
};

}  // namespace bench
