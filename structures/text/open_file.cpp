#include "structures/text/open_file.hpp"

#include "system/parallel/bulk.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace Grappa::detail {
OpenFile::OpenFile(const std::string& path, int flags)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666)) {}

OpenFile::~OpenFile() {
  if (fd_ >= 0) ::close(fd_);
}

bool OpenFile::close() {
  const int fd = fd_;
  fd_ = -1;
  return ::close(fd) == 0;
}

int64_t read_fully(int fd, char* to, int64_t bytes, int64_t offset) {
  int64_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(fd, to + done, size_t(bytes - done), off_t(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += got;
  }
  return done;
}

bool write_fully(int fd, const char* from, int64_t bytes, int64_t offset) {
  for (int64_t done = 0; done < bytes;) {
    const ssize_t put = ::pwrite(fd, from + done, size_t(bytes - done), off_t(offset + done));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    done += put;
  }
  return true;
}

int64_t file_bytes(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? int64_t(status.st_size) : -1;
}

std::string why_unreadable(int fd, bool may_be_empty) {
  struct stat status;
  if (fd < 0 || ::fstat(fd, &status) != 0) return with_errno("cannot be opened");
  if (S_ISDIR(status.st_mode)) return "is a directory, expected a file";
  if (!S_ISREG(status.st_mode)) return "is not a regular file, so the cores cannot share it";
  if (status.st_size == 0 && !may_be_empty) return "is empty";
  return "";
}

std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

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
    problem_ = "is a directory, which a file cannot replace";
  } else if (!S_ISREG(status.st_mode)) {
    problem_ = "is not a regular file, so a file cannot replace it";
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

std::string RemoteText::fetch() const {
  std::string copy(static_cast<size_t>(size), '\0');
  memcpy(&copy[0], first, size);
  return copy;
}

bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem) {
  const std::string here = " on core " + std::to_string(mycore());
  if (fd < 0) {
    *problem = problem_of_file(begin, with_errno("cannot be opened" + here));
  } else if (file_bytes(fd) != bytes) {
    *problem = problem_of_file(begin, "has " + std::to_string(file_bytes(fd)) + " bytes" + here +
                                          ", but had " + std::to_string(bytes) +
                                          " at the start of the read: all cores must see the "
                                          "same file, and it must not change during the read");
  }
  return !problem->found();
}

}  // namespace Grappa::detail
