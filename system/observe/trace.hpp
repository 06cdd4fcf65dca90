#pragma once

/// The values of this core's metrics over time, and the writer of trace files.
///
/// A trace reads all metrics every few milliseconds and stores the changed values, so tracing adds
/// no overhead to counting. There is no timer: the owner of the trace must call sample_if_due()
/// often. If a core does not call it, the trace of the core has a gap. The points of all cores are
/// written as counter events in the "Trace Event Format", which the viewers of Chrome and Perfetto
/// read.

#include "system/observe/metric.hpp"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

class Trace {
 public:
  /// A new value of a metric. It is copied between cores as bytes.
  struct Point {
    uint64_t ns;  // time since construction of the trace
    double value;
    uint64_t metric;  // index in metrics()
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

/// Writes a trace file. The constructor writes the begin of the file, the destructor its end.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Writes the heading of a core. Call it before writing points and events of the core.
  void name_core(int core);

  /// Writes the name of a thread of a core, which shows events.
  void name_thread(int core, int thread, const char* name);

  /// Writes that `events` events of this core are missing in the file: next to the heading of the
  /// core, and at the end of the file under otherData.
  void left_out(int core, uint64_t events);

  /// Writes points. The time origin of the points is `origin_ns` nanoseconds after that of the
  /// trace.
  void write(int core, const Trace::Point* points, size_t n, int64_t origin_ns = 0);

  /// Returns the stream to which the caller writes exactly one event.
  std::ostream& next_event();

  static std::string quoted(const std::string& text);

 private:
  std::ostream& out_;
  bool first_ = true;
  std::vector<const Metric*> metrics_;
  std::map<int, uint64_t> left_out_;  // by core
};

}  // namespace detail
}  // namespace Grappa
