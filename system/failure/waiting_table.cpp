#include "system/failure/failure.hpp"

#include "system/base/traits.hpp"
#include "system/failure/failure_report.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/json.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iomanip>
#include <map>
#include <sstream>

#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

std::string at(const char* what, const WaitReason& reason) {
  char text[80];
  std::snprintf(text, sizeof text, "%s at %p", what, reason.object());
  return text;
}

std::string describe(const WaitReason& reason) {
  switch (reason.kind()) {
    case WaitReason::Kind::None: break;
    case WaitReason::Kind::Mutex: return at("the mutex", reason);
    case WaitReason::Kind::Condition: return at("a signal of the condition variable", reason);
    case WaitReason::Kind::Semaphore: return at("units of the semaphore", reason);
    case WaitReason::Kind::Full: return at("the FullEmpty", reason) + " to be full";
    case WaitReason::Kind::Empty: return at("the FullEmpty", reason) + " to be empty";
    case WaitReason::Kind::Event: return at("the completion event", reason);
    case WaitReason::Kind::Scope:
      return at("the end of the finish scope", reason) + ", units of open work: " +
             std::to_string(static_cast<const FinishScope*>(reason.object())->open);
    case WaitReason::Kind::GlobalEvent: {
      const auto* event = static_cast<const GlobalCompletionEvent*>(reason.object());
      return at("the global completion event", reason) + ", " +
             std::to_string(event->incomplete()) + " open on this core";
    }
    case WaitReason::Kind::Delegate:
      return "an answer from core " + std::to_string(reason.detail());
    case WaitReason::Kind::Transfer: return "answers of other cores";
    case WaitReason::Kind::Collective: {
      const CollectiveStanding standing = collective_standing();
      return "the other cores in " + std::string(standing.what) + ", after " +
             std::to_string(standing.completed) + " completed collectives";
    }
    case WaitReason::Kind::Combiner: return at("the commit of the combined requests", reason);
    case WaitReason::Kind::Buffer: return "a message buffer";
    case WaitReason::Kind::Time: return "a time (sleep_for)";
    case WaitReason::Kind::End: return "the end of the job";
    case WaitReason::Kind::Other: break;
  }
  return "an explicit wake-up";
}

std::string task_name(const Worker& worker) {
  if (worker.role == Worker::Role::RunsMain) return "the main task";
  if (worker.runs == nullptr) return "";
  constexpr size_t kLongest = 160;
  size_t length = 0;
  const char* name = type_name_in(worker.runs, &length);
  return std::string(name, std::min(length, kLongest));
}

/// Names the cores that have not reached the collective in which other cores wait.
std::string missing_cores(const std::vector<Json>& parts) {
  const Json* waits = nullptr;
  for (const Json& part : parts) {
    if (part["waits"]) waits = &part;
  }
  if (waits == nullptr) return "";
  const uint64_t completed = (*waits)["completed"];
  std::string missing;
  for (const Json& part : parts) {
    if (part["waits"] || part["completed"] > completed) continue;
    missing += (missing.empty() ? "" : ", ") + part["core"].dump();
  }
  if (missing.empty()) return "";
  return "Missing in " + (*waits)["collective"].get<std::string>() + ", after " +
         std::to_string(completed) + " completed collectives: core " + missing + "\n";
}

}  // namespace

std::string waiting_part() {
  const CollectiveStanding standing = collective_standing();
  Json part = {{"core", mycore()},
               {"completed", standing.completed},
               {"waits", standing.waiting},
               {"collective", std::string(standing.what)}};
  Json& groups = part["groups"] = Json::array();
  const auto add = [&groups](size_t number, const std::string& reason) -> Json& {
    groups.push_back({{"number", number}, {"reason", reason}, {"stack", StackTrace()}});
    return groups.back();
  };
  const size_t ready = scheduler().ready_workers(), queued = scheduler().tasks().size();
  if (ready != 0) add(ready, "nothing: they are ready to run");
  if (queued != 0) add(queued, "a worker: tasks that are queued");
  struct Group {
    size_t workers = 0;
    const Worker* first = nullptr;
  };
  std::map<WaitReason, Group> waiting;
  scheduler().pool().for_each_suspended([&waiting](const Worker& worker) {
    Group& group = waiting[worker.waits];
    if (++group.workers == 1) group.first = &worker;
  });
  for (const auto& entry : waiting) {
    Json& group = add(entry.second.workers, describe(entry.first));
    group["stack"] = stack_trace_of(*entry.second.first);
    group["task"] = task_name(*entry.second.first);
  }
  if (groups.empty()) add(0, "nothing: there are no tasks");
  return text_of(part);
}

