#include "system/observe/trace.hpp"

#include "system/observe/clock.hpp"
#include "system/observe/json.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace Grappa::detail {
namespace {

/// Converts to the unit of the file format. The result is exact to a nanosecond for 100 days.
double microseconds(int64_t ns) { return static_cast<double>(ns) / 1000; }

std::string id(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%" PRIx64, number);
  return text;
}

/// Returns the id of an arrow or of an asynchronous event. `second` is a core or kNoCore.
constexpr uint64_t kNoCore = 0xffff;
uint64_t id_between(Core first, uint64_t second, uint64_t number) {
  return static_cast<uint64_t>(first) << 48 | second << 32 | (number & 0xffffffff);
}

Json event_of(char phase, Core core) { return {{"ph", std::string(1, phase)}, {"pid", core}}; }

/// A slice 'X', or the begin or end of an asynchronous event ('b', 'e') or an arrow ('s', 'f').
struct Mark {
  char phase;
  int64_t ns;
  int64_t length_ns;  // of a slice
  const Event* event;
  uint64_t id;

  /// A slice precedes the slices inside it, although they ended earlier. A slice precedes an arrow
  /// with the same time, because viewers attach an arrow to the latest slice.
  bool operator<(const Mark& other) const {
    if (ns != other.ns) return ns < other.ns;
    if ((phase == 'X') != (other.phase == 'X')) return phase == 'X';
    if (phase != 'X') return false;
    return length_ns != other.length_ns ? length_ns > other.length_ns : event > other.event;
  }
};

bool has_arrow(const std::vector<KeptBuffers>& kept, Core from, Core to, uint32_t number) {
  if (number == EventLog::rest_of_buffer()) return false;
  const size_t sender = static_cast<size_t>(from), receiver = static_cast<size_t>(to);
  return number >= kept[sender].sent_to[receiver] && number >= kept[receiver].received_from[sender];
}

/// Returns the marks in the file for the events of a core, in the order of time.
std::vector<Mark> marks_of(Core core, const std::vector<Event>& events, const ClockLine& clock,
                           const std::vector<KeptBuffers>& kept) {
  std::vector<Mark> marks;
  marks.reserve(events.size() * 2);
  uint64_t index = 0;
  for (const Event& event : events) {
    const int64_t begin = clock.at(event.begin_ticks), end = clock.at(event.end_ticks);
    const auto add = [&](char phase, int64_t ns, uint64_t id) {
      marks.push_back(Mark{phase, ns, end - begin, &event, id});
    };
    const uint64_t own = id_between(core, kNoCore, ++index);
    if (event.kind == Event::Kind::Commit || event.kind == Event::Kind::Wait) {
      // If the slice in which a commit began has been overwritten, omit the arrow.
      if (event.kind == Event::Kind::Commit && event.begin_ticks >= events.front().end_ticks) {
        add('s', begin, own);
        add('f', end, own);
      }
      add('b', begin, own);
      add('e', end, own);
      continue;
    }
    add('X', begin, 0);
    const Core peer = event.peer;
    if (event.kind == Event::Kind::Send && has_arrow(kept, core, peer, event.number)) {
      add('s', begin, id_between(core, static_cast<uint64_t>(peer), event.number));
    }
    if (event.kind == Event::Kind::Buffer && has_arrow(kept, peer, core, event.number)) {
      add('f', begin, id_between(peer, static_cast<uint64_t>(core), event.number));
    }
  }
  std::stable_sort(marks.begin(), marks.end());
  return marks;
}

/// The texts of a kind of event.
struct KindText {
  const char* name;      // in some kinds, the rest of the name depends on the event
  const char* category;  // of an arrow, also the name
  const char* count;     // the argument with the count of the event; null: none
};

constexpr KindText kTexts[] = {{"", "work", nullptr},  // by Event::Kind
                               {"several runs", "work", "runs"},
                               {"idle", "idle", nullptr},
                               {"send to ", "buffer", "bytes"},
                               {"buffer from ", "buffer", "bytes"},
                               {"", "handler", "messages"},
                               {"wait for ", "wait", "others since the last"},
                               {"commit", "commit", "requests"}};

std::string reason_of(const Event& event, const EventNames& names) {
  return event.reason < names.reasons.size() ? names.reasons[event.reason] : "something";
}

std::string name_of(const Event& event, const char* name, const EventNames& names) {
  switch (event.kind) {
    case Event::Kind::Send:
    case Event::Kind::Buffer: return name + std::to_string(event.peer);
    case Event::Kind::Wait: return name + reason_of(event, names);
    case Event::Kind::Run:
    case Event::Kind::Messages: break;
    default: return name;
  }
  const auto found = names.runs.find(event.what);
  return found == names.runs.end() ? "between tasks" : found->second;
}

Json arguments_of(const Event& event, const char* count, const EventNames& names) {
  const bool run = event.kind == Event::Kind::Run, wait = event.kind == Event::Kind::Wait;
  Json arguments = Json::object();
  if (run || wait) arguments["worker"] = event.number;
  if (run && event.reason != 0) arguments["then waits for"] = reason_of(event, names);
  if (wait) arguments["detail"] = id(event.what);
  if (count != nullptr) arguments[count] = event.count;
  if (event.kind == Event::Kind::Buffer) arguments["messages"] = event.what;
  return arguments;
}

}  // namespace

