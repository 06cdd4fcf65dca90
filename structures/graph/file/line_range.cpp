#include "structures/graph/file/line_range.hpp"

#include "structures/graph/file/open_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

// A window of the file that slides forward. It keeps the start of a line that its end cuts.
class Window {
 public:
  Window(int fd, int64_t offset, size_t chunk_bytes)
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
  return problem_at(offset, "the line is longer than " + std::to_string(LineRange::kMaxLineBytes) +
                                " bytes; this is not a text file of edges");
}

FileProblem cut_short(int64_t offset) {
  return problem_at(offset, "the file ends here: it was truncated while it was read");
}

FileProblem read_problem(int64_t offset) {
  return problem_at(offset, std::string("cannot be read here: ") + std::strerror(errno));
}

}  // namespace

FileProblem LineRange::for_each(Body body, void* closure) {
  if (first_ >= last_) return FileProblem();
  // A line starts at first_ if the byte before it is a newline. Otherwise the range starts inside a
  // line, which belongs to an earlier range.
  const size_t chunk_bytes = std::min(chunk_bytes_, size_t(last_ - first_) + 1);
  Window window(fd_, std::max<int64_t>(first_ - 1, 0), chunk_bytes + kMaxLineBytes);
  bool inside_line = first_ > 0;
  const auto too_long_up_to = [this](int64_t offset) {
    return std::min(offset, last_) - first_ > int64_t{kMaxLineBytes};
  };
  while (window.offset() < last_) {
    const char* newline = find_newline(window.begin(), window.end());
    if (!newline && !window.at_end_of_file()) {
      const size_t unfinished = size_t(window.end() - window.begin());
      if (inside_line) {
        window.drop(unfinished);
        if (too_long_up_to(window.offset())) return too_long(first_);
      } else if (unfinished > kMaxLineBytes) {
        return too_long(window.offset());
      }
      if (!window.read_more()) return read_problem(window.offset());
      continue;
    }
    const char* line_end = newline ? newline : window.end();
    const int64_t end = window.offset() + int64_t(line_end - window.begin());
    if (inside_line && too_long_up_to(end)) return too_long(first_);
    if (!newline && end < last_) return cut_short(end);
    if (!inside_line && size_t(line_end - window.begin()) > kMaxLineBytes) {
      return too_long(window.offset());
    }
    std::string sentence;
    if (!inside_line && !body(closure, window.begin(), line_end, &sentence)) {
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
