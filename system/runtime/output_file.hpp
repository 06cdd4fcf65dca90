#pragma once

/// A file that a flag names and core 0 writes at the end of the job.
///
/// It is opened when the job starts, so that a path which cannot be written is reported then and
/// not after hours. When all files are open, what they held before is removed: a job that fails
/// leaves them empty.

#include <fstream>
#include <string>

namespace Grappa {
namespace detail {

class OutputFile {
 public:
  /// Opens `path` on core 0, or nothing if it is empty. If that fails, or the file is that of
  /// another flag, the job ends with status 2 and a line that names `flag`. Called by all cores
  /// together, outside of run.
  OutputFile(const char* flag, const std::string& path);

  /// Removes what the file held. Called when the files of all flags are open.
  void begin();

  /// True, on every core, if a path was given.
  bool wanted() const { return !path_.empty(); }

  /// Core 0 writes here.
  std::ostream& stream() { return stream_; }

  /// Closes it, and ends the job with status 2 if not all could be written. Called by all cores
  /// together, outside of run.
  void close();

 private:
  void check(bool good, const std::string& what) const;

  const char* flag_;
  const std::string path_;
  std::ofstream stream_;
};

}  // namespace detail
}  // namespace Grappa