Trace::Trace(uint64_t interval_ns) : interval_ns_(interval_ns), origin_ns_(steady_ns()) {}

void Trace::start() {
  if (due_ns_ != kNever) return;
  metrics_ = metrics_by_age();
  last_.assign(metrics_.size(), std::nan(""));
  sample(steady_ns());
}

void Trace::stop() {
  if (due_ns_ == kNever) return;
  sample(steady_ns());
  due_ns_ = kNever;
}

void Trace::sample_if_due() {
  if (due_ns_ == kNever) return;
  const uint64_t now_ns = steady_ns();
  if (now_ns >= due_ns_) sample(now_ns);
}

void Trace::sample(uint64_t now_ns) {
  due_ns_ = now_ns + interval_ns_;
  for (size_t k = 0; k < metrics_.size(); ++k) {
    const double value = metrics_[k]->read().number();
    // number() is NaN for a text. A value that is not finite cannot be plotted or written as JSON.
    if (!std::isfinite(value) || value == last_[k]) continue;
    last_[k] = value;
    points_.push_back({now_ns - origin_ns_, value, k});
  }
}

KeptBuffers kept_buffers(const std::vector<Event>& events, size_t cores) {
  const std::vector<uint32_t> none(cores, ~uint32_t{0});
  KeptBuffers kept = {none, none};
  for (const Event& event : events) {
    const bool sent = event.kind == Event::Kind::Send;
    if (!sent && event.kind != Event::Kind::Buffer) continue;
    uint32_t& first = (sent ? kept.sent_to : kept.received_from)[static_cast<size_t>(event.peer)];
    first = std::min(first, event.number);
  }
  return kept;
}

TraceWriter::TraceWriter(std::ostream& out, const std::vector<KeptBuffers>& kept,
                         const EventNames& names)
    : out_(out), kept_(kept), names_(names), metrics_(metrics_by_age()) {
  out_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
}

TraceWriter::~TraceWriter() {
  Json counts = Json::array();
  for (const auto& core : left_out_) counts.push_back(core.second);
  out_ << "\n],\"otherData\":" << Json{{"events left out, by core", counts}} << "}\n";
}

void TraceWriter::write(const std::string& event) {
  out_ << (first_ ? "\n" : ",\n") << event;
  first_ = false;
}

void TraceWriter::write_events(Core core, const std::vector<Event>& events, uint64_t left_out,
                               const ClockLine& clock) {
  const int thread = core + 1;  // viewers interpret thread 0 as the idle thread of a machine
  const auto heading = [&](const char* name, const char* member, const std::string& text) {
    Json event = event_of('M', core);
    event["name"] = name;
    event["tid"] = thread;
    event["args"] = {{member, text}};
    write(text_of(event));
  };
  heading("process_name", "name", "core " + std::to_string(core));
  heading("thread_name", "name", "workers");
  left_out_[core] = left_out;
  if (left_out != 0) {
    heading("process_labels", "labels", std::to_string(left_out) + " earlier events left out");
  }
  for (const Mark& mark : marks_of(core, events, clock, kept_)) {
    const Event& about = *mark.event;
    const KindText& text = kTexts[static_cast<size_t>(about.kind)];
    const bool arrow = mark.phase == 's' || mark.phase == 'f';
    Json event = event_of(mark.phase, core);
    event["tid"] = thread;
    event["ts"] = microseconds(mark.ns);
    event["name"] = arrow ? text.category : name_of(about, text.name, names_);
    event["cat"] = text.category;
    if (mark.phase == 'X') {
      event["dur"] = microseconds(mark.length_ns);
    } else {
      event["id"] = id(mark.id);
    }
    if (mark.phase == 'f') event["bp"] = "e";
    if (mark.phase == 'X' || mark.phase == 'b') {
      event["args"] = arguments_of(about, text.count, names_);
    }
    write(text_of(event));
  }
}

void TraceWriter::write_points(Core core, const std::vector<Trace::Point>& points,
                               int64_t origin_ns) {
  for (const Trace::Point& point : points) {
    const Metric& metric = *metrics_.at(point.metric);
    const char* unit = metric.unit()[0] != '\0' ? metric.unit() : "value";
    Json event = event_of('C', core);
    event["ts"] = microseconds(static_cast<int64_t>(point.ns) + origin_ns);
    event["name"] = metric.name();
    event["args"] = {{unit, point.value}};
    write(text_of(event));
  }
}

}  // namespace Grappa::detail
