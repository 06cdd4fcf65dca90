#pragma once

/// The values of this core's metrics over time, and the writer of the file of --trace. The file has
/// the events and metrics of all cores in the "Trace Event Format" of Chrome and Perfetto
/// (docs/tracing.md).
///
/// In the file, each core is a process with one thread. Waits and commits may overlap, so they are
/// asynchronous events. If one of the two ends of an arrow was overwritten, there is no arrow. The
/// events of a core are written in the order of time. Points of metrics are counter events.

#include "system/observe/counters.hpp"
#include "system/observe/event_log.hpp"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace Grappa { namespace detail {

/// Reads all metrics every few milliseconds and stores the changed values. There is no timer: while
/// the owner does not call sample_if_due(), the trace has a gap.
class Trace {
 public:
  struct Point {  // copied between cores as bytes
    uint64_t ns;  // time since construction of the trace
    double value;
    uint64_t metric;  // index in metrics_by_age()
  };

  explicit Trace(uint64_t interval_ns);  // the time origin is the time of the call

  /// Take the first and the last sample. While the trace is recording, start() has no
  /// effect; otherwise, stop() has no effect.
  void start();
  void stop();
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

/// Converts ticks of a core to nanoseconds of the trace.
struct ClockLine {
  uint64_t ticks;
  double ns;  // time in the trace at `ticks`
  double ns_per_tick;

  int64_t at(uint64_t then) const {
    return static_cast<int64_t>(ns + static_cast<double>(static_cast<int64_t>(then - ticks)) *
                                         ns_per_tick);
  }
};

/// For each other core, the sequence number of the oldest buffer that the events of one core
/// contain, or the largest number if the events contain no buffer.
struct KeptBuffers {
  std::vector<uint32_t> sent_to;
  std::vector<uint32_t> received_from;
};
KeptBuffers kept_buffers(const std::vector<Event>& events, size_t cores);

struct EventNames {
  std::unordered_map<uint64_t, std::string> runs;  // by address of the type signature
  std::vector<std::string> reasons;                // by reason of a wait
};

class TraceWriter {
 public:
  /// `kept` is indexed by core. All arguments must outlive the writer.
  TraceWriter(std::ostream& out, const std::vector<KeptBuffers>& kept, const EventNames& names);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Writes the heading of a core and its events, which must be in the order of their ends.
  /// `left_out` is the number of older events that were overwritten.
  void write_events(Core core, const std::vector<Event>& events, uint64_t left_out,
                    const ClockLine& clock);

  /// The time origin of the points is `origin_ns` nanoseconds after that of the trace.
  void write_points(Core core, const std::vector<Trace::Point>& points, int64_t origin_ns);

 private:
  void write(const std::string& event);

  std::ostream& out_;
  const std::vector<KeptBuffers>& kept_;
  const EventNames& names_;
  const std::vector<const Metric*> metrics_;
  bool first_ = true;
  std::map<Core, uint64_t> left_out_;
};

}}  // namespace Grappa::detail
