/// How well does a simulation of two cores predict the time of programs on two cores?
///
/// The programs run in turn with those of the calibration set (calibration.hpp), which determine
/// the parameters of the simulation, so that the drift of the machine affects both. The calibration
/// set contains none of the programs. Subject: the program in a simulated cluster of one locale
/// with two cores, with charged time (`.charged`) and optionally with recorded time (`.recorded`).
/// Baseline: the program on two processors. `.noise` compares every other measured run with the
/// runs between them: no prediction can be better. Verified: each program verifies its own result
/// in each run.

#include "bench/calibration.hpp"
#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"

#include <gflags/gflags.h>

#include <cstddef>
#include <string>
#include <vector>

DEFINE_string(network_file, "calibrated.network", "output file for the parameters");
DEFINE_string(recorded_network_file, "",
              "parameters of ./grappa bench calibrate --recorded, for predictions with recorded "
              "time; default: only charged time");
DEFINE_int32(cores, 2,
             "number of cores. With 1, the time of most programs is the work that they charge");
DEFINE_string(only, "", "measure only programs whose names begin with this text");

namespace {

using bench::Measurement;

struct Program {
  const char* id;
  const char* program;
  const char* label;  // of the number in its output
};

const Program kPrograms[] = {
    {"gups.async.cached", GRAPPA_BENCH_GUPS_JOB " --log_table=18 --updates=67108864", "updates: "},
    {"gups.async.large", GRAPPA_BENCH_GUPS_JOB " --log_table=27 --updates=67108864", "updates: "},
    {"gups.blocking.cached", GRAPPA_BENCH_GUPS_JOB " --blocking --log_table=18 --updates=4194304",
     "fetch_add: "},
    {"gups.blocking.large", GRAPPA_BENCH_GUPS_JOB " --blocking --log_table=26 --updates=4194304",
     "fetch_add: "},
    {"stack.push",
     GRAPPA_BENCH_STRUCTURES_JOB " --workload=stack --mixes=push --modes=distributed --seconds=0.2",
     "push.distributed: "},
    {"queue.mixed",
     GRAPPA_BENCH_STRUCTURES_JOB
     " --workload=queue --mixes=mixed --modes=distributed --seconds=0.2",
     "mixed.distributed: "},
    {"set.insert", GRAPPA_BENCH_STRUCTURES_JOB " --workload=distinct", "distributed: "},
    {"bfs.tuned", GRAPPA_BENCH_BFS " --scale=18 --nbfs=16 --verify=sampled",
     "harmonic_mean_TEPS: "},
    {"bfs.queue", GRAPPA_BENCH_BFS " --scale=15 --nbfs=8 --algorithm=queue --combining=distributed",
     "harmonic_mean_TEPS: "},
    {"cc", GRAPPA_BENCH_CC " --scale=18 --trials=8", "median_MTEPS: "},
    {"uts", GRAPPA_BENCH_UTS " --tree=T1", "nodes_per_second: "},
    {"nqueens", GRAPPA_BENCH_NQUEENS " --n=13", "seconds: "},
};

class Predictions {
 public:
  explicit Predictions(bench::Bench* bench) : bench_(bench) {}

  /// Compares the simulated speed with the measured runs, and every other run with the runs
  /// between.
  void compare(const Program& program, const bench::RunTimes& measured) {
    const Measurement charged = simulated(program, FLAGS_network_file);
    compare(program, ".charged", "charged time", measured, [charged] { return charged; });
    size_t next = 0;
    const auto next_run = [&]() -> Measurement { return measured.runs[next++]; };
    const int pairs = static_cast<int>(measured.runs.size()) / 2;
    if (pairs == 0) return;
    bench_->compare(
        {id(program) + ".noise", std::string(program.id) + ", measured", "printed", "measured"},
        next_run, next_run, options(pairs));
  }

  void compare_recorded(const Program& program, const bench::RunTimes& measured) {
    compare(program, ".recorded", "recorded time", measured, [&] {
      return simulated(program, FLAGS_recorded_network_file + ",record=" + times_.path());
    });
  }

  static Measurement measured(const Program& program) {
    return bench::run_job(FLAGS_cores, program.program).number(program.label, 1);
  }

 private:
  static std::string id(const Program& program) { return std::string("predict.") + program.id; }

  void compare(const Program& program, const std::string& suffix, const std::string& time,
               const bench::RunTimes& measured, const bench::Body& simulated) {
    size_t next = 0;
    bench_->compare(
        {id(program) + suffix, std::string(program.id) + ", " + time, "printed", "measured"},
        simulated,
        [&]() -> Measurement {
          return {measured.runs[next++], measured.verified};
        },
        options(static_cast<int>(measured.runs.size())));
  }

  static bench::PairOptions options(int pairs) {
    bench::PairOptions made;
    made.better = bench::Better::Higher;
    made.pairs = made.quick_pairs = pairs;
    return made;
  }

  static Measurement simulated(const Program& program, const std::string& network) {
    return bench::run_simulated_job("1x" + std::to_string(FLAGS_cores) + ",network=" + network,
                                    program.program)
        .number(program.label, 1);
  }

  bench::Bench* const bench_;
  const bench::TemporaryFolder times_;
};

void predict(bench::Bench* bench) {
  bench::CalibrationOptions options;
  options.far = false;
  bench::Calibration calibration(options);
  std::vector<bench::Body> bodies = calibration.programs();
  const size_t others = bodies.size();
  std::vector<const Program*> programs;
  for (const Program& program : kPrograms) {
    if (std::string(program.id).rfind(FLAGS_only, 0) != 0) continue;
    programs.push_back(&program);
    bodies.push_back([&program] { return Predictions::measured(program); });
  }
  const std::vector<bench::RunTimes> times =
      bench::run_in_turn(bodies, bench->quick() ? 3 : 9, bench->ping_pong());
  calibration.fit(times);
  calibration.write(FLAGS_network_file, "./grappa bench predict", bench);
  Predictions predictions(bench);
  for (size_t k = 0; k < programs.size(); ++k) {
    predictions.compare(*programs[k], times[others + k]);
    if (FLAGS_recorded_network_file.empty()) continue;
    predictions.compare_recorded(*programs[k], times[others + k]);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  predict(&bench);
  return bench.finish();
}
