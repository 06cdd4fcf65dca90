#include "system/report/trace_file.hpp"

#include "system/base/traits.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/trace_writer.hpp"
#include "system/report/fetch.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <type_traits>

namespace Grappa::detail {
namespace {

/// Points or events in a piece. Pieces avoid a second copy of the whole trace in memory.
constexpr size_t kPiece = 10000;

template <class T>
std::string bytes_of(const T* values, size_t n) {
  static_assert(std::is_trivially_copyable<T>::value, "");
  return std::string(reinterpret_cast<const char*>(values), n * sizeof(T));
}

/// Removes `n` values from the front of `*bytes`, and returns them.
template <class T>
std::vector<T> take(std::string* bytes, size_t n) {
  std::vector<T> values(n);
  std::memcpy(values.data(), bytes->data(), n * sizeof(T));
  bytes->erase(0, n * sizeof(T));
  return values;
}

std::string points_of_this_core(size_t first) {
  const std::vector<Trace::Point>& points = the_trace_file->samples().points();
  return bytes_of(points.data() + first, std::min(kPiece, points.size() - first));
}

std::string events_of_this_core(size_t first) {
  const std::vector<Event> events = the_trace_file->events().events(first, kPiece);
  return bytes_of(events.data(), events.size());
}

/// Fetches the results of `piece(first)` from a core and calls `visit(values)` for each piece.
template <class T, class F, class V>
void for_each_piece(Core core, F piece, V visit) {
  size_t got = kPiece;
  for (size_t first = 0; got == kPiece; first += kPiece) {
    std::string bytes = fetch(core, [piece, first] { return piece(first); });
    got = bytes.size() / sizeof(T);
    visit(take<T>(&bytes, got));
  }
}

/// What a core sends before its events. Its KeptBuffers follow, and then a line for each closure
/// type that the core ran: the address of its signature and its name.
struct LogSummary {
  uint64_t start_ticks;
  double ns_per_tick;
  uint64_t left_out;
  int64_t samples_ns;  // time origin of the samples, from the start of recording
  int64_t machine_first;
};

/// A short name without newlines, for the slices of a trace viewer.
std::string short_name(const char* signature) {
  constexpr size_t kLongest = 120;
  size_t length = 0;
  const char* name = type_name_in(signature, &length);
  std::string text(name, std::min(length, kLongest));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string summary_of_this_core() {
  const EventLog& log = the_trace_file->events();
  const int64_t samples_ns =
      static_cast<int64_t>(the_trace_file->samples().origin_ns() - log.start_ns());
  const LogSummary summary = {log.start_ticks(), log.ns_per_tick(), log.left_out(), samples_ns,
                              topology().machine_first};
  const std::vector<Event> events = log.events(0, log.kept());
  const KeptBuffers kept(events, static_cast<size_t>(cores()));
  std::vector<uint64_t> signatures;
  for (const Event& event : events) {
    const bool named = event.kind == Event::Kind::Run || event.kind == Event::Kind::Messages;
    if (named && event.what != 0) signatures.push_back(event.what);
  }
  std::sort(signatures.begin(), signatures.end());
  signatures.erase(std::unique(signatures.begin(), signatures.end()), signatures.end());
  std::ostringstream names;
  for (const uint64_t signature : signatures) {
    names << signature << ' ' << short_name(reinterpret_cast<const char*>(signature)) << '\n';
  }
  return bytes_of(&summary, 1) + bytes_of(kept.sent_to.data(), kept.sent_to.size()) +
         bytes_of(kept.received_from.data(), kept.received_from.size()) + names.str();
}

/// The names of the reasons, indexed by WaitReason::Kind.
std::vector<std::string> reason_names() {
  return {"nothing",
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
}

/// Estimates how the clock of a core of another machine relates to the time of the trace.
ClockLine compare_clocks(Core core, const LogSummary& summary, const ClockLine& mine) {
  constexpr int kTries = 32;
  uint64_t shortest = ~uint64_t{0};
  ClockLine line = {0, 0, summary.ns_per_tick};
  for (int k = 0; k < kTries; ++k) {
    const uint64_t before = ticks();
    std::string bytes = fetch(core, [] {
      const uint64_t now = ticks();
      return bytes_of(&now, 1);
    });
    const uint64_t round_trip = ticks() - before;
    if (round_trip >= shortest) continue;
    shortest = round_trip;
    line.ticks = take<uint64_t>(&bytes, 1)[0];
    line.ns = static_cast<double>(mine.at(before + round_trip / 2));
  }
  return line;
}

}  // namespace

TraceFile* the_trace_file = nullptr;

TraceFile::TraceFile(const ReportOptions& options)
    : file_("--trace", options.trace),
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
  samples_.stop();  // in case the program has not called stop_tracing()
  events_->stop();
  the_event_log = nullptr;
}

void TraceFile::write() {
  const size_t all = static_cast<size_t>(cores());
  std::vector<LogSummary> summaries;
  std::vector<KeptBuffers> kept;
  EventNames names;
  names.reasons = reason_names();
  for (std::string& bytes : fetch_from_all([] { return summary_of_this_core(); })) {
    summaries.push_back(take<LogSummary>(&bytes, 1)[0]);
    kept.push_back(KeptBuffers({}, all));
    kept.back().sent_to = take<uint32_t>(&bytes, all);
    kept.back().received_from = take<uint32_t>(&bytes, all);
    std::istringstream lines(bytes);
    std::string name;
    for (uint64_t signature; lines >> signature && lines.get() && std::getline(lines, name);) {
      names.runs[signature] = name;
    }
  }
  const ClockLine mine = {summaries[0].start_ticks, 0, summaries[0].ns_per_tick};
  TraceWriter writer(file_.stream(), kept, names);
  for (int number = 0; number < cores(); ++number) {
    const Core core = static_cast<Core>(number);
    const LogSummary& summary = summaries[static_cast<size_t>(number)];
    const bool same_machine = summary.machine_first == summaries[0].machine_first;
    const ClockLine clock = same_machine ? mine : compare_clocks(core, summary, mine);
    std::vector<Event> events;
    for_each_piece<Event>(
        core, [](size_t first) { return events_of_this_core(first); },
        [&events](const std::vector<Event>& piece) {
          events.insert(events.end(), piece.begin(), piece.end());
        });
    writer.write_events(core, events, summary.left_out, clock);
    const int64_t origin_ns = clock.at(summary.start_ticks) + summary.samples_ns;
    for_each_piece<Trace::Point>(
        core, [](size_t first) { return points_of_this_core(first); },
        [&](const std::vector<Trace::Point>& points) {
          writer.write_points(core, points, origin_ns);
        });
  }
}

}  // namespace Grappa::detail
