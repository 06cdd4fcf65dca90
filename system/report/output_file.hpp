#pragma once

/// A file that a flag names and core 0 writes at the end of the job.
///
/// The file is opened when the job starts. A path that cannot be written is then reported at once
/// and not after hours. When all files are open, their old contents are removed: a job that fails
/// leaves empty files.

#include <fstream>
#include <string>

namespace Grappa {
namespace detail {

class OutputFile {
 public:
  /// Opens `path` on core 0; an empty path means no file. If opening fails, or another flag names
  /// the same file, the job ends with status 2 and a line that names `flag`. Called by all cores
  /// together, outside of run.
  OutputFile(const char* flag, const std::string& path);

  /// Truncates the file. Called after the files of all flags have been opened.
  void begin();

  /// True, on every core, if a path was given.
  bool wanted() const { return !path_.empty(); }

  /// The stream that core 0 writes.
  std::ostream& stream() { return stream_; }

  /// Closes the file. If some data could not be written, the job ends with status 2. Called by all
  /// cores together, outside of run.
  void close();

 private:
  void check(bool good, const std::string& what) const;

  const char* flag_;
  const std::string path_;
  std::ofstream stream_;
};

}  // namespace detail
}  // namespace Grappa
