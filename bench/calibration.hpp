#pragma once

/// Fits the parameters of a simulated cluster (docs/simulation.md) to this machine.
///
/// The calibration set is calibrate_job: small programs of two cores. Each depends mainly on one
/// parameter, which is fitted until the simulated time of the program is its measured time. A
/// parameter may change the times of other programs, too, so all are fitted several times.

#include "bench/harness/bench.hpp"
#include "bench/jobs.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bench {

/// The runs of a program: their median and quartiles.
struct RunTimes {
  RunTimes(const std::vector<double>& all, bool right);

  std::vector<double> runs;  // in the order of the runs
  bool verified;             // all results were right
  double median;
  Spread quartiles;
};

/// Runs all programs in turn, so that a drift of the machine affects all, until the given number of
/// runs of each is in one regime of the machine (PairCount). Returns the results of these runs.
std::vector<RunTimes> run_in_turn(const std::vector<Body>& programs, int runs,
                                  const std::function<double()>& ping_pong);

struct CalibrationOptions {
  /// Simulates with recorded time, and fits only near.* and far.*: the recorded times contain the
  /// work of the cores.
  bool recorded = false;

  /// Also fits far.*, which are parameters between locales.
  bool far = true;

  /// The hosts of far.*. If it is empty: two locales of one core on this host, which use TCP.
  std::string hostfile;
};

class Calibration {
 public:
  explicit Calibration(const CalibrationOptions& options);

  /// Returns the measured programs.
  std::vector<Body> programs();

  /// Fits all parameters. `times` begins with those of programs(), in the same order.
  void fit(const std::vector<RunTimes>& times);

  /// Writes the parameters to the file. Its comments state the machine, the command, and the
  /// measured and the simulated times. They differ if no value of the parameter is right for all
  /// programs of the set. Records each parameter as a figure of `bench`.
  void write(const std::string& path, const std::string& command, Bench* bench);

 private:
  struct Fit;
  static const std::vector<Fit>& all_fits();

  Measurement real_ns(const Fit& fit) const;
  double simulated_ns(const Fit& fit);
  void approach(const Fit& fit, double wanted);
  void set(const Fit& fit, double value);

  const CalibrationOptions options_;
  std::vector<const Fit*> fits_;
  std::vector<RunTimes> times_;  // by index of fits_
  std::map<std::string, double> values_;
  bool right_ = true;
  const TemporaryFolder folder_;
};

}  // namespace bench
