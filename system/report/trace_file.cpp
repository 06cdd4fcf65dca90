#include "system/report/trace_file.hpp"

#include "system/base/traits.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/json.hpp"
#include "system/report/fetch.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace Grappa::detail {
namespace {

constexpr size_t kPiece = 10000;  // maximum number of points or events in a message
constexpr size_t kLongestName = 120;

template <class T>
std::vector<T> piece_of(const std::vector<T>& all, size_t first) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(std::min(kPiece, all.size() - first))};
}

/// Fetches all values of a core, and passes them to `visit` in pieces, so that core 0 need not hold
/// all of them. `piece(first)` returns at most kPiece values.
template <class T, class F>
void fetch_values(Core core, std::vector<T> (*piece)(size_t first), F visit) {
  static_assert(std::is_trivially_copyable<T>::value, "");
  std::vector<T> values(kPiece);
  for (size_t first = 0; values.size() == kPiece; first += kPiece) {
    const std::string bytes = fetch(core, [piece, first] {
      const std::vector<T> mine = piece(first);
      return std::string(reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(T));
    });
    values.resize(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
    visit(values);
  }
}

/// Returns the data that a core sends before its events. `runs` has the name of each closure type
/// that the core ran, by the address of its signature.
std::string summary_of_this_core() {
  const EventLog& log = the_trace_file->events();
  const std::vector<Event> events = log.events(0, log.kept());
  const KeptBuffers kept = kept_buffers(events, static_cast<size_t>(cores()));
  std::unordered_map<uint64_t, std::string> runs;
  for (const Event& event : events) {
    const bool named = event.kind == Event::Kind::Run || event.kind == Event::Kind::Messages;
    if (!named || event.what == 0) continue;
    std::string& name = runs[event.what];
    if (!name.empty()) continue;
    size_t length = 0;
    const char* const type = type_name_in(reinterpret_cast<const char*>(event.what), &length);
    name.assign(type, std::min(length, kLongestName));
    std::replace(name.begin(), name.end(), '\n', ' ');
  }
  const auto samples_ns =
      static_cast<int64_t>(the_trace_file->samples().origin_ns() - log.start_ns());
  const Json summary = {{"start_ticks", log.start_ticks()},
                        {"ns_per_tick", log.ns_per_tick()},
                        {"left_out", log.left_out()},
                        {"samples_ns", samples_ns},
                        {"machine_first", topology().machine_first},
                        {"sent_to", kept.sent_to},
                        {"received_from", kept.received_from},
                        {"runs", runs}};
  return text_of(summary);
}

/// Estimates the relation between the clock of a core of another machine and the time of the trace.
ClockLine compare_clocks(Core core, double ns_per_tick, const ClockLine& mine) {
  constexpr int kTries = 32;
  uint64_t shortest = ~uint64_t{0};
  ClockLine line = {0, 0, ns_per_tick};
  for (int k = 0; k < kTries; ++k) {
    const uint64_t before = ticks();
    const std::string theirs = fetch(core, [] { return std::to_string(ticks()); });
    const uint64_t round_trip = ticks() - before;
    if (round_trip >= shortest) continue;
    shortest = round_trip;
    line.ticks = std::stoull(theirs);
    line.ns = static_cast<double>(mine.at(before + round_trip / 2));
  }
  return line;
}

}  // namespace

TraceFile* the_trace_file = nullptr;

TraceFile::TraceFile(const ReportOptions& options)
    : OutputFile("--trace", options.trace),
      samples_(static_cast<uint64_t>(options.trace_interval_ms) * 1000000) {
  if (!wanted()) return;
  events_.reset(new EventLog(static_cast<size_t>(options.trace_events),
                             static_cast<uint64_t>(options.trace_min_ns), cores(),
                             options.trace_switches));
  the_event_log = events_.get();
  the_trace_file = this;
}

TraceFile::~TraceFile() {
  the_event_log = nullptr;
  the_trace_file = nullptr;
}

void TraceFile::stop() {
  if (!wanted()) return;
  samples_.stop();  // the program may not have called stop_tracing()
  events_->stop();
  the_event_log = nullptr;
}

void TraceFile::write() {
  std::vector<Json> summaries;
  std::vector<KeptBuffers> kept;
  EventNames names;
  // The index is a WaitReason::Kind.
  names.reasons = {"nothing",
                   "a mutex",
                   "a condition variable",
                   "a semaphore",
                   "a FullEmpty to be full",
                   "a FullEmpty to be empty",
                   "a completion event",
                   "a finish scope",
                   "a global completion event",
                   "an answer",
                   "answers of several cores",
                   "the other cores of a collective",
                   "the commit of a combined operation",
                   "a message buffer",
                   "a time",
                   "the end of the job",
                   "an explicit wake-up"};
  for (const std::string& text : fetch_from_all([] { return summary_of_this_core(); })) {
    summaries.push_back(Json::parse(text));
    const Json& summary = summaries.back();
    kept.push_back({summary["sent_to"], summary["received_from"]});
    for (const auto& run : summary["runs"].get<decltype(names.runs)>()) names.runs.insert(run);
  }
  const ClockLine mine = {summaries[0]["start_ticks"], 0, summaries[0]["ns_per_tick"]};
  TraceWriter writer(stream(), kept, names);
  for (int number = 0; number < cores(); ++number) {
    const Core core = static_cast<Core>(number);
    const Json& summary = summaries[static_cast<size_t>(number)];
    const bool same_machine = summary["machine_first"] == summaries[0]["machine_first"];
    const ClockLine clock =
        same_machine ? mine : compare_clocks(core, summary["ns_per_tick"], mine);
    std::vector<Event> events;
    fetch_values<Event>(
        core, [](size_t first) { return the_trace_file->events().events(first, kPiece); },
        [&](const auto& piece) { events.insert(events.end(), piece.begin(), piece.end()); });
    writer.write_events(core, events, summary["left_out"], clock);
    const int64_t origin_ns =
        clock.at(summary["start_ticks"]) + summary["samples_ns"].get<int64_t>();
    fetch_values<Trace::Point>(
        core, [](size_t first) { return piece_of(the_trace_file->samples().points(), first); },
        [&](const auto& piece) { writer.write_points(core, piece, origin_ns); });
  }
}

}  // namespace Grappa::detail
