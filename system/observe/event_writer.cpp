#include "system/observe/event_writer.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace Grappa {
namespace detail {
namespace {

/// Returns the thread number of a core. Viewers interpret thread 0 as the idle thread of a machine.
int thread_of(Core core) { return core + 1; }

/// Formats nanoseconds as microseconds, the unit of the file format, without loss.
std::string microseconds(int64_t ns) {
  char text[32];
  const int64_t size = ns < 0 ? -ns : ns;
  std::snprintf(text, sizeof text, "%s%" PRId64 ".%03d", ns < 0 ? "-" : "", size / 1000,
                static_cast<int>(size % 1000));
  return text;
}

std::string id(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, number);
  return text;
}

/// The id of an arrow or an asynchronous event: two cores and a sequence number. `second` may be
/// kNoCore.
constexpr uint64_t kNoCore = 0xffff;
uint64_t id_between(Core first, uint64_t second, uint64_t number) {
  return static_cast<uint64_t>(first) << 48 | second << 32 | (number & 0xffffffff);
}

std::string name_of(uint64_t signature, const EventNames& names) {
  const auto found = names.runs.find(signature);
  return found == names.runs.end() ? "between tasks" : found->second;
}

std::string reason_of(uint8_t kind, const EventNames& names) {
  return kind < names.reasons.size() ? names.reasons[kind] : "something";
}

}  // namespace

/// One event in the file.
struct EventWriter::Mark {
  enum class Phase { Slice, AsyncBegin, AsyncEnd, ArrowBegin, ArrowEnd };

  int64_t ns;
  int64_t length_ns;  // of a slice
  Phase phase;
  const Event* event;
  uint64_t id;

  /// A slice precedes the slices inside it, which ended earlier. A slice precedes an arrow with the
  /// same time, because an arrow binds to the latest slice.
  bool operator<(const Mark& other) const {
    if (ns != other.ns) return ns < other.ns;
    const bool slice = phase == Phase::Slice, other_slice = other.phase == Phase::Slice;
    if (slice != other_slice) return slice;
    if (!slice) return false;
    return length_ns != other.length_ns ? length_ns > other.length_ns : event > other.event;
  }
};

KeptBuffers::KeptBuffers(const std::vector<Event>& events, size_t cores)
    : sent_to(cores, no_buffer()), received_from(cores, no_buffer()) {
  for (const Event& event : events) {
    const size_t peer = static_cast<size_t>(event.peer);
    if (event.kind == Event::Kind::Send) {
      sent_to[peer] = std::min(sent_to[peer], event.number);
    } else if (event.kind == Event::Kind::Buffer) {
      received_from[peer] = std::min(received_from[peer], event.number);
    }
  }
}

bool EventWriter::has_arrow(Core from, Core to, uint32_t number) const {
  if (number == EventLog::rest_of_buffer()) return false;
  const size_t sender = static_cast<size_t>(from), receiver = static_cast<size_t>(to);
  return number >= kept_[sender].sent_to[receiver] &&
         number >= kept_[receiver].received_from[sender];
}

std::vector<EventWriter::Mark> EventWriter::marks(Core core, const std::vector<Event>& events,
                                                  const ClockLine& clock) const {
  typedef Mark::Phase Phase;
  std::vector<Mark> all;
  all.reserve(events.size() * 2);
  uint64_t index = 0;
  for (const Event& event : events) {
    const int64_t begin = clock.at(event.begin_ticks), end = clock.at(event.end_ticks);
    const auto add = [&](Phase phase, int64_t ns, uint64_t id) {
      all.push_back(Mark{ns, end - begin, phase, &event, id});
    };
    const uint64_t own = id_between(core, kNoCore, ++index);
    switch (event.kind) {
      case Event::Kind::Commit:
        // If the slice in which the commit began has been overwritten, omit the arrow.
        if (event.begin_ticks >= events.front().end_ticks) {
          add(Phase::ArrowBegin, begin, own);
          add(Phase::ArrowEnd, end, own);
        }
        add(Phase::AsyncBegin, begin, own);
        add(Phase::AsyncEnd, end, own);
        break;
      case Event::Kind::Wait:
        add(Phase::AsyncBegin, begin, own);
        add(Phase::AsyncEnd, end, own);
        break;
      case Event::Kind::Send:
        add(Phase::Slice, begin, 0);
        if (!has_arrow(core, event.peer, event.number)) break;
        add(Phase::ArrowBegin, begin,
            id_between(core, static_cast<uint64_t>(event.peer), event.number));
        break;
      case Event::Kind::Buffer:
        add(Phase::Slice, begin, 0);
        if (!has_arrow(event.peer, core, event.number)) break;
        add(Phase::ArrowEnd, begin,
            id_between(event.peer, static_cast<uint64_t>(core), event.number));
        break;
      default: add(Phase::Slice, begin, 0);
    }
  }
  std::stable_sort(all.begin(), all.end());
  return all;
}

