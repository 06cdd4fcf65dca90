#include "structures/graph/file/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

// A window of the file that slides forward. It keeps the start of a line that its end cuts.
class FileWindow {
 public:
  FileWindow(int fd, int64_t offset, size_t chunk_bytes)
      : fd_(fd), offset_(offset), bytes_(chunk_bytes) {}

  int64_t offset() const { return offset_; }  // file offset of begin()
  const char* begin() const { return bytes_.data() + used_; }
  const char* end() const { return bytes_.data() + filled_; }
  bool at_end_of_file() const { return at_end_; }

  void drop(size_t bytes) {
    used_ += bytes;
    offset_ += int64_t(bytes);
  }

  // Appends up to a chunk. On failure, returns false and sets errno.
  bool read_more() {
    std::memmove(bytes_.data(), bytes_.data() + used_, filled_ - used_);
    filled_ -= used_;
    used_ = 0;
    const size_t chunk = bytes_.size() - filled_;
    const int64_t got =
        read_fully(fd_, bytes_.data() + filled_, int64_t(chunk), offset_ + int64_t(filled_));
    if (got < 0) return false;
    filled_ += size_t(got);
    at_end_ = size_t(got) < chunk;
    return true;
  }

 private:
  int fd_;
  int64_t offset_;
  std::vector<char> bytes_;
  size_t used_ = 0;
  size_t filled_ = 0;
  bool at_end_ = false;
};

const char* find_newline(const char* first, const char* last) {
  return static_cast<const char*>(std::memchr(first, '\n', size_t(last - first)));
}

FileProblem too_long(int64_t offset) {
  return problem_at(offset, "the line is longer than " + std::to_string(kMaxLineBytes) +
                                " bytes; this is not a text file of edges");
}

FileProblem cut_short(int64_t offset) {
  return problem_at(offset, "the file ends here: it was truncated while it was read");
}

}  // namespace

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
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    return with_errno("cannot be opened");
  }
  if (S_ISDIR(status.st_mode)) return "is a directory, not a graph";
  if (!S_ISREG(status.st_mode)) return "is not a regular file, so the cores cannot share it";
  if (status.st_size == 0) return "is empty";
  return "";
}

std::string with_errno(const std::string& what) { return what + ": " + std::strerror(errno); }

FileProblem problem_at(int64_t offset, const std::string& sentence) {
  FileProblem problem;
  problem.offset = offset;
  problem.sentence = sentence;
  return problem;
}

FileProblem problem_of_file(int64_t offset, const std::string& sentence) {
  FileProblem problem = problem_at(offset, sentence);
  problem.whole_file = true;
  return problem;
}

FileProblem for_each_line(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                          const LineBody& body) {
  if (first >= last) return FileProblem();
  // A line starts at first if the byte before it is a newline. Otherwise the range starts inside a
  // line, which belongs to an earlier range.
  chunk_bytes = std::min(chunk_bytes, size_t(last - first) + 1);
  FileWindow window(fd, std::max<int64_t>(first - 1, 0), chunk_bytes + kMaxLineBytes);
  bool inside_line = first > 0;
  const auto too_long_up_to = [first, last](int64_t offset) {
    return std::min(offset, last) - first > int64_t{kMaxLineBytes};
  };
  while (window.offset() < last) {
    const char* newline = find_newline(window.begin(), window.end());
    if (!newline && !window.at_end_of_file()) {
      const size_t unfinished = size_t(window.end() - window.begin());
      if (inside_line) {
        window.drop(unfinished);
        if (too_long_up_to(window.offset())) return too_long(first);
      } else if (unfinished > kMaxLineBytes) {
        return too_long(window.offset());
      }
      if (!window.read_more()) {
        return problem_at(window.offset(), with_errno("cannot be read here"));
      }
      continue;
    }
    const char* line_end = newline ? newline : window.end();
    const int64_t end = window.offset() + int64_t(line_end - window.begin());
    if (inside_line && too_long_up_to(end)) return too_long(first);
    if (!newline && end < last) return cut_short(end);
    if (!inside_line && size_t(line_end - window.begin()) > kMaxLineBytes) {
      return too_long(window.offset());
    }
    std::string sentence;
    if (!inside_line && !body(window.begin(), line_end, &sentence)) {
      return problem_at(window.offset(), sentence);
    }
    inside_line = false;
    window.drop(size_t(line_end - window.begin()) + (newline ? 1 : 0));
  }
  return FileProblem();
}

int64_t line_number_at(int fd, int64_t offset) {
  std::vector<char> chunk(1 * MiB);
  int64_t newlines = 0;
  for (int64_t at = 0; at < offset;) {
    const int64_t wanted = std::min<int64_t>(int64_t(chunk.size()), offset - at);
    const int64_t got = read_fully(fd, chunk.data(), wanted, at);
    if (got <= 0) break;  // the error is still reported, but the line number may be too low
    newlines += std::count(chunk.begin(), chunk.begin() + got, '\n');
    at += got;
  }
  return newlines + 1;
}

}  // namespace detail
}  // namespace Grappa
