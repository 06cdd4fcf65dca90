/// The output of --trace: every core runs tasks that wait, send and combine, and core 0 reads the
/// file after the job has ended. With --untraced nothing is recorded.

#include "system/report/trace_file.hpp"

#include <Grappa.hpp>

#include "structures/global_vector.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

DECLARE_string(trace);
DECLARE_int64(trace_events);
DECLARE_int64(trace_min_ns);
DECLARE_bool(trace_switches);
DEFINE_bool(untraced, false, "do not set --trace");
DEFINE_bool(few, false, "keep so few events that most are dropped");
DEFINE_bool(polls, false, "record switches only where the network is polled");

GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, rounds, 0);

namespace {

typedef nlohmann::json Json;

constexpr int64_t kFewEvents = 50;

int failures = 0;

void expect(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "core %d: %s\n", static_cast<int>(Grappa::mycore()), what.c_str());
  ++failures;
}

int64_t counter = 0;

/// Waits for answers, for a mutex and for commits; one handler suspends.
void work() {
  Grappa::Mutex mutex;
  const auto vector = Grappa::GlobalVector<int64_t>::create();  // combines on one core, too
  Grappa::forall(0, 300, [vector](int64_t i) {
    const Grappa::Core core = static_cast<Grappa::Core>(i % Grappa::cores());
    Grappa::delegate::call(core, [] { return ++counter; });
    vector->push(i);
  });
  int arrived = 0;
  mutex.lock();
  Grappa::finish([&mutex, &arrived] {
    for (int k = 0; k < 3; ++k) {
      Grappa::spawn([&mutex, &arrived] {
        ++arrived;
        mutex.lock();
        mutex.unlock();
      });
    }
    while (arrived == 0) Grappa::yield();
    mutex.unlock();
  });
  Grappa::on_all_cores([] {
    const Grappa::Core next = static_cast<Grappa::Core>((Grappa::mycore() + 1) % Grappa::cores());
    Grappa::send_message(next, [] {
      Grappa::yield();
      ++counter;
    });
    ++rounds;
  });
  vector->destroy();
}

int64_t ns(const Json& microseconds) {
  return static_cast<int64_t>(microseconds.get<double>() * 1000 + 0.5);
}

struct Slice {
  int64_t begin, end;
};

/// Checks the events of a core: they are in the order of time, and slices nest.
void check_core(const Json& events, int core) {
  int64_t before = 0;
  std::vector<Slice> open;
  std::set<std::string> categories;
  size_t count = 0;
  for (const Json& event : events) {
    if (event["pid"] != core || event["ph"] == "M" || event["ph"] == "C") continue;
    const int64_t begin = ns(event["ts"]);
    expect(begin >= before, "events are in the order of time");
    before = begin;
    categories.insert(event["cat"].get<std::string>());
    if (event["ph"] != "X") continue;
    ++count;
    const Slice slice = {begin, begin + ns(event["dur"])};
    while (!open.empty() && open.back().end <= begin) open.pop_back();
    expect(open.empty() || slice.end <= open.back().end, "slices nest: " + event.dump());
    open.push_back(slice);
  }
  if (FLAGS_few) {
    expect(count <= kFewEvents, "no more events than asked for");
    return;
  }
  for (const char* category : {"work", "handler", "buffer", "wait", "commit"}) {
    expect(categories.count(category) == 1, std::string("there are events of ") + category);
  }
}

/// Checks that each begin has one end, which is not earlier, and that both are inside a slice.
void check_pairs(const Json& events, const char* begin, const char* end) {
  std::map<std::string, Json> begun;
  size_t ended = 0;
  for (const Json& event : events) {
    if (event["ph"] == begin) {
      expect(begun.emplace(event["id"].get<std::string>(), event).second, "an id has one pair");
    }
  }
  for (const Json& event : events) {
    if (event["ph"] != end) continue;
    ++ended;
    const auto other = begun.find(event["id"].get<std::string>());
    expect(other != begun.end(), "each end has a begin");
    if (other == begun.end()) continue;
    expect(ns(other->second["ts"]) <= ns(event["ts"]), "no arrow goes backwards");
    expect(other->second["cat"] == event["cat"], "both ends are of one kind");
  }
  expect(ended == begun.size(), std::string("each ") + begin + " has its " + end);
  expect(FLAGS_few || ended != 0, std::string("there are pairs of ") + begin);
}

void check(const Json& file, int cores) {
  const Json& events = file["traceEvents"];
  const Json& left_out = file["otherData"]["events left out, by core"];
  expect(left_out.size() == static_cast<size_t>(cores), "it counts dropped events by core");
  std::set<std::string> waits;
  for (const Json& event : events) {
    if (event.value("cat", "") == "wait") waits.insert(event["name"].get<std::string>());
  }
  for (int core = 0; core < cores; ++core) {
    check_core(events, core);
    const bool some = left_out.at(static_cast<size_t>(core)) != 0;
    expect(some == FLAGS_few, "events are dropped only if the log is too small");
  }
  check_pairs(events, "s", "f");
  check_pairs(events, "b", "e");
  if (FLAGS_few) return;
  expect(FLAGS_polls || waits.count("wait for a mutex") == 1, "waits are named by their reason");
  expect(waits.count("wait for a finish scope") == 1, "the wait of the main task is recorded");
  const bool curve = std::any_of(events.begin(), events.end(),
                                 [](const Json& event) { return event["name"] == "rounds"; });
  expect(curve, "samples of metrics are in the same file");
}

}  // namespace

int main(int argc, char* argv[]) {
  // Each core passes its own file name; only that of core 0 is used.
  char path[] = "/tmp/trace_file_test_XXXXXX";
  const int file = ::mkstemp(path);
  if (file < 0) return 1;
  ::close(file);
  // This program sets flags for init, so the program must read its arguments itself.
  for (int k = 1; k < argc; ++k) {
    FLAGS_untraced = FLAGS_untraced || std::string(argv[k]) == "--untraced";
    FLAGS_few = FLAGS_few || std::string(argv[k]) == "--few";
    FLAGS_polls = FLAGS_polls || std::string(argv[k]) == "--polls";
  }
  if (!FLAGS_untraced) FLAGS_trace = path;
  FLAGS_trace_min_ns = 0;
  FLAGS_trace_switches = !FLAGS_polls;
  FLAGS_trace_events = FLAGS_few ? kFewEvents : 1000000;
  Grappa::init(&argc, &argv);
  expect((Grappa::detail::event_log() == nullptr) == FLAGS_untraced,
         "events are recorded if asked for");
  Grappa::run([] {
    Grappa::Metrics::start_tracing();
    work();
    Grappa::Metrics::stop_tracing();
  });
  const int cores = Grappa::cores();
  const bool first = Grappa::mycore() == 0;
  const int finalized = Grappa::finalize();
  expect(Grappa::detail::event_log() == nullptr, "nothing is recorded when the job has ended");
  if (first && !FLAGS_untraced) {
    Json json;
    std::ifstream(path) >> json;
    check(json, cores);
  }
  ::unlink(path);
  return failures == 0 ? finalized : 1;
}
