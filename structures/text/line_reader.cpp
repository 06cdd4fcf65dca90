#include "structures/text/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace Grappa::detail {
namespace {

const char* find_newline(const char* first, const char* last) {
  return static_cast<const char*>(std::memchr(first, '\n', size_t(last - first)));
}

// A part of a file that has been read. It always ends where the next read starts.
class LineWindow {
 public:
  LineWindow(int fd, int64_t at, size_t chunk, size_t bytes)
      : fd_(fd), chunk_(chunk), at_(at), buffer_(bytes) {}

  int64_t at() const { return at_; }  // the offset of first()
  int64_t size() const { return int64_t(end_ - begin_); }
  const char* first() const { return buffer_.data() + begin_; }
  const char* last() const { return buffer_.data() + end_; }
  bool at_end_of_file() const { return at_end_of_file_; }

  void drop(int64_t bytes) {
    begin_ += size_t(bytes);
    at_ += bytes;
  }

  // Reads at least a chunk after the bytes of the window. Returns false on an error.
  bool read_more() {
    std::copy(first(), last(), buffer_.data());
    end_ -= begin_;
    begin_ = 0;
    if (end_ + chunk_ > buffer_.size()) buffer_.resize(2 * buffer_.size());
    const int64_t space = int64_t(buffer_.size() - end_);
    const int64_t got = read_fully(fd_, buffer_.data() + end_, space, at_ + size());
    if (got < 0) return false;
    end_ += size_t(got);
    at_end_of_file_ = got < space;
    return true;
  }

 private:
  const int fd_;
  const size_t chunk_;
  int64_t at_;
  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0;
  bool at_end_of_file_ = false;
};

// Drops the line that begins before `first`, but reads no more if no other line begins before
// `last`. Sets `problem` if the line is too long or cannot be read. Unless the byte before `first`
// is a newline, the range starts inside a line.
void skip_line(int64_t first, int64_t last, int64_t max_line_bytes, LineWindow* window,
               FileProblem* problem) {
  for (;;) {
    const char* const newline = find_newline(window->first(), window->last());
    const int64_t length = (newline ? newline : window->last()) - window->first();
    if (std::min(window->at() + length, last) - first > max_line_bytes) {
      *problem = too_long_line(first, size_t(max_line_bytes));
    } else if (newline) {
      window->drop(length + 1);
    } else {
      window->drop(length);
      if (window->at() >= last) return;
      if (window->at_end_of_file()) {
        *problem = {window->at(), kFileEndsEarly};
      } else if (window->read_more()) {
        continue;
      } else {
        *problem = {window->at(), with_errno("cannot be read here")};
      }
    }
    return;
  }
}

// Returns the end of the whole lines in the window that begin before the offset `last`, or the
// start of the window if there are none. Sets `complete` if no other line begins before `last`.
const char* end_of_lines(const LineWindow& window, int64_t last, bool* complete) {
  const char* const first = window.first();
  const int64_t in_range = std::min(last - window.at(), window.size());
  const bool ends_here = last - window.at() <= window.size();
  if (ends_here) {  // the last line contains the byte before `last`
    const char* const newline = find_newline(first + in_range - 1, window.last());
    *complete = newline || window.at_end_of_file();
    if (*complete) return newline ? newline + 1 : window.last();
  }
  const auto* const newline = static_cast<const char*>(::memrchr(first, '\n', size_t(in_range)));
  return newline ? newline + 1 : first;
}

}  // namespace

FileProblem for_each_block(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                           size_t max_line_bytes, const BlockBody& body) {
  FileProblem problem;
  if (first >= last) return problem;
  const size_t chunk = std::min(chunk_bytes, size_t(last - first) + 1);
  LineWindow window(fd, std::max<int64_t>(first - 1, 0), chunk,
                    chunk + std::min(kMaxLineBytes, max_line_bytes));
  if (first > 0) skip_line(first, last, int64_t(max_line_bytes), &window, &problem);
  while (!problem.found() && window.at() < last) {
    bool complete = false;
    const char* const end =
        window.size() == 0 ? window.first() : end_of_lines(window, last, &complete);
    if (end != window.first()) problem = body(window.first(), end, window.at());
    window.drop(end - window.first());
    if (problem.found() || complete) break;
    if (window.size() > int64_t(max_line_bytes)) return too_long_line(window.at(), max_line_bytes);
    if (window.at_end_of_file()) return {window.at() + window.size(), kFileEndsEarly};
    if (!window.read_more()) return {window.at(), with_errno("cannot be read here")};
  }
  return problem;
}

FileProblem for_each_line(int fd, int64_t first, int64_t last, size_t chunk_bytes,
                          const LineBody& body, size_t max_line_bytes) {
  const auto take = [&](const char* begin, const char* end, int64_t offset) {
    return for_each_line_of(begin, end, offset, body, max_line_bytes);
  };
  return for_each_block(fd, first, last, chunk_bytes, max_line_bytes, take);
}

FileProblem for_each_line_of(const char* first, const char* last, int64_t offset,
                             const LineBody& body, size_t max_line_bytes) {
  for (const char *at = first, *end; at != last; at = end == last ? end : end + 1) {
    const char* const newline = find_newline(at, last);
    end = newline ? newline : last;
    const int64_t line_offset = offset + (at - first);
    std::string sentence;
    if (size_t(end - at) > max_line_bytes) return too_long_line(line_offset, max_line_bytes);
    if (!body(at, end, &sentence)) return {line_offset, sentence};
  }
  return FileProblem();
}

FileProblem for_each_line_of(const std::string& text, int64_t offset, const LineBody& body,
                             size_t max_line_bytes) {
  const char* const first = text.data();
  return for_each_line_of(first, first + text.size(), offset, body, max_line_bytes);
}

FileProblem too_long_line(int64_t offset, size_t max_line_bytes) {
  return {offset, "the line is longer than " + std::to_string(max_line_bytes) +
                      " bytes; this is not a text file"};
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

}  // namespace Grappa::detail
