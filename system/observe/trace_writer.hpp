#pragma once

/// Writes the events and metrics of all cores as a file in the "Trace Event Format", which the
/// viewers of Chrome and Perfetto read.
///
/// In the trace, each core is a process with one thread. The thread shows the runs of the workers,
/// the sent and executed buffers, and inside each buffer the messages by handler. Waits and commits
/// may overlap, so they are asynchronous events. An arrow connects the send of a buffer to its
/// execution, and the begin of a commit to its end. If the event at one end of an arrow has been
/// overwritten, the arrow is omitted. The events of a core are written in the order of time. Points
/// of metrics are counter events.

#include "system/observe/event_log.hpp"
#include "system/observe/trace.hpp"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace Grappa {
namespace detail {

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

/// For each other core, the sequence number of the oldest buffer in the events of one core. All
/// later buffers are in the events, too. no_buffer(): the events contain no buffer.
struct KeptBuffers {
  static constexpr uint32_t no_buffer() { return ~uint32_t{0}; }

  /// Reads the events of one core in a job of `cores` cores.
  KeptBuffers(const std::vector<Event>& events, size_t cores);

  std::vector<uint32_t> sent_to;
  std::vector<uint32_t> received_from;
};

/// The names for the numbers in events.
struct EventNames {
  std::unordered_map<uint64_t, std::string> runs;  // by address of the type signature
  std::vector<std::string> reasons;                // by reason of a wait
};

class TraceWriter {
 public:
  /// Writes the beginning of the file. `kept` is indexed by core. All arguments must outlive the
  /// writer.
  TraceWriter(std::ostream& out, const std::vector<KeptBuffers>& kept, const EventNames& names);

  /// Writes the end of the file.
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Writes the heading of a core and its events, which must be in the order of their ends. Also
  /// writes that `left_out` older events are missing: next to the heading, and at the end of the
  /// file under otherData.
  void write_events(Core core, const std::vector<Event>& events, uint64_t left_out,
                    const ClockLine& clock);

  /// Writes points. Their time origin is `origin_ns` nanoseconds after that of the trace.
  void write_points(Core core, const std::vector<Trace::Point>& points, int64_t origin_ns);

 private:
  struct Mark;

  std::vector<Mark> marks(Core core, const std::vector<Event>& events,
                          const ClockLine& clock) const;
  std::ostream& begin(char phase, Core core);
  std::ostream& begin(char phase, Core core, int64_t ns, const std::string& name,
                      const std::string& category);
  void write_slice(Core core, const Mark& mark);
  void write_point(Core core, const Mark& mark);
  bool has_arrow(Core from, Core to, uint32_t number) const;
  std::string name_of(uint64_t signature) const;
  std::string reason_of(uint8_t kind) const;

  std::ostream& out_;
  const std::vector<KeptBuffers>& kept_;
  const EventNames& names_;
  const std::vector<const Metric*> metrics_;
  bool first_ = true;
  std::map<Core, uint64_t> left_out_;
};

}  // namespace detail
}  // namespace Grappa
