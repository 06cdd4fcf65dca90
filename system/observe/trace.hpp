#pragma once

/// The values of this core's metrics over time, and the file that shows them.
///
/// Counters already say what happens; a trace reads all of them every few milliseconds and keeps
/// what has changed, so the code that counts pays nothing for it. Nothing here has a timer: whoever
/// owns the trace calls sample_if_due() often, and a core that does not come to that has a gap. All
/// cores' points are written as counter events of the format that Chrome's and Perfetto's viewers
/// read ("Trace Event Format").

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

  /// When it was made, by steady_ns().
  uint64_t origin_ns() const { return origin_ns_; }

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

/// Writes a file of events: the constructor its beginning, the destructor its end.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Gives core `core` a heading; before its points and events.
  void name_core(int core);

  /// Gives one to a line of it, which is of events.
  void name_thread(int core, int thread, const char* name);

  /// Says so many events of this core are not in the file: beside its heading, and at the end under
  /// otherData.
  void left_out(int core, uint64_t events);

  /// Points whose time began `origin_ns` nanoseconds after that of the picture.
  void write(int core, const Trace::Point* points, size_t n, int64_t origin_ns = 0);

  /// Here the caller writes one event.
  std::ostream& next_event();

  /// A text as it may stand in JSON.
  static std::string quoted(const std::string& text);

 private:
  std::ostream& out_;
  bool first_ = true;
  std::vector<const Metric*> metrics_;
  std::map<int, uint64_t> left_out_;  // by core
};

}  // namespace detail
}  // namespace Grappa
