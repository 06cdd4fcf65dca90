#pragma once

/// Texts for users.

#include <string>

namespace Grappa { namespace detail {

std::string readable_count(double count);      // 14.2 M; 950; 7.0 k
std::string readable_mean(double mean);        // 14.2 M; 2.5 (below 10, with a decimal)
std::string readable_bytes(double bytes);      // 2.1 GB, where 1 GB is 1,000,000,000 bytes
std::string readable_rate(double per_second);  // 14.2 M/s
std::string readable_seconds(double seconds);  // 3.21 s; 12.3 ms; 4.5 min; 3.0 h
std::string readable_wait(double seconds);     // 4 s; 12 min; 3 h; rounded up
std::string readable_percent(double percent);  // 83%; <1% for a small percentage above 0

/// The progress line of a long step on a terminal: the completed part, the rate, and the time left.
///
///     building: 43%  12.3 M edges/s  4 s left
///
/// Callers write the returned text to the terminal. Each line overwrites the previous line.
class ProgressLine {
 public:
  static constexpr double kSilentSeconds = 1;  // shorter steps have no line
  static constexpr double kLinesPerSecond = 5;

  /// A step with `all` units of work, each named `unit` (for example "edges"), which starts at time
  /// `now`. All times are in seconds.
  ProgressLine(const std::string& step, double all, const std::string& unit, double now);

  /// Reports that `done` units are completed. Returns the text to write, or "" if no line is due.
  std::string update(double done, double now);

  std::string wipe();  // returns the text that erases the line; "" if no line is shown

 private:
  std::string text(double done, double now) const;

  std::string step_;
  std::string unit_;
  double all_;
  double start_;
  double next_;  // time when the next line is due
  bool shown_ = false;
};

}}  // namespace Grappa::detail
