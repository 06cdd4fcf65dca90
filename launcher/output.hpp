#pragma once

/// What the cores print: each core's stdout and stderr is a pipe, and whole lines go on to the
/// stdout and stderr of the launcher.
///
/// Lines of at most kLongestLine bytes are never broken by those of another core; longer ones go on
/// in pieces. While the reader is slow the pipes fill up and the cores wait, so memory is bounded
/// and nothing is lost. Nothing here blocks, but for a terminal that accepts less than it has
/// announced.

#include <cstddef>
#include <string>

namespace launcher {

constexpr size_t kLongestLine = size_t{1} << 20;

/// One of the launcher's own stdout and stderr.
class Output {
 public:
  explicit Output(int fd);

  bool is_terminal() const { return terminal_; }
  bool is_empty() const { return begin_ == text_.size(); }
  bool is_full() const { return text_.size() - begin_ >= kFull; }
  bool has_failed() const { return error_ != 0; }
  int error() const { return error_; }
  int fd() const { return fd_; }

  /// Appends whole lines, or a piece of one.
  void add(const char* text, size_t bytes);
  /// Appends the last output of a core, which lacks a line end: the next text begins a new line.
  void add_last(const std::string& text);

  /// Writes some of it. From: when poll() says that the descriptor accepts some.
  void write_some();

 private:
  static constexpr size_t kFull = 64 * 1024;

  const int fd_;
  const bool terminal_;
  const size_t most_;  // bytes that a write takes without blocking
  std::string text_;   // from begin_ on to be written
  size_t begin_ = 0;
  bool line_is_open_ = false;
  int error_ = 0;  // of a write; from then on everything is dropped
};

/// One pipe of a core.
class Stream {
 public:
  Stream(int pipe, Output* output) : pipe_(pipe), output_(output) {}

  bool is_open() const { return pipe_ >= 0; }
  bool is_due() const { return is_open() && !output_->is_full(); }
  int pipe() const { return pipe_; }

  /// Reads once. From: when poll() says that there is something, or the end.
  void read_some();

  /// True if a person waits for the rest of a line.
  bool shows_part() const { return output_->is_terminal() && !line_.empty(); }
  void show_part();

  /// Reads the rest of the pipe and closes it, even if a process still holds the other end. Returns
  /// false if the output is full: call it again.
  bool finish();

 private:
  ssize_t read_once();
  void end();

  int pipe_;
  Output* output_;
  std::string line_;  // without its end
};

}  // namespace launcher
