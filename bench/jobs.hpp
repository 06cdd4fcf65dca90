#pragma once

/// Jobs that a benchmark starts, each a measurement: on other numbers of cores, or with other flags
/// of the runtime, than its own.

#include "bench/harness/pairs.hpp"

#include <string>
#include <vector>

namespace bench {

/// What a job has printed, and how it ended.
class JobOutput {
 public:
  JobOutput() = default;
  JobOutput(int status, const std::vector<std::string>& lines) : status_(status), lines_(lines) {}

  /// The number behind `label` at the beginning of a line, divided by `unit`. It is not verified if
  /// the job has failed; then what it has printed goes to stderr, once.
  Measurement number(const std::string& label, double unit) const;

  bool failed() const { return status_ != 0; }

  /// What the job says of a flag that it does not take; empty if it takes them all.
  std::string refusal() const;

 private:
  int status_ = -1;
  mutable bool shown_ = false;
  std::vector<std::string> lines_;  // of stdout and stderr
};

/// Of this machine, whether or not this process is bound to some of them.
int processors();

/// Runs `program`, a path with flags, on so many cores of this machine: one on each processor if
/// there are enough. The job may use all processors, even if this process is bound to one.
/// From: a process that is in no Grappa job, or no longer.
JobOutput run_job(int cores, const std::string& program);

/// Runs `program`, a path with flags, by itself: one process, which may use all processors.
/// From: as run_job.
JobOutput run_program(const std::string& program);

}  // namespace bench
