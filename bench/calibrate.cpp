/// Which parameters of a simulated cluster (docs/simulation.md) describe this machine?
///
/// The calibration set is calibrate_job: small programs of two cores. Each depends mainly on one
/// parameter, which is fitted until the simulated time of the program is its measured time. A
/// parameter may change the times of other programs, too, so all are fitted several times. The
/// measured time is the median of several jobs. The programs that use parameters between locales
/// run with two locales of one core, on this host by TCP, or on the hosts of --hostfile. Verified:
/// each message and task is executed once.
///
/// Writes the network file --network_file. Its comments state the measured and the simulated times.
/// They differ if no value of the parameter is right for all programs of the set.

#include "bench/harness/bench.hpp"
#include "bench/harness/machine.hpp"
#include "bench/jobs.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

DEFINE_string(network_file, "calibrated.network", "output file for the parameters");
DEFINE_bool(
    recorded, false,
    "fit near.* and far.* to simulations with recorded time, which contains the work of the "
    "cores on messages");
DEFINE_string(hostfile, "", "hosts of far.* parameters; default: two locales on this host, by TCP");

namespace {

constexpr int kSweeps = 3;

struct Fit {
  std::string parameter;
  std::string same;  // another parameter with the same value; may be empty
  std::string kernel;
  std::string flags;  // with the number of operations
  double start;
  double least;

  bool far() const { return parameter.compare(0, 4, "far.") == 0; }
};

const std::vector<Fit> kFits = {
    {"core.clock_ns", "", "clock", "--operations=2000000", 20, 1},
    {"core.iteration_ns", "", "loop", "--operations=10000000", 3, 0},
    {"core.switch_ns", "", "switch", "--operations=1000000", 10, 0},
    {"core.task_ns", "", "task", "--operations=500000", 20, 0},
    {"core.poll_ns", "", "switch", "--operations=300000 --poll_interval_us=0", 40, 1},
    {"near.latency_ns", "", "latency", "--operations=5000", 150, 1},
    {"near.send_ns", "near.receive_ns", "buffer", "--operations=20000", 60, 0},
    {"core.message_ns", "", "message", "--operations=2000000", 5, 0},
    {"near.gap_per_byte_ns", "", "bytes", "--operations=200000", 0.1, 0},
    {"far.latency_ns", "", "latency", "--operations=1000", 1000, 1},
    {"far.send_ns", "far.receive_ns", "buffer", "--operations=5000", 250, 0},
    {"far.gap_per_byte_ns", "", "bytes", "--operations=100000", 0.25, 0},
};

struct Times {
  double median;
  bench::Spread spread;
};

class Calibration {
 public:
  explicit Calibration(bench::Bench* bench) : bench_(bench) {
    for (const Fit& fit : kFits) {
      if (FLAGS_recorded && fit.parameter.compare(0, 5, "core.") == 0) continue;
      fits_.push_back(fit);
      set(fit, fit.start);
    }
    measured_.resize(fits_.size());
  }

  /// Runs all jobs in turn. Only jobs in the most frequent regime of the machine are counted.
  void measure() {
    const std::function<double()> ping_pong = bench_->ping_pong();
    const size_t n = fits_.size();
    const int wanted = static_cast<int>(n) * (bench_->quick() ? 3 : 9);
    bench::PairCount count(wanted, wanted);
    std::vector<double> all;
    while (!count.done()) {
      const double before = ping_pong();
      all.push_back(real_ns(fits_[all.size() % n]));
      count.add(before, ping_pong());
    }
    const std::vector<bool> counted = count.counted();
    for (size_t fit = 0; fit < n; ++fit) {
      std::vector<double> times;
      for (size_t k = fit; k < all.size(); k += n) {
        if (counted[k]) times.push_back(all[k]);
      }
      if (times.empty()) times.push_back(all[fit]);
      std::sort(times.begin(), times.end());
      const size_t size = times.size();
      measured_[fit] = {times[size / 2], {times[size / 4], times[(3 * size) / 4]}};
    }
  }

  void fit() {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (size_t k = 0; k < fits_.size(); ++k) approach(fits_[k], measured_[k].median);
    }
  }

