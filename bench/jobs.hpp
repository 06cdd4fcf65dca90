#pragma once

/// Jobs that a benchmark starts, one job for each measurement. Jobs differ in the number of cores
/// or in the runtime flags.

#include "bench/harness/pairs.hpp"

#include <string>
#include <vector>

namespace bench {

/// The output and the exit status of a job.
class JobOutput {
 public:
  JobOutput() = default;
  JobOutput(int status, const std::vector<std::string>& lines) : status_(status), lines_(lines) {}

  /// Returns the number after `label` at the start of a line, divided by `unit`. If the job has
  /// failed, the result is not verified, and the output of the job is printed to stderr once.
  Measurement number(const std::string& label, double unit) const;

  bool failed() const { return status_ != 0; }

  /// If the job has rejected a flag, returns the error message; otherwise an empty string.
  std::string refusal() const;

 private:
  int status_ = -1;
  mutable bool shown_ = false;
  std::vector<std::string> lines_;  // lines of stdout and stderr
};

/// A folder that exists, with its files, during the lifetime of the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Returns the number of processors of this machine, regardless of the affinity of this process.
int processors();

/// Runs `program`, a path with flags, on `cores` cores of this machine. If there are enough
/// processors, each core has its own processor. The job may use all processors, even if this
/// process is bound to one. From: a process that is not part of a running Grappa job.
JobOutput run_job(int cores, const std::string& program);

/// Runs `program`, a path with flags, in a simulated cluster (docs/simulation.md). From: as
/// run_job().
JobOutput run_simulated_job(const std::string& cluster, const std::string& program);

/// Runs `program`, a path with flags, as a single process, which may use all processors. From: a
/// process that is not part of a running Grappa job.
JobOutput run_program(const std::string& program);

}  // namespace bench
