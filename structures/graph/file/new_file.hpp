#pragma once

/// A file that replaces PATH when it is complete: NewFile creates a temporary file in the same
/// directory and renames it. If NewFile is destroyed before the rename, it removes the temporary
/// file. A symbolic link is followed, and its target is replaced. The permissions of the old file
/// are kept. Only regular files are replaced.
///
/// From: any thread of one core. Calls block in the kernel.

#include "structures/graph/file/open_file.hpp"

#include <memory>
#include <string>

namespace Grappa {
namespace detail {

class NewFile {
 public:
  /// Checks that `path` may be replaced; problem() returns the result.
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The last error, with errno as text; "" if there was none.
  const std::string& problem() const { return problem_; }

  /// Creates and opens the empty temporary file. Returns false on an error.
  bool make();

  const std::string& path() const { return path_; }  // the temporary path
  int fd() const { return file_->fd(); }

  /// Renames the temporary file to the path. On an error, returns false and keeps the old file.
  bool put_in_place();

 private:
  bool fail(const char* what);

  std::string target_;
  std::string path_;
  std::string problem_;
  unsigned mode_ = 0;  // mode of the replaced file; 0 if there is none
  std::unique_ptr<OpenFile> file_;
};

}  // namespace detail
}  // namespace Grappa
