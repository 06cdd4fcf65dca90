#pragma once

/// The values of this core's metrics over time.
///
/// A trace reads all metrics every few milliseconds and stores the changed values, so tracing adds
/// no overhead to counting. There is no timer: the owner of the trace must call sample_if_due()
/// often. If a core does not call it, the trace of the core has a gap.

#include "system/observe/metric.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Returns all metrics, oldest first: a new metric does not change the indices of earlier metrics.
/// The list is the same on every core, so an index identifies a metric.
std::vector<const Metric*> metrics_by_age();

class Trace {
 public:
  /// A new value of a metric. It is copied between cores as bytes.
  struct Point {
    uint64_t ns;  // time since construction of the trace
    double value;
    uint64_t metric;  // index in metrics_by_age()
  };

  /// Sets the time origin to now. Recording begins with start().
  explicit Trace(uint64_t interval_ns);

  /// Takes a first sample and starts recording. No effect while the trace is recording.
  void start();

  /// Takes a last sample and stops recording. No effect if the trace is not recording.
  void stop();

  bool recording() const { return due_ns_ != kNever; }

  void sample_if_due();

  const std::vector<Point>& points() const { return points_; }  // in the order of time
  uint64_t origin_ns() const { return origin_ns_; }             // steady_ns() at construction

 private:
  enum : uint64_t { kNever = ~uint64_t{0} };

  void sample(uint64_t now_ns);

  const uint64_t interval_ns_;
  const uint64_t origin_ns_;
  uint64_t due_ns_ = kNever;  // steady_ns() at which the next sample is due
  std::vector<const Metric*> metrics_;
  std::vector<double> last_;  // by metric
  std::vector<Point> points_;
};

}  // namespace detail
}  // namespace Grappa
