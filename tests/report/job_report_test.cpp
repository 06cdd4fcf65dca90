/// The output of --report and --report_json: every core does a known amount of work, and core 0
/// reads the page and the file after the job has ended.

#include "system/report/job_report.hpp"

#include "structures/global_queue.hpp"
#include "structures/global_set.hpp"
#include "system/compat/fetch_add_combiner.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/readable.hpp"
#include "system/tasking/poller.hpp"

#include <Grappa.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include <unistd.h>

GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, visits, 0, "cells", "seen");

DECLARE_bool(report);
DECLARE_string(report_json);
DEFINE_bool(reset, false, "whether the program calls Metrics::reset");

namespace {

using namespace Grappa;
using namespace Grappa::detail;
typedef nlohmann::json Json;

constexpr int64_t kUpdates = 40000;
constexpr int64_t kPushes = 500;     // number of pushes of each core
constexpr int64_t kInserts = 50;     // number of inserts of each core
constexpr int64_t kAdditions = 300;  // number of additions of each core
constexpr double kBusySeconds = 0.3;
constexpr size_t kHeapBytes = 8 << 20;

int failures = 0;
int64_t updates;  // number of updates of this core
int64_t added;    // number that core 0 owns

void expect(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "core %d: %s\n", static_cast<int>(mycore()), what.c_str());
  ++failures;
}

/// Returns the seconds that core 0 has spent on an activity so far.
double seconds_so_far(Activity activity) {
  const TickCounter& time = detail::activity_time[static_cast<size_t>(activity)];
  return static_cast<double>(time.ns()) * 1e-9;
}

/// Lets the last core compute while all other cores have nothing to do.
void keep_one_core_busy() {
  const double idle = seconds_so_far(Activity::Idle), polling = seconds_so_far(Activity::Polling);
  delegate::call(static_cast<Core>(cores() - 1), [] {
    const double end = walltime() + kBusySeconds;
    while (walltime() < end) {}
  });
  if (cores() == 1) return;
  const double was_idle = seconds_so_far(Activity::Idle) - idle;
  expect(was_idle > seconds_so_far(Activity::Polling) - polling, "idle includes vain polls");
}

