#include "structures/graph/file/open_file.hpp"

#include "system/global/delegate.hpp"
#include "system/parallel/bulk.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

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

std::string why_unreadable(int fd) {
  struct stat status;
  if (fd < 0 || ::fstat(fd, &status) != 0) return with_errno("cannot be opened");
  if (S_ISDIR(status.st_mode)) return "is a directory, not a graph";
  if (!S_ISREG(status.st_mode)) return "is not a regular file, so the cores cannot share it";
  if (status.st_size == 0) return "is empty";
  return "";
}

std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

FileProblem for_each_line(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                          const LineBody& body, size_t max_line_bytes) {
  if (first >= last) return FileProblem();
  // Also reads the byte before `first`. Unless it is a newline, the range starts inside a line.
  bool inside_line = first > 0, at_end_of_file = false;
  const size_t chunk = std::min(chunk_bytes, size_t(last - first) + 1);
  std::vector<char> buffer(chunk + std::min(kMaxLineBytes, max_line_bytes));
  const char* begin = buffer.data();  // start of the bytes that have been read but not used
  const char* end = begin;
  for (int64_t at = std::max<int64_t>(first - 1, 0); at < last;) {  // the offset of `begin`
    const auto* const newline =
        static_cast<const char*>(std::memchr(begin, '\n', size_t(end - begin)));
    const char* const line_end = newline ? newline : end;
    const int64_t length = line_end - begin;
    if (inside_line && std::min(at + length, last) - first > int64_t(max_line_bytes)) {
      return too_long_line(first, max_line_bytes);
    }
    if (!newline && at_end_of_file && at + length < last) {
      return FileProblem(at + length, kFileEndsEarly);
    }
    if (!inside_line && length > int64_t(max_line_bytes)) {
      return too_long_line(at, max_line_bytes);
    }
    if (newline || at_end_of_file) {
      std::string sentence;
      if (!inside_line && !body(begin, line_end, &sentence)) return FileProblem(at, sentence);
      inside_line = false;
      begin = newline ? newline + 1 : end;
      at += length + 1;
      continue;
    }
    const int64_t kept = inside_line ? 0 : length;
    at += length - kept;
    std::copy(end - kept, end, buffer.data());
    if (size_t(kept) + chunk > buffer.size()) buffer.resize(2 * buffer.size());
    begin = buffer.data();
    const int64_t space = int64_t(buffer.size()) - kept;
    const int64_t got = read_fully(fd, buffer.data() + kept, space, at + kept);
    if (got < 0) return FileProblem(at, with_errno("cannot be read here"));
    end = begin + kept + got;
    at_end_of_file = got < space;
  }
  return FileProblem();
}

FileProblem for_each_line_of(const std::string& text, int64_t offset, const LineBody& body,
                             size_t max_line_bytes) {
  const char* const end = text.data() + text.size();
  for (const char* first = text.data(); first != end;) {
    const auto* const newline =
        static_cast<const char*>(std::memchr(first, '\n', size_t(end - first)));
    const char* const last = newline ? newline : end;
    const int64_t at = offset + (first - text.data());
    std::string sentence;
    if (size_t(last - first) > max_line_bytes) return too_long_line(at, max_line_bytes);
    if (!body(first, last, &sentence)) return {at, sentence};
    first = last == end ? end : last + 1;
  }
  return FileProblem();
}

FileProblem too_long_line(int64_t offset, size_t max_line_bytes) {
  return {offset, "the line is longer than " + std::to_string(max_line_bytes) +
                      " bytes; this is not a text file of edges"};
}

int64_t line_number_at(int fd, int64_t offset) {
  std::vector<char> chunk(1 * MiB);
  int64_t newlines = 0;
  for (int64_t at = 0; at < offset;) {
    const int64_t wanted = std::min<int64_t>(int64_t(chunk.size()), offset - at);
    const int64_t got = read_fully(fd, chunk.data(), wanted, at);
    if (got <= 0) break;  // the line number of the problem may be too low
    newlines += std::count(chunk.begin(), chunk.begin() + got, '\n');
    at += got;
  }
  return newlines + 1;
}

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

PartTotals sum_parts(GlobalAddress<GraphPart> parts) {
  struct Summary {
    int64_t size;
    VertexID max_id;
    int64_t problem_offset;
    bool whole_file;
    RemoteText sentence;
  };
  PartTotals totals;
  for (Core c = 0; c < cores(); ++c) {
    const int64_t start = totals.size;
    const Summary part = delegate::call(c, [parts, start] {
      GraphPart& mine = *parts.operator->();
      mine.start = start;
      return Summary{mine.size, mine.max_id, mine.problem.offset, mine.problem.whole_file,
                     RemoteText(mine.problem.sentence)};
    });
    totals.size += part.size;
    totals.largest_size = std::max(totals.largest_size, part.size);
    totals.max_id = std::max(totals.max_id, part.max_id);
    if (part.problem_offset < 0) continue;
    if (totals.problem.found() && totals.problem.offset <= part.problem_offset) continue;
    totals.problem = FileProblem(part.problem_offset, part.sentence.fetch(), part.whole_file);
  }
  return totals;
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