std::ostream& EventWriter::begin(Core core, char phase, int64_t ns, const std::string& name,
                                 const char* category) {
  return out_.next_event() << "{\"ph\":\"" << phase << "\",\"pid\":" << core
                           << ",\"tid\":" << thread_of(core) << ",\"ts\":" << microseconds(ns)
                           << ",\"name\":" << TraceWriter::quoted(name) << ",\"cat\":\"" << category
                           << '"';
}

void EventWriter::write_slice(Core core, const Mark& mark, const EventNames& names) {
  const Event& event = *mark.event;
  std::string name, arguments;
  const char* category = "work";
  const std::string number = std::to_string(event.number), count = std::to_string(event.count);
  switch (event.kind) {
    case Event::Kind::Run:
      name = name_of(event.what, names);
      arguments = "\"worker\":" + number;
      if (event.reason != 0) {
        arguments += ",\"then waits for\":" + TraceWriter::quoted(reason_of(event.reason, names));
      }
      break;
    case Event::Kind::Runs:
      name = "several runs";
      arguments = "\"runs\":" + count;
      break;
    case Event::Kind::Idle: name = category = "idle"; break;
    case Event::Kind::Send:
      category = "buffer";
      name = "send to " + std::to_string(event.peer);
      arguments = "\"bytes\":" + count;
      break;
    case Event::Kind::Buffer:
      category = "buffer";
      name = "buffer from " + std::to_string(event.peer);
      arguments = "\"bytes\":" + count + ",\"messages\":" + std::to_string(event.what);
      break;
    default:
      category = "handler";
      name = name_of(event.what, names);
      arguments = "\"messages\":" + count;
  }
  begin(core, 'X', mark.ns, name, category)
      << ",\"dur\":" << microseconds(mark.length_ns) << ",\"args\":{" << arguments << "}}";
}

/// Writes one end of an arrow or of an asynchronous event.
void EventWriter::write_point(Core core, const Mark& mark, const EventNames& names) {
  const Event& event = *mark.event;
  std::string name = "buffer", category = "buffer", arguments;
  if (event.kind == Event::Kind::Commit) {
    name = category = "commit";
    arguments = "\"requests\":" + std::to_string(event.count);
  } else if (event.kind == Event::Kind::Wait) {
    category = "wait";
    name = "wait for " + reason_of(event.reason, names);
    arguments = "\"worker\":" + std::to_string(event.number) + ",\"detail\":\"" + id(event.what) +
                "\",\"others since the last\":" + std::to_string(event.count);
  }
  const auto write = [&](char phase) -> std::ostream& {
    return begin(core, phase, mark.ns, name, category.c_str())
           << ",\"id\":\"" << id(mark.id) << '"';
  };
  switch (mark.phase) {
    case Mark::Phase::AsyncBegin: write('b') << ",\"args\":{" << arguments << "}}"; break;
    case Mark::Phase::AsyncEnd: write('e') << '}'; break;
    case Mark::Phase::ArrowBegin: write('s') << '}'; break;
    default: write('f') << ",\"bp\":\"e\"}"; break;
  }
}

void EventWriter::write(Core core, const std::vector<Event>& events, uint64_t left_out,
                        const ClockLine& clock, const EventNames& names) {
  out_.name_thread(core, thread_of(core), "workers");
  out_.left_out(core, left_out);
  for (const Mark& mark : marks(core, events, clock)) {
    if (mark.phase == Mark::Phase::Slice) {
      write_slice(core, mark, names);
    } else {
      write_point(core, mark, names);
    }
  }
}

}  // namespace detail
}  // namespace Grappa
