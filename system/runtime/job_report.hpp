#pragma once

/// What the flags want to know of a job when it ends: --report, --report_json, --metrics_json.

#include "system/runtime/options.hpp"
#include "system/runtime/output_file.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class JobReport {
 public:
  /// From here on the job takes time. Opens the files. Called by all cores together, outside of
  /// run.
  explicit JobReport(const RuntimeOptions& options);

  /// Removes what the files held. Called when the files of all flags are open.
  void begin();

  /// Prints the page and writes the files, on core 0. Called by all cores together, outside of run,
  /// while all rooms are there.
  void write();

 private:
  const uint64_t begin_ns_;
  const bool page_;
  OutputFile metrics_file_;
  OutputFile json_file_;
};

}  // namespace detail
}  // namespace Grappa
