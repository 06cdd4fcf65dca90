#pragma once

/// The output of --report and --report_json at the end of a job.

#include "system/report/options.hpp"
#include "system/report/output_file.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class JobReport {
 public:
  /// Opens the file and starts the wall time of the job. Called by all cores together, outside of
  /// run.
  explicit JobReport(const ReportOptions& options);

  /// Truncates the file. Called after the files of all flags have been opened.
  void begin() { file_.begin(); }

  /// Prints the page and writes the file, on core 0. Called by all cores together, outside of run,
  /// while all modules exist.
  void write();

 private:
  const uint64_t begin_ns_;
  const bool page_;
  OutputFile file_;
};

}  // namespace detail
}  // namespace Grappa