  void report() {
    std::ofstream file(FLAGS_network_file);
    write_heading(&file);
    for (size_t k = 0; k < fits_.size(); ++k) {
      const Fit& fit = fits_[k];
      const Times& real = measured_[k];
      const double simulated = simulated_ns(fit);
      char comment[160];
      std::snprintf(comment, sizeof comment,
                    "  # %s: measured %.4g ns (%.4g to %.4g), simulated %.4g ns\n",
                    fit.kernel.c_str(), real.median, real.spread.low, real.spread.high, simulated);
      for (const std::string& name : {fit.parameter, fit.same}) {
        if (!name.empty()) file << name << " = " << values_[name] << comment;
      }
      bench::Figure figure = bench::count(
          {"calibrate." + fit.parameter, "fitted to: " + fit.kernel + " " + fit.flags, "ns", ""},
          values_[fit.parameter]);
      figure.verified = right_;
      bench_->record(figure);
    }
    file << "core.message_byte_ns = 0  # part of near.gap_per_byte_ns\n"
            "far.gap_ns = 0  # part of far.send_ns and far.receive_ns\n";
  }

 private:
  static std::string job(const Fit& fit) {
    return GRAPPA_BENCH_CALIBRATE_JOB " --kernel=" + fit.kernel + " " + fit.flags;
  }

  double number(const bench::JobOutput& output, const Fit& fit) {
    const bench::Measurement time = output.number(fit.kernel + ": ", 1);
    right_ = right_ && time.verified;
    return time.value;
  }

  double real_ns(const Fit& fit) {
    if (!fit.far()) return number(bench::run_job(2, job(fit)), fit);
    const std::string hosts = FLAGS_hostfile.empty() ? "" : " --hostfile=" + FLAGS_hostfile;
    return number(
        bench::run_program("OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self " GRAPPA_BENCH_JOB " -n 2" +
                           hosts + " " + job(fit) + " --cores_per_locale=1"),
        fit);
  }

  double simulated_ns(const Fit& fit) {
    const std::string path = folder_.path() + "/network";
    {
      std::ofstream file(path);
      for (const auto& value : values_) file << value.first << " = " << value.second << "\n";
    }
    const std::string cluster = fit.far() ? "2x1" : "1x2";
    const std::string record = FLAGS_recorded ? ",record=" + path + ".times" : "";
    return number(bench::run_program(GRAPPA_BENCH_JOB " --simulate=" + cluster +
                                     ",network=" + path + record + " " + job(fit)),
                  fit);
  }

  /// Changes the parameter by one step of the secant method.
  void approach(const Fit& fit, double wanted) {
    const double before = values_[fit.parameter];
    const double step = std::max(before, fit.start);
    const double time = simulated_ns(fit);
    set(fit, before + step);
    const double slope = (simulated_ns(fit) - time) / step;
    set(fit, slope <= 0 ? before : std::max(fit.least, before + (wanted - time) / slope));
  }

  void set(const Fit& fit, double value) {
    values_[fit.parameter] = value;
    if (!fit.same.empty()) values_[fit.same] = value;
  }

  void write_heading(std::ofstream* file) const {
    const std::time_t now = std::time(nullptr);
    char date[32];
    std::strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
    const bench::Machine machine = bench::this_machine(2);
    *file << "# " << machine.cpu << ", " << machine.processors << " processors, " << machine.kernel
          << "\n# " << machine.compiler << ", " << machine.mpi << "\n# " << date
          << ", ./grappa bench calibrate" << (bench_->quick() ? " --quick" : "")
          << (FLAGS_recorded ? " --recorded" : "")
          << (FLAGS_hostfile.empty() ? "" : " --hostfile=" + FLAGS_hostfile) << "\n# far.*: "
          << (FLAGS_hostfile.empty() ? "two locales on this host, by TCP" : "these hosts")
          << "\n# In parentheses: the quartiles of the measured time.\n";
  }

  bench::Bench* const bench_;
  std::vector<Fit> fits_;
  std::vector<Times> measured_;  // by index of fits_
  std::map<std::string, double> values_ = {{"core.message_byte_ns", 0}, {"far.gap_ns", 0}};
  bool right_ = true;
  const bench::TemporaryFolder folder_;
};

}  // namespace

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  Calibration calibration(&bench);
  calibration.measure();
  calibration.fit();
  calibration.report();
  return bench.finish();
}
