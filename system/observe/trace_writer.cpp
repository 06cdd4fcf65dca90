#include "system/observe/trace_writer.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <locale>

#include <nlohmann/json.hpp>

namespace Grappa::detail {
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

/// Formats a number for JSON, independent of the locale of the program.
std::string text(double number) { return nlohmann::json(number).dump(); }

std::string quoted(const std::string& text) {
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;  // for invalid UTF-8
  return nlohmann::json(text).dump(-1, ' ', false, kReplace);
}

}  // namespace

/// One event in the file.
struct TraceWriter::Mark {
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

TraceWriter::TraceWriter(std::ostream& out, const std::vector<KeptBuffers>& kept,
                         const EventNames& names)
    : out_(out), kept_(kept), names_(names), metrics_(metrics_by_age()) {
  out_.imbue(std::locale::classic());
  out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
}

TraceWriter::~TraceWriter() {
  nlohmann::json counts = nlohmann::json::array();
  for (const auto& core : left_out_) counts.push_back(core.second);
  out_ << "\n],\"otherData\":{\"events left out, by core\":" << counts.dump() << "}}\n";
}

std::string TraceWriter::name_of(uint64_t signature) const {
  const auto found = names_.runs.find(signature);
  return found == names_.runs.end() ? "between tasks" : found->second;
}

std::string TraceWriter::reason_of(uint8_t kind) const {
  return kind < names_.reasons.size() ? names_.reasons[kind] : "something";
}

bool TraceWriter::has_arrow(Core from, Core to, uint32_t number) const {
  if (number == EventLog::rest_of_buffer()) return false;
  const size_t sender = static_cast<size_t>(from), receiver = static_cast<size_t>(to);
  return number >= kept_[sender].sent_to[receiver] &&
         number >= kept_[receiver].received_from[sender];
}

std::vector<TraceWriter::Mark> TraceWriter::marks(Core core, const std::vector<Event>& events,
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

/// Begins an event, to which the caller adds its other members and a brace.
std::ostream& TraceWriter::begin(char phase, Core core) {
  out_ << (first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << core;
  first_ = false;
  return out_;
}

std::ostream& TraceWriter::begin(char phase, Core core, int64_t ns, const std::string& name,
                                 const std::string& category) {
  return begin(phase, core) << ",\"tid\":" << thread_of(core) << ",\"ts\":" << microseconds(ns)
                            << ",\"name\":" << quoted(name) << ",\"cat\":\"" << category << '"';
}

void TraceWriter::write_slice(Core core, const Mark& mark) {
  const Event& event = *mark.event;
  std::string name, arguments;
  const char* category = "work";
  const std::string number = std::to_string(event.number), count = std::to_string(event.count);
  switch (event.kind) {
    case Event::Kind::Run:
      name = name_of(event.what);
      arguments = "\"worker\":" + number;
      if (event.reason != 0) {
        arguments += ",\"then waits for\":" + quoted(reason_of(event.reason));
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
      name = name_of(event.what);
      arguments = "\"messages\":" + count;
  }
  begin('X', core, mark.ns, name, category)
      << ",\"dur\":" << microseconds(mark.length_ns) << ",\"args\":{" << arguments << "}}";
}

/// Writes one end of an arrow or of an asynchronous event.
void TraceWriter::write_point(Core core, const Mark& mark) {
  const Event& event = *mark.event;
  std::string name = "buffer", category = "buffer", arguments;
  if (event.kind == Event::Kind::Commit) {
    name = category = "commit";
    arguments = "\"requests\":" + std::to_string(event.count);
  } else if (event.kind == Event::Kind::Wait) {
    category = "wait";
    name = "wait for " + reason_of(event.reason);
    arguments = "\"worker\":" + std::to_string(event.number) + ",\"detail\":\"" + id(event.what) +
                "\",\"others since the last\":" + std::to_string(event.count);
  }
  const auto write = [&](char phase) -> std::ostream& {
    return begin(phase, core, mark.ns, name, category) << ",\"id\":\"" << id(mark.id) << '"';
  };
  switch (mark.phase) {
    case Mark::Phase::AsyncBegin: write('b') << ",\"args\":{" << arguments << "}}"; break;
    case Mark::Phase::AsyncEnd: write('e') << '}'; break;
    case Mark::Phase::ArrowBegin: write('s') << '}'; break;
    default: write('f') << ",\"bp\":\"e\"}"; break;
  }
}

void TraceWriter::write_events(Core core, const std::vector<Event>& events, uint64_t left_out,
                               const ClockLine& clock) {
  const auto heading = [this, core](const char* name, const char* member, const std::string& text) {
    begin('M', core) << ",\"name\":\"" << name << "\",\"tid\":" << thread_of(core)
                     << ",\"args\":{\"" << member << "\":" << quoted(text) << "}}";
  };
  heading("process_name", "name", "core " + std::to_string(core));
  heading("thread_name", "name", "workers");
  left_out_[core] = left_out;
  if (left_out != 0) {
    heading("process_labels", "labels", std::to_string(left_out) + " earlier events left out");
  }
  for (const Mark& mark : marks(core, events, clock)) {
    if (mark.phase == Mark::Phase::Slice) {
      write_slice(core, mark);
    } else {
      write_point(core, mark);
    }
  }
}

void TraceWriter::write_points(Core core, const std::vector<Trace::Point>& points,
                               int64_t origin_ns) {
  for (const Trace::Point& point : points) {
    const Metric& metric = *metrics_.at(point.metric);
    const char* unit = metric.unit()[0] != '\0' ? metric.unit() : "value";
    begin('C', core) << ",\"ts\":" << microseconds(static_cast<int64_t>(point.ns) + origin_ns)
                     << ",\"name\":" << quoted(metric.name()) << ",\"args\":{" << quoted(unit)
                     << ":" << text(point.value) << "}}";
  }
}

}  // namespace Grappa::detail