std::string waiting_table(const std::vector<std::string>& parts) {
  std::string table = "  core   number  wait for\n", stacks;
  std::map<std::string, std::string> shown;  // the first group with a stack
  std::vector<Json> answers;
  for (const std::string& part : parts) {
    if (!part.empty()) answers.push_back(Json::parse(part));
  }
  for (const Json& answer : answers) {
    const std::string core = answer["core"].dump();
    for (const Json& group : answer["groups"]) {
      const std::string reason = group["reason"];
      std::ostringstream line;
      line << "  " << std::setw(4) << core << "  " << std::setw(7) << group["number"].dump() << "  "
           << reason << '\n';
      table += line.str();
      const StackTrace stack = group["stack"];
      if (stack.empty()) continue;
      const std::string who = "core " + core + ", for " + reason;
      const std::string text =
          symbolised(stack) + "    in " + group["task"].get<std::string>() + "\n";
      std::string& before = shown[text];
      stacks += "  " + who + (before.empty() ? ":\n" + text : ": same as " + before + "\n");
      if (before.empty()) before = who;
    }
  }
  return table + missing_cores(answers) + (stacks.empty() ? "" : "One stack of each:\n" + stacks);
}

volatile bool live_table_due = false;

namespace {

volatile sig_atomic_t asked = 0;

constexpr uint64_t kPatienceNs = 500000000;
constexpr int kSecondsToPoll = 1;
constexpr unsigned kMostSecondsForNames = 4;  // the limit for the lines of a stack

/// Sends SIGUSR1 to the thread of the core after kSecondsToPoll. alarm() is not usable here,
/// because programs and the failure report use it.
timer_t timer;
bool has_timer = false;
volatile sig_atomic_t timer_is_set = 0;

FailureReport stack_report;

struct Part {
  std::string text;
  uint64_t arrived_ns = 0;  // 0: the part has not arrived
};

/// On core 0: the next table to print. The signal to core 0 starts the table, but parts may arrive
/// before. A much older part belongs to the previous table, which was printed without it.
struct Collecting {
  uint64_t since_ns = 0;    // 0: no table was requested
  std::vector<Part> parts;  // by core
} collecting;

/// mpirun also forwards SIGUSR1 to processes that have not reached init yet. Before init, a process
/// and its children ignore the signal, unless the program has its own handler.
__attribute__((constructor)) void ignore_signal_before_init() {
  struct sigaction action;
  if (::sigaction(SIGUSR1, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
    ::signal(SIGUSR1, SIG_IGN);
  }
}

void report_stack(const void* interrupted) {
  stack_report.begin();
  stack_report.add("no poll for %d s: this code does not switch\n", kSecondsToPoll);
  stack_report.add_running_worker();
  stack_report.find_stack(interrupted);
  stack_report.add_stack(kMostSecondsForNames);
  stack_report.write();
}

void on_signal(int, siginfo_t* info, void* interrupted) {
  const int error = errno;
  if (info->si_code == SI_TIMER) {
    timer_is_set = 0;
    if (asked != 0) report_stack(interrupted);
  } else {
    asked = 1;
    live_table_due = true;
    if (has_timer && timer_is_set == 0) {
      timer_is_set = 1;
      const itimerspec once = {{0, 0}, {kSecondsToPoll, 0}};
      ::timer_settime(timer, 0, &once, nullptr);
    }
  }
  errno = error;
}

void add_part(Core core, const std::string& text) {
  collecting.parts.resize(static_cast<size_t>(cores()));
  collecting.parts[static_cast<size_t>(core)] = Part{text, steady_ns()};
  if (collecting.since_ns != 0) live_table_due = true;
}

void send_part() {
  const std::string part = waiting_part();
  if (mycore() == 0) {
    if (collecting.since_ns == 0) collecting.since_ns = steady_ns();
    add_part(0, part);
    return;
  }
  // A poller must not wait for a buffer, so it sends the part as handlers do.
  const bool in_handler = scheduler().in_handler();
  scheduler().set_in_handler(true);
  const Core core = mycore();
  const auto arrive = [core](void* text, size_t bytes) {
    add_part(core, std::string(static_cast<const char*>(text), bytes));
  };
  send_message(0, arrive, part.data(), part.size());
  scheduler().set_in_handler(in_handler);
  flush_to(Core(0), FlushCause::Asked);
}

}  // namespace

void install_live_table() {
  sigevent expired = {};
  expired.sigev_notify = SIGEV_THREAD_ID;
  expired.sigev_signo = SIGUSR1;
  expired._sigev_un._tid = ::gettid();
  has_timer = ::timer_create(CLOCK_MONOTONIC, &expired, &timer) == 0;
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;  // the stack of a task may be small
  ::sigaction(SIGUSR1, &action, nullptr);
}

void answer_live_table() {
  live_table_due = false;
  if (asked != 0) {
    asked = 0;
    send_part();
  }
  if (collecting.since_ns == 0) return;
  const auto is_late = [](const Part& part) {
    return part.arrived_ns == 0 || part.arrived_ns + kPatienceNs <= collecting.since_ns;
  };
  if (steady_ns() - collecting.since_ns < kPatienceNs &&
      std::any_of(collecting.parts.begin(), collecting.parts.end(), is_late)) {
    live_table_due = true;
    return;
  }
  std::vector<std::string> parts;
  std::string late;
  for (const Part& part : collecting.parts) {
    if (is_late(part)) {
      late += "core " + std::to_string(parts.size()) +
              " has not answered: it received no signal, or its task does not switch\n";
    }
    parts.push_back(is_late(part) ? "" : part.text);
  }
  const std::string text = "grappa: what the workers wait for\n" + waiting_table(parts) + late;
  collecting = Collecting();
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace Grappa::detail
