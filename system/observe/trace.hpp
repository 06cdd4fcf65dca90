#pragma once

/// The values of this core's metrics over time.
///
/// Counters already say what happens; a trace reads all of them every few milliseconds and keeps
/// what has changed, so the code that counts pays nothing for it. Nothing here has a timer: whoever
/// owns the trace calls sample_if_due() often, and a core that does not come to that has a gap. All
/// cores' points are written as counter events of the format that Chrome's and Perfetto's viewers
/// read ("Trace Event Format").

#include "system/observe/metric.hpp"

#include <cstdint>
#include <ostream>
#include <vector>

namespace Grappa {

class Trace {
 public:
  /// A metric had a new value. Travels as bytes.
  struct Point {
    uint64_t ns;  // since the trace was made
    double value;
    uint64_t metric;  // its place in metrics()
  };

  /// Time begins now. Records nothing before start().
  explicit Trace(uint64_t interval_ns);

  /// Begins to record, with a first sample; without effect while it does so already.
  void start();

  /// Takes a last sample and ends recording, if it does record.
  void stop();

  bool recording() const { return due_ns_ != kNever; }

  /// Takes a sample if the last one is an interval old.
  void sample_if_due();

  /// In the order of time.
  const std::vector<Point>& points() const { return points_; }

 private:
  enum : uint64_t { kNever = ~uint64_t{0} };

  void sample(uint64_t now_ns);

  const uint64_t interval_ns_;
  const uint64_t origin_ns_;
  uint64_t due_ns_ = kNever;  // when the next sample is to be taken, by the clock
  std::vector<const Metric*> metrics_;
  std::vector<double> last_;  // by metric
  std::vector<Point> points_;
};

/// Writes a file of counter events: the constructor its beginning, the destructor its end.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Gives core `core` a heading; before its points.
  void name_core(int core);

  void write(int core, const Trace::Point* points, size_t n);

 private:
  std::ostream& next_event();

  std::ostream& out_;
  bool first_ = true;
  std::vector<const Metric*> metrics_;
};

}  // namespace Grappa