void run_what_is_known() {
  if (FLAGS_reset) Metrics::reset_all_cores();
  forall(0, kUpdates, [](int64_t i) {
    delegate::call<async>(static_cast<Core>(i % cores()), [] { ++updates; });
    ++visits;
  });
  const GlobalAddress<GlobalQueue<int64_t>> queue = GlobalQueue<int64_t>::create();
  const GlobalAddress<int64_t> total = make_global(&added);
  on_all_cores([queue, total] {
    forall_here(0, kPushes, [queue](int64_t i) { queue->push(i); });
    delegate::FetchAddCombiner<int64_t, int64_t> combiner(total, 1024);
    forall_here(0, kAdditions, [&combiner](int64_t) { combiner.fetch_and_add(1); });
  });
  queue->destroy();
  const GlobalAddress<GlobalSet<int64_t>> set = GlobalSet<int64_t>::create();
  on_all_cores([set] {
    for (int64_t i = 0; i < kInserts; ++i) set->insert(7);
  });
  set->destroy();
  global_free(global_alloc<char>(kHeapBytes));
  keep_one_core_busy();
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// Returns the text after `label` on the page.
std::string row(const std::string& page, const std::string& label) {
  const size_t at = page.find(label);
  expect(at != std::string::npos, "the page has a line of " + label);
  if (at == std::string::npos) return "";
  const size_t begin = page.find_first_not_of(' ', at + label.size());
  return page.substr(begin, page.find('\n', begin) - begin);
}

/// Returns the value of a counter over all cores.
uint64_t value_of(const Json& file, const char* name) { return file["metrics"][name]["value"]; }

/// Returns the seconds that a core has spent on an activity.
double seconds_of(const Json& file, const std::string& activity, size_t core) {
  return file["metrics"]["tasking." + activity + "_ns"]["per_core"][core].get<double>() * 1e-9;
}

void check_time(const Json& file) {
  const Json& time = file["report"]["time"];
  const double counted = file["report"]["job"]["counted_seconds"];
  const size_t last = time["running_percent"].size() - 1;
  for (size_t core = 0; core <= last; ++core) {
    const double running = time["running_percent"][core], polling = time["polling_percent"][core],
                 idle = time["idle_percent"][core];
    expect(std::abs(running + polling + idle - 100) < 1e-6, "shares of a core add up");
    // With several cores, the last core computes in a delegate, which counts as polling.
    const char* const busy = last == 0 ? "running" : "polling";
    const double seconds = seconds_of(file, core == last ? busy : "idle", core);
    if (core == last) expect(seconds > 0.97 * kBusySeconds, "one core was busy");
    if (core != last) expect(seconds > 0.5 * kBusySeconds, "and the others were idle");
    const double all = seconds_of(file, "running", core) + seconds_of(file, "polling", core) +
                       seconds_of(file, "idle", core);
    for (const char* activity : {"running", "polling", "idle"}) {
      const double share = time[std::string(activity) + "_percent"][core];
      expect(std::abs(share / 100 * all - seconds_of(file, activity, core)) < 1e-6 * all,
             "shares are those of the seconds");
    }
    if (core == 0) {
      expect(std::abs(all - counted) < counted / 5, "all time is accounted for");
    }
  }
  const double wall = file["report"]["job"]["wall_seconds"];
  expect(FLAGS_reset || counted == wall, "the whole job is counted");
  expect(counted > kBusySeconds && counted <= wall * 1.1, "or not more than that");
}

void check_counts(const Json& file) {
  const Json& report = file["report"];
  const uint64_t cores = report["job"]["cores"];
  expect(report["messages"]["sent"] == value_of(file, "message.messages"), "messages agree");
  expect(report["messages"]["sent"] >= kUpdates, "each update was a message");
  expect(report["messages"]["sent"] <= 2 * kUpdates, "and most were updates");
  uint64_t sent = 0;
  for (const Json& of_core : report["messages"]["sent_by_core"]) sent += of_core.get<uint64_t>();
  expect(report["messages"]["sent"] == sent, "those of the cores add up");
  const uint64_t additions = kAdditions * (cores - 1);  // core 0 owns the word
  const uint64_t operations = (kPushes + kInserts) * cores + additions;
  expect(report["combining"]["operations"] == operations,
         "each push, insert and addition is an operation");
  const double known =
      static_cast<double>((kInserts - 1) * cores) * 100.0 / static_cast<double>(operations);
  expect(std::abs(report["combining"]["known_percent"].get<double>() - known) < 1e-6,
         "a core remembers what it has inserted");
  expect((report["combining"]["operations_each"] > 1) == (cores > 1), "operations combine");
  expect(report["combining"]["additions"] == additions, "they are counted by themselves, too");
  expect((report["combining"]["addition_batches"] > 0) == (cores > 1), "additions combine");
  double reasons = 0;
  for (const char* reason : {"full", "idle", "latency_critical", "aged", "on_request"}) {
    reasons += report["aggregation"][std::string(reason) + "_percent"].get<double>();
  }
  expect(std::abs(reasons - 100) < 1e-6, "each buffer was sent for a reason");
  expect(report["tasks"]["run"] >= cores, "tasks ran");
  expect(report["tasks"]["workers_by_core"].size() == cores, "each core made workers");
}

void check_pairs(const Json& file) {
  const uint64_t locales = file["report"]["job"]["locales"];
  uint64_t near = 0, far = 0, bytes = 0;
  for (const Json& pair : file["report"]["locales"]["pairs"]) {
    expect(pair[0] < locales && pair[1] < locales, "a pair has two locales");
    (pair[0] == pair[1] ? near : far) += pair[2].get<uint64_t>();
    bytes += pair[3].get<uint64_t>();
  }
  expect(near == value_of(file, "net.buffers_by_shared_memory"), "buffers within locales");
  expect(far == value_of(file, "net.buffers_by_mpi"), "buffers between locales");
  expect(bytes <= value_of(file, "message.bytes"), "bytes of all pairs");
  expect(cores() == 1 || bytes > kUpdates / 4, "updates were sent");
}

void check_memory(const Json& memory) {
  expect(memory["heap_bytes_most"] >= kHeapBytes, "the heap was used");
  expect(memory["heap_bytes"] < kHeapBytes, "the heap is free at the end");
  expect(memory["heap_bytes_reserved"] >= memory["heap_bytes_most"], "it reserves more");
  for (size_t core = 0; core < memory["resident_bytes_by_core"].size(); ++core) {
    const uint64_t now = memory["resident_bytes_by_core"][core];
    expect(now > 1 << 20, "a process takes memory");
    expect(memory["resident_bytes_most_by_core"][core] >= now, "it has a peak");
    const uint64_t own = memory["own_bytes_by_core"][core];
    expect(own > 1 << 18 && own <= now, "some of it is shared");
    for (const char* part : {"stack", "buffer", "table", "malloc", "rest"}) {
      expect(memory[std::string(part) + "_bytes_by_core"][core] > 0, std::string(part) + " memory");
    }
  }
  expect(memory["buffer_bytes_used_by_a_core"] > 0, "buffers were used");
  expect(memory["stack_bytes"] > 0, "stacks were used");
}

void check_page(const std::string& page, const Json& report) {
  const auto begins = [](const std::string& text, const std::string& with) {
    return text.compare(0, with.size(), with) == 0;
  };
  const double sent = report["messages"]["sent"], tasks = report["tasks"]["run"];
  expect(begins(row(page, "job          program"), "job_report_test"), "the program is named");
  expect(begins(row(page, " cores "), report["job"]["cores"].dump() + "  in "), "cores");
  expect(begins(row(page, "messages     sent"), readable_count(sent) + "  "), "messages");
  expect(begins(row(page, "tasks        run"), readable_count(tasks) + "  "), "tasks");
  expect(begins(row(page, "program      visits"), "40000  cells seen"), "the program's metric");
  expect((page.find("since Metrics::reset") != std::string::npos) == FLAGS_reset,
         "a reset is reported");
  std::istringstream running(row(page, " running")), polling(row(page, " polling")),
      idle(row(page, "\n             idle"));
  for (size_t core = 0; core < report["job"]["cores"]; ++core) {
    std::string cells[3];
    running >> cells[0];
    polling >> cells[1];
    idle >> cells[2];
    int sum = 0;
    for (const std::string& cell : cells) sum += cell == "<1%" ? 0 : std::atoi(cell.c_str());
    expect(std::abs(sum - 100) <= 1, "shares on the page add up");
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  // Each core passes its own file names; only those of core 0 are used.
  char folder[] = "/tmp/job_report_test_XXXXXX";
  if (::mkdtemp(folder) == nullptr) return 1;
  const std::string page = std::string(folder) + "/page";
  FLAGS_report = true;
  FLAGS_report_json = std::string(folder) + "/report";
  if (std::freopen(page.c_str(), "w", stdout) == nullptr) return 1;
  init(&argc, &argv);
  run([] { run_what_is_known(); });
  const bool first = mycore() == 0;
  const int finalized = finalize();
  std::fflush(stdout);
  if (first) {
    const Json file = Json::parse(text_of(FLAGS_report_json));
    check_time(file);
    check_counts(file);
    check_pairs(file);
    check_memory(file["report"]["memory"]);
    check_page(text_of(page), file["report"]);
    expect(file["cores"] == file["report"]["job"]["cores"], "the number of cores is there");
  } else {
    expect(text_of(page).empty(), "one core prints");
  }
  ::unlink(page.c_str());
  ::unlink(FLAGS_report_json.c_str());
  ::rmdir(folder);
  return failures == 0 ? finalized : 1;
}
