/// How well does a simulation of two cores predict the time of programs on two cores?
///
/// Subject: the program in a simulated cluster of one locale with two cores, with recorded time
/// (`.recorded`) and with charged time (`.charged`). Baseline: the program on two processors. Both
/// run alternately. `.noise` compares every other measured run with the runs between them: no
/// prediction can be better. `./grappa bench calibrate` writes the parameters. It uses none of the
/// programs. Verified: each program verifies its own result in each run.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"

#include <gflags/gflags.h>

#include <functional>
#include <string>
#include <vector>

DEFINE_string(network_file, "calibrated.network", "parameters of ./grappa bench calibrate");
DEFINE_string(recorded_network_file, "recorded.network",
              "parameters of ./grappa bench calibrate --recorded");
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
    {"stack.push", GRAPPA_BENCH_STRUCTURES_JOB " --workload=stack --seconds=0.05",
     "push.distributed: "},
    {"queue.mixed", GRAPPA_BENCH_STRUCTURES_JOB " --workload=queue --seconds=0.05",
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

  void measure(const Program& program) {
    const std::string id = std::string("predict.") + program.id;
    const bench::Question question = {id + ".recorded", std::string(program.id) + ", recorded time",
                                      "printed", "measured"};
    const bench::Figure figure = bench_->compare(
        question,
        [&] {
          return simulated(program, FLAGS_recorded_network_file + ",record=" + times_.path());
        },
        [&] { return bench::run_job(2, program.program).number(program.label, 1); },
        options(bench_->quick() ? 3 : 9, bench_->ping_pong()));
    std::vector<double> measured;
    for (const bench::Repetition& repetition : figure.repetitions) {
      if (repetition.counted) measured.push_back(repetition.baseline_value);
    }
    const int pairs = static_cast<int>(measured.size());
    size_t next = 0;
    const auto next_measured = [&]() -> Measurement { return measured[next++]; };
    const Measurement charged = simulated(program, FLAGS_network_file);
    bench_->compare(
        {id + ".charged", std::string(program.id) + ", charged time", "printed", "measured"},
        [&] { return charged; }, next_measured, options(pairs));
    next = 0;
    if (pairs > 1) {
      bench_->compare(
          {id + ".noise", std::string(program.id) + ", measured", "printed", "measured"},
          next_measured, next_measured, options(pairs / 2));
    }
  }

 private:
  static bench::PairOptions options(int pairs, const std::function<double()>& ping_pong = nullptr) {
    bench::PairOptions made;
    made.better = bench::Better::Higher;
    made.pairs = made.quick_pairs = pairs;
    made.ping_pong = ping_pong;
    made.max_repeats = pairs / 2;
    return made;
  }

  static Measurement simulated(const Program& program, const std::string& network) {
    return bench::run_program(GRAPPA_BENCH_JOB " --simulate=1x2,network=" + network + " " +
                              program.program)
        .number(program.label, 1);
  }

  bench::Bench* const bench_;
  const bench::TemporaryFolder times_;
};

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  Predictions predictions(&bench);
  for (const Program& program : kPrograms) {
    if (std::string(program.id).rfind(FLAGS_only, 0) == 0) predictions.measure(program);
  }
  return bench.finish();
}
