#include "bench/calibration.hpp"

#include "bench/harness/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace bench {
namespace {

constexpr int kSweeps = 3;

}  // namespace

struct Calibration::Fit {
  std::string parameter;
  std::string same;  // another parameter with the same value; may be empty
  std::string kernel;
  std::string flags;  // with the number of operations
  double start;
  double least;

  bool far() const { return parameter.compare(0, 4, "far.") == 0; }
  bool core() const { return parameter.compare(0, 5, "core.") == 0; }
  std::string job() const { return GRAPPA_BENCH_CALIBRATE_JOB " --kernel=" + kernel + " " + flags; }
};

const std::vector<Calibration::Fit>& Calibration::all_fits() {
  static const std::vector<Fit> all = {
      {"core.clock_ns", "", "clock", "--operations=2000000", 20, 1},
      {"core.iteration_ns", "", "loop", "--operations=10000000", 3, 0},
      {"core.charged_ns", "", "charge", "--operations=50000", 1, 0},
      {"core.switch_ns", "", "switch", "--operations=1000000", 10, 0},
      {"core.task_ns", "", "task", "--operations=500000", 20, 0},
      {"core.poll_ns", "", "switch", "--operations=300000 --poll_interval_us=0", 40, 1},
      {"near.latency_ns", "", "latency", "--operations=5000", 150, 1},
      {"near.send_ns", "near.receive_ns", "buffer", "--operations=20000", 60, 0},
      {"core.message_ns", "", "message", "--operations=2000000", 5, 0},
      {"near.gap_per_byte_ns", "", "bytes", "--operations=200000", 0.1, 0},
      {"core.call_ns", "", "calls", "--operations=500000", 30, 0},
      {"core.miss_ns", "", "misses", "--operations=2000000", 15, 0},
      {"far.latency_ns", "", "latency", "--operations=1000", 1000, 1},
      {"far.send_ns", "far.receive_ns", "buffer", "--operations=5000", 250, 0},
      {"far.gap_per_byte_ns", "", "bytes", "--operations=100000", 0.25, 0},
  };
  return all;
}

RunTimes::RunTimes(const std::vector<double>& all, bool right) : runs(all), verified(right) {
  std::vector<double> sorted = runs;
  std::sort(sorted.begin(), sorted.end());
  const size_t n = sorted.size();
  median = sorted[n / 2];
  quartiles = {sorted[n / 4], sorted[(3 * n) / 4]};
}

std::vector<RunTimes> run_in_turn(const std::vector<Body>& programs, int runs,
                                  const std::function<double()>& ping_pong) {
  const size_t n = programs.size();
  const int wanted = static_cast<int>(n) * runs;
  PairCount count(wanted, wanted);
  std::vector<double> all;
  std::vector<bool> right(n, true);
  while (!count.done()) {
    const double before = ping_pong();
    const Measurement result = programs[all.size() % n]();
    right[all.size() % n] = right[all.size() % n] && result.verified;
    all.push_back(result.value);
    count.add(before, ping_pong());
  }
  const std::vector<bool> counted = count.counted();
  std::vector<RunTimes> times;
  for (size_t program = 0; program < n; ++program) {
    std::vector<double> mine;
    for (size_t k = program; k < all.size(); k += n) {
      if (counted[k]) mine.push_back(all[k]);
    }
    if (mine.empty()) mine.push_back(all[program]);
    times.emplace_back(mine, right[program]);
  }
  return times;
}

Calibration::Calibration(const CalibrationOptions& options)
    : options_(options), values_({{"core.message_byte_ns", 0}}) {
  if (options.far) values_["far.gap_ns"] = 0;
  for (const Fit& fit : all_fits()) {
    if ((options.recorded && fit.core()) || (!options.far && fit.far())) continue;
    fits_.push_back(&fit);
    set(fit, fit.start);
  }
}

std::vector<Body> Calibration::programs() {
  std::vector<Body> all;
  for (const Fit* fit : fits_) {
    all.push_back([this, fit] { return real_ns(*fit); });
  }
  return all;
}

void Calibration::fit(const std::vector<RunTimes>& times) {
  times_ = times;
  for (size_t k = 0; k < fits_.size(); ++k) right_ = right_ && times_[k].verified;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (size_t k = 0; k < fits_.size(); ++k) approach(*fits_[k], times_[k].median);
  }
}

void Calibration::write(const std::string& path, const std::string& command, Bench* bench) {
  std::ofstream file(path);
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", std::gmtime(&now));
  const Machine machine = this_machine(2);
  file << "# " << machine.cpu << ", " << machine.processors << " processors, " << machine.kernel
       << "\n# " << machine.compiler << ", " << machine.mpi << "\n# " << date << ", " << command
       << (bench->quick() ? " --quick" : "") << "\n";
  if (options_.far) {
    file << "# far.*: "
         << (options_.hostfile.empty() ? "two locales on this host, by TCP" : "these hosts")
         << "\n";
  }
  file << "# In parentheses: the quartiles of the measured time.\n";
  for (size_t k = 0; k < fits_.size(); ++k) {
    const Fit& fit = *fits_[k];
    const RunTimes& real = times_[k];
    char comment[160];
    std::snprintf(comment, sizeof comment,
                  "  # %s: measured %.4g ns (%.4g to %.4g), simulated %.4g ns\n",
                  fit.kernel.c_str(), real.median, real.quartiles.low, real.quartiles.high,
                  simulated_ns(fit));
    for (const std::string& name : {fit.parameter, fit.same}) {
      if (!name.empty()) file << name << " = " << values_[name] << comment;
    }
    Figure figure = count(
        {"calibrate." + fit.parameter, "fitted to: " + fit.kernel + " " + fit.flags, "ns", ""},
        values_[fit.parameter]);
    figure.verified = right_;
    bench->record(figure);
  }
  file << "core.message_byte_ns = 0  # part of near.gap_per_byte_ns\n";
  if (options_.far) file << "far.gap_ns = 0  # part of far.send_ns and far.receive_ns\n";
}

Measurement Calibration::real_ns(const Fit& fit) const {
  const std::string label = fit.kernel + ": ";
  if (!fit.far()) return run_job(2, fit.job()).number(label, 1);
  const std::string hosts = options_.hostfile.empty() ? "" : " --hostfile=" + options_.hostfile;
  return run_program("OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self " GRAPPA_BENCH_JOB " -n 2" + hosts +
                     " " + fit.job() + " --cores_per_locale=1")
      .number(label, 1);
}

double Calibration::simulated_ns(const Fit& fit) {
  const std::string path = folder_.path() + "/network";
  {
    std::ofstream file(path);
    for (const auto& value : values_) file << value.first << " = " << value.second << "\n";
  }
  const std::string cluster = fit.far() ? "2x1" : "1x2";
  const std::string record = options_.recorded ? ",record=" + path + ".times" : "";
  const Measurement time = run_simulated_job(cluster + ",network=" + path + record, fit.job())
                               .number(fit.kernel + ": ", 1);
  right_ = right_ && time.verified;
  return time.value;
}

/// Changes the parameter by one step of the secant method.
void Calibration::approach(const Fit& fit, double wanted) {
  const double before = values_[fit.parameter];
  const double step = std::max(before, fit.start);
  const double time = simulated_ns(fit);
  set(fit, before + step);
  const double slope = (simulated_ns(fit) - time) / step;
  set(fit, slope <= 0 ? before : std::max(fit.least, before + (wanted - time) / slope));
}

void Calibration::set(const Fit& fit, double value) {
  values_[fit.parameter] = value;
  if (!fit.same.empty()) values_[fit.same] = value;
}

}  // namespace bench
