#include "structures/graph/file/new_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa {
namespace detail {

NewFile::NewFile(const std::string& path) : target_(path) {
  if (char* const resolved = ::realpath(path.c_str(), nullptr)) {
    target_ = resolved;
    std::free(resolved);
  }
  struct stat status;
  if (::stat(target_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail("cannot be written");
    return;
  }
  if (S_ISDIR(status.st_mode)) {
    problem_ = "is a directory, which a graph cannot replace";
  } else if (!S_ISREG(status.st_mode)) {
    problem_ = "is not a regular file, so a graph cannot replace it";
  } else if (::access(target_.c_str(), W_OK) != 0) {
    fail("cannot be written");
  }
  mode_ = status.st_mode & 0777;
}

NewFile::~NewFile() {
  if (file_) ::unlink(path_.c_str());
}

bool NewFile::fail(const char* what) {
  problem_ = with_errno(what);
  return false;
}

bool NewFile::make() {
  // A killed job may have left a file with this name.
  for (int attempt = 0; attempt < 100; ++attempt) {
    path_ = target_ + "." + std::to_string(::getpid() + attempt) + ".saving";
    std::unique_ptr<OpenFile> file(new OpenFile(path_, O_WRONLY | O_CREAT | O_EXCL));
    if (file->fd() >= 0) {
      file_ = std::move(file);
      if (mode_ != 0 && ::fchmod(fd(), mode_) != 0) return fail("cannot be written");
      return true;
    }
    if (errno != EEXIST) break;
  }
  return fail(mode_ == 0 ? "cannot be written"
                         : "cannot be replaced: no new file can be created in its directory");
}

bool NewFile::put_in_place() {
  if (::fsync(fd()) != 0 || !file_->close()) return fail("cannot be written");
  if (std::rename(path_.c_str(), target_.c_str()) != 0) return fail("cannot be replaced");
  file_.reset();
  return true;
}

}  // namespace detail
}  // namespace Grappa
