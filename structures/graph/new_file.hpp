#pragma once

/// A file that takes its place when it is whole: made under another name in the same folder, then
/// renamed. Removed if it does not come to that. A link is followed, so that what it points at is
/// replaced, and permissions stay as they were. Only regular files are replaced.
///
/// From: any, on one core. Calls keep their processor until the kernel has answered.

#include <memory>
#include <string>

namespace Grappa {
namespace detail {

class OpenFile;

class NewFile {
 public:
  /// Looks whether `path` may be replaced; problem() tells.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// What has gone wrong last, with the reason of the kernel; "" if nothing has.
  const std::string& problem() const { return problem_; }

  /// Makes the file, empty, and opens it. False if that is not possible.
  bool make();

  const std::string& path() const { return path_; }  // the name for the time being
  int fd() const;

  /// False if it cannot be; then the old file stays.
  bool put_in_place();

 private:
  bool fail(const char* what);

  std::string target_;
  std::string path_;
  std::string problem_;
  unsigned mode_ = 0;  // of the file to replace; 0 if there is none
  std::unique_ptr<OpenFile> file_;
};

}  // namespace detail
}  // namespace Grappa
