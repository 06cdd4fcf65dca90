#pragma once

/// A file that a flag names and core 0 writes at the end of the job.
///
/// It is opened when the job starts, so that a path which cannot be written is told then and not
/// after hours. What it held before is gone from that time on: a job that fails leaves it empty.

#include <fstream>
#include <string>

namespace Grappa {

class OutputFile {
 public:
  /// Opens `path` on core 0, or nothing if it is empty. `flag` is named where that fails, which
  /// ends the job with status 2. Called by all cores together, outside of run.
  OutputFile(const char* flag, const std::string& path);

  /// True, on every core, if a path was given.
  bool wanted() const { return !path_.empty(); }

  /// Core 0 writes here.
  std::ostream& stream() { return stream_; }

  /// Closes it, and ends the job with status 2 if not all could be written. Called by all cores
  /// together, outside of run.
  void close();

 private:
  void check(bool good, const char* what) const;

  const char* flag_;
  const std::string path_;
  std::ofstream stream_;
};

}  // namespace Grappa
