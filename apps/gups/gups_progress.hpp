#pragma once

/// How far a run is, for who watches it.

#include <cstdint>
#include <string>

namespace gups {

class Progress {
 public:
  /// Of `all` pieces of work, from `now` on; in seconds like all times here.
  Progress(int64_t all, double now) : all_(all), start_(now), next_(now + kPeriod) {}

  /// `count` more are done. Returns a line to show; empty if there is nothing to say or the last
  /// line is less than a second ago.
  std::string done(int64_t count, double now);

 private:
  static constexpr double kPeriod = 1;

  int64_t all_;
  int64_t done_ = 0;
  double start_;
  double next_;  // line
};

}  // namespace gups
