#include "bench/kernels_files.hpp"

#include "bench/jobs.hpp"
#include "system/observe/clock.hpp"

#include <functional>

namespace bench {
namespace {

constexpr double kMillisecond = 1e-3;
const char* const kEdges = "mean_nedge: ";

// Measures the whole run of a program, which must print that it has traversed `edges` edges.
Side whole_run(const std::function<JobOutput()>& run, double edges) {
  return [run, edges] {
    const uint64_t start = Grappa::detail::steady_ns();
    const JobOutput output = run();
    const double ms = double(Grappa::detail::steady_ns() - start) * 1e-6;
    Measurement measurement = output.number(kEdges, 1);
    measurement.verified = measurement.verified && measurement.value == edges;
    measurement.value = ms;
    return measurement;
  };
}

}  // namespace

void FileRows::compare(const std::string& row, const std::string& what, const std::string& against,
                       const Side& subject, const Side& baseline) const {
  PairOptions options;
  options.ratio = Ratio::BaselineOverValue;
  options.pairs = options.quick_pairs = pairs_;
  options.max_repeats = pairs_;
  options.ping_pong = bench_->ping_pong();
  bench_->compare({row + "." + id_, what + ", " + what_, "ms", against + ", 2 threads"}, subject,
                  baseline, options);
}

void FileRows::compare_programs(const std::string& row, const std::string& what,
                                const std::string& against, const std::string& ours,
                                const std::string& theirs) const {
  const std::string subject = std::string(GRAPPA_BENCH_BFS " --nbfs=1 ") + ours;
  const std::string baseline =
      std::string(GRAPPA_BENCH_RAW_BFS " --nbfs=1 --verify=false ") + theirs;
  const Measurement verified = run_job(cores_, subject + " --verify=full").number(kEdges, 1);
  if (!verified.verified) return bench_->omit(row + "." + id_, "the search is not valid");
  const int cores = cores_;
  compare(row, what, against,
          whole_run([=] { return run_job(cores, subject + " --verify=none"); }, verified.value),
          whole_run([=] { return run_program(baseline); }, verified.value));
}

void FileRows::build() const {
  const std::string label = "construction_time: ";
  compare(
      "build", "build from edges", "OpenMP, sorts blocks",
      job_side(cores_, GRAPPA_BENCH_CC " --trials=1 --verify=full " + flags_, label, kMillisecond),
      program_side(GRAPPA_BENCH_RAW_BFS " --nbfs=1 --builds=1 " + flags_, label, kMillisecond));
}

void FileRows::load() const {
  const TemporaryFolder folder;
  const std::string saved = folder.path() + "/saved", serialized = folder.path() + "/graph.sg";
  for (const std::string& path : {saved, serialized}) {
    if (!run_job(cores_, GRAPPA_BENCH_BFS " --nbfs=1 --verify=none " + flags_ + " --save=" + path)
             .failed()) {
      continue;
    }
    return bench_->omit("load." + id_, "the graph cannot be saved in " + folder.path());
  }
  compare_programs("load", "whole program, saved graph", "OpenMP, GAP's .sg", "--load=" + saved,
                   "--load=" + serialized);
}

void FileRows::whole() const {
  const TemporaryFolder folder;
  const std::string text = folder.path() + "/graph.el";
  if (run_job(cores_, GRAPPA_BENCH_BFS " --nbfs=1 --verify=none " + flags_ + " --save=" + text)
          .failed()) {
    return bench_->omit("whole." + id_, "the edges cannot be saved in " + folder.path());
  }
  compare_programs("whole", "whole program, edge list", "OpenMP, the same file", "--graph=" + text,
                   "--builds=1 --graph=" + text);
}

}  // namespace bench
