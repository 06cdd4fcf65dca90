#include "launcher/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace launcher {
namespace {

constexpr size_t kReadBytes = 64 * 1024;

/// A pipe that poll() reports as writable accepts PIPE_BUF bytes without blocking.
size_t most_bytes(int fd) {
  struct stat file;
  return ::fstat(fd, &file) == 0 && S_ISREG(file.st_mode) ? kReadBytes : PIPE_BUF;
}

}  // namespace

Output::Output(int fd) : fd_(fd), terminal_(::isatty(fd) == 1), most_(most_bytes(fd)) {}

void Output::add(const char* text, size_t bytes) {
  if (has_failed() || bytes == 0) return;
  if (line_is_open_) text_ += '\n';
  line_is_open_ = false;
  text_.append(text, bytes);
}

void Output::add_last(const std::string& text) {
  add(text.data(), text.size());
  if (!text.empty()) line_is_open_ = true;
}

void Output::write_some() {
  if (is_empty()) return;
  const ssize_t written =
      ::write(fd_, text_.data() + begin_, std::min(text_.size() - begin_, most_));
  if (written < 0) {
    if (errno == EINTR || errno == EAGAIN) return;
    error_ = errno;
    begin_ = text_.size();
  } else {
    begin_ += static_cast<size_t>(written);
  }
  if (begin_ == text_.size()) {
    text_.clear();
    begin_ = 0;
  }
}

ssize_t Stream::read_once() {
  static char bytes[kReadBytes];
  const ssize_t got = ::read(pipe_, bytes, sizeof bytes);
  if (got <= 0) return got;
  const char* const last_end =
      static_cast<const char*>(::memrchr(bytes, '\n', static_cast<size_t>(got)));
  const size_t whole = last_end == nullptr ? 0 : static_cast<size_t>(last_end - bytes) + 1;
  if (whole > 0) {
    line_.append(bytes, whole);
    output_->add(line_.data(), line_.size());
    line_.clear();
  }
  line_.append(bytes + whole, static_cast<size_t>(got) - whole);
  if (line_.size() > kLongestLine) show_part();
  return got;
}

void Stream::read_some() {
  const ssize_t got = read_once();
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) end();
}

void Stream::show_part() {
  output_->add(line_.data(), line_.size());
  line_.clear();
}

bool Stream::finish() {
  while (is_due()) {
    pollfd input = {pipe_, POLLIN, 0};
    if (::poll(&input, 1, 0) != 1) {
      end();
    } else {
      read_some();
    }
  }
  return !is_open();
}

void Stream::end() {
  ::close(pipe_);
  pipe_ = -1;
  output_->add_last(line_);
  line_.clear();
}

}  // namespace launcher
