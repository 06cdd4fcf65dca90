#pragma once

/// The output of the cores: the stdout and stderr of each core are pipes. The launcher copies whole
/// lines from these pipes to its own stdout and stderr.
///
/// A line of at most kLongestLine bytes is never split by output of another core. A longer line is
/// copied in pieces. If the reader is slow, the pipes fill up and the cores block: memory is
/// bounded, and no output is lost. The launcher itself never blocks here, except on a terminal that
/// accepts fewer bytes than poll() promised.

#include <cstddef>
#include <string>

namespace launcher {

constexpr size_t kLongestLine = size_t{1} << 20;

class Output {
 public:
  explicit Output(int fd);

  bool is_terminal() const { return terminal_; }
  bool is_empty() const { return begin_ == text_.size(); }
  bool is_full() const { return text_.size() - begin_ >= kFull; }
  bool has_failed() const { return error_ != 0; }
  int error() const { return error_; }
  int fd() const { return fd_; }

  void add(const char* text, size_t bytes);
  /// Appends the last output of a core, which has no line end. The next text starts a new line.
  void add_last(const std::string& text);

  /// Writes a part of the text. Requires that poll() reports the descriptor as writable.
  void write_some();

 private:
  static constexpr size_t kFull = 64 * 1024;

  const int fd_;
  const bool terminal_;
  const size_t most_;  // bytes that write() accepts without blocking
  std::string text_;   // pending output, starting at begin_
  size_t begin_ = 0;
  bool line_is_open_ = false;
  int error_ = 0;  // errno of a failed write; later text is dropped
};

/// The pipe for the stdout or stderr of a core.
class Stream {
 public:
  Stream(int pipe, Output* output) : pipe_(pipe), output_(output) {}

  bool is_open() const { return pipe_ >= 0; }
  bool is_due() const { return is_open() && !output_->is_full(); }
  int pipe() const { return pipe_; }

  /// Reads once. Requires that poll() reports data or end of file.
  void read_some();

  /// Returns true if an incomplete line should be shown on a terminal.
  bool shows_part() const { return output_->is_terminal() && !line_.empty(); }
  void show_part();

  /// Reads the rest of the pipe and closes it, even if a process still holds the other end. If the
  /// output is full, returns false; the caller must then call `finish` again.
  bool finish();

 private:
  ssize_t read_once();
  void end();

  int pipe_;
  Output* output_;
  std::string line_;  // the incomplete last line
};

}  // namespace launcher
