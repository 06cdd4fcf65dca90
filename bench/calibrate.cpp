/// Which parameters of a simulated cluster (docs/simulation.md) describe this machine?
///
/// Fits each parameter to a program of the calibration set (calibration.hpp). The measured time is
/// the median of several jobs. The programs that use parameters between locales run with two
/// locales of one core, on this host by TCP, or on the hosts of --hostfile. Verified: each message
/// and task is executed once.
///
/// Writes the network file --network_file.

#include "bench/calibration.hpp"
#include "bench/harness/bench.hpp"

#include <gflags/gflags.h>

#include <string>

DEFINE_string(network_file, "calibrated.network", "output file for the parameters");
DEFINE_bool(
    recorded, false,
    "fit near.* and far.* to simulations with recorded time, which contains the work of the "
    "cores on messages");
DEFINE_string(hostfile, "", "hosts of far.* parameters; default: two locales on this host, by TCP");

int main(int argc, char* argv[]) {
  bench::Bench bench(&argc, &argv, bench::Processes::One);
  bench::CalibrationOptions options;
  options.recorded = FLAGS_recorded;
  options.hostfile = FLAGS_hostfile;
  bench::Calibration calibration(options);
  calibration.fit(
      bench::run_in_turn(calibration.programs(), bench.quick() ? 3 : 9, bench.ping_pong()));
  calibration.write(FLAGS_network_file,
                    std::string("./grappa bench calibrate") +
                        (FLAGS_recorded ? " --recorded" : "") +
                        (FLAGS_hostfile.empty() ? "" : " --hostfile=" + FLAGS_hostfile),
                    &bench);
  return bench.finish();
}
