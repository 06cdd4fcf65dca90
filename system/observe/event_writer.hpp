#pragma once

/// The events of cores as a file for the viewers of Chrome and Perfetto.
///
/// Each core is a process of the picture with one thread, on which lie the runs of its workers, the
/// buffers that it sent and executed, and within those the messages by handler. Waits and commits,
/// of which several are under way at a time, are asynchronous events. An arrow leads from where a
/// buffer was sent to where it was executed, and from the beginning of a commit to its end; one of
/// which an end is no longer kept is left out. Events of a core are written in the order of time.

#include "system/observe/event_log.hpp"
#include "system/observe/trace.hpp"

#include <cstdint>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

namespace Grappa {
namespace detail {

/// What makes nanoseconds of the picture from the ticks of a core.
struct ClockLine {
  uint64_t ticks;
  double ns;  // in the picture, at `ticks`
  double ns_per_tick;

  int64_t at(uint64_t then) const {
    return static_cast<int64_t>(ns + static_cast<double>(static_cast<int64_t>(then - ticks)) *
                                         ns_per_tick);
  }
};

/// Which numbers the oldest buffers have that a core's events tell of, by the other core; later
/// ones are kept all. kNoBuffer: none is.
struct KeptBuffers {
  static constexpr uint32_t no_buffer() { return ~uint32_t{0}; }

  /// Of `cores` cores, by one core's events.
  KeptBuffers(const std::vector<Event>& events, size_t cores);

  std::vector<uint32_t> sent_to;
  std::vector<uint32_t> received_from;
};

/// What the numbers in events mean, as words.
struct EventNames {
  std::unordered_map<uint64_t, std::string> runs;  // by the signature's address
  std::vector<std::string> reasons;                // by kind
};

class EventWriter {
 public:
  /// `kept`: by core.
  EventWriter(TraceWriter* out, const std::vector<KeptBuffers>& kept) : out_(*out), kept_(kept) {}

  /// Writes the events of one core, in the order in which they ended, and that `left_out` older
  /// ones are missing.
  void write(Core core, const std::vector<Event>& events, uint64_t left_out, const ClockLine& clock,
             const EventNames& names);

 private:
  struct Mark;

  std::vector<Mark> marks(Core core, const std::vector<Event>& events,
                          const ClockLine& clock) const;
  std::ostream& begin(Core core, char phase, int64_t ns, const std::string& name,
                      const char* category);
  void write_slice(Core core, const Mark& mark, const EventNames& names);
  void write_point(Core core, const Mark& mark, const EventNames& names);
  bool has_arrow(Core from, Core to, uint32_t number) const;

  TraceWriter& out_;
  const std::vector<KeptBuffers>& kept_;
};

}  // namespace detail
}  // namespace Grappa
