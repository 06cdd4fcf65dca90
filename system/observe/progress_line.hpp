#pragma once

/// What a terminal is shown of a long step: how much is done, how fast, and how long it will take.
///
///     building: 43%  12.3 M edges/s  4 s left
///
/// A function of what it is told and of the time it is given. The line is written over the one
/// before, at most kLinesPerSecond, and never for steps that take less than kSilentSeconds.

#include <cstdint>
#include <string>

namespace Grappa {
namespace detail {

class ProgressLine {
 public:
  static constexpr double kSilentSeconds = 1;
  static constexpr double kLinesPerSecond = 5;

  /// A step called `step` of `all` pieces of work, each a `unit` ("edges"), from `now` on; in
  /// seconds like all times here.
  ProgressLine(const std::string& step, double all, const std::string& unit, double now);

  /// `done` pieces of all are done. Returns what is to be written, or "" if it is too early.
  std::string update(double done, double now);

  /// What wipes the line out, or "" if there is none.
  std::string wipe();

 private:
  std::string text(double done, double now) const;

  std::string step_;
  std::string unit_;
  double all_;
  double start_;
  double next_;  // line
  bool shown_ = false;
};

/// "12.3 M", "950", "7.0 k".
std::string short_number(double number);

/// "4 s", "12 min", "3 h", rounded up.
std::string short_duration(double seconds);

}  // namespace detail
}  // namespace Grappa
