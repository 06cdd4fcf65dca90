#include "system/failure/waiting_table.hpp"

#include "system/base/type_name.hpp"
#include "system/failure/stack_trace.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <map>
#include <sstream>

namespace Grappa {
namespace detail {
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
    case WaitReason::Kind::Scope: {
      const FinishScope* scope = static_cast<const FinishScope*>(reason.object());
      return at("the end of the finish scope", reason) + ", " + std::to_string(scope->open) +
             " open";
    }
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

struct Group {
  size_t workers = 0;
  StackTrace stack;  // of the first worker
  std::string task;  // of the first worker
};

/// The name of the closure that a worker runs, cut to fit in a line.
std::string task_name(const Worker& worker) {
  if (worker.role == Worker::Role::RunsMain) return "the main task";
  if (worker.runs == nullptr) return "";
  constexpr size_t kLongest = 160;
  size_t length = 0;
  const char* name = type_name_in(worker.runs, &length);
  return std::string(name, std::min(length, kLongest));
}

}  // namespace

/// The progress of a core in the order of collectives.
struct Standing {
  std::string core;
  uint64_t completed;
  bool waiting;
  std::string what;
};

/// Names the cores that have not reached the collective in which other cores wait.
std::string missing_cores(const std::vector<Standing>& standings) {
  const Standing* waits = nullptr;
  for (const Standing& standing : standings) {
    if (standing.waiting) waits = &standing;
  }
  if (waits == nullptr) return "";
  std::string missing;
  for (const Standing& standing : standings) {
    if (standing.waiting || standing.completed > waits->completed) continue;
    missing += (missing.empty() ? "" : ", ") + standing.core;
  }
  if (missing.empty()) return "";
  return "Missing in " + waits->what + ", after " + std::to_string(waits->completed) +
         " completed collectives: core " + missing + "\n";
}

// A part has a line on collectives (core, number completed, whether a task waits in one, its name)
// and a line for each group (core, workers, addresses, task, reason), with tabs between the fields.

std::string waiting_part() {
  std::map<WaitReason, Group> groups;
  scheduler().pool().for_each_suspended([&groups](const Worker& worker) {
    Group& group = groups[worker.waits];
    if (group.workers++ != 0) return;
    group.stack = stack_trace_of(worker);
    group.task = task_name(worker);
  });
  std::ostringstream part;
  const CollectiveStanding standing = collective_standing();
  part << mycore() << '\t' << standing.completed << '\t' << standing.waiting << '\t'
       << standing.what << '\n';
  const size_t line_of_standing = part.str().size();
  const size_t ready = scheduler().ready_workers(), queued = scheduler().queued_tasks();
  if (ready != 0) part << mycore() << '\t' << ready << "\t\t\tnothing: they are ready to run\n";
  if (queued != 0) part << mycore() << '\t' << queued << "\t\t\ta worker: tasks that are queued\n";
  for (const auto& entry : groups) {
    part << mycore() << '\t' << entry.second.workers << '\t' << std::hex;
    for (const uintptr_t address : entry.second.stack) part << ' ' << address;
    part << std::dec << '\t' << entry.second.task << '\t' << describe(entry.first) << '\n';
  }
  if (part.str().size() == line_of_standing)
    part << mycore() << "\t0\t\t\tnothing: there are no tasks\n";
  return part.str();
}

std::string waiting_table(const std::vector<std::string>& parts) {
  std::string table = "  core   number  wait for\n", stacks;
  std::map<std::string, std::string> shown;  // the first group with a stack
  std::vector<Standing> standings;
  for (const std::string& part : parts) {
    std::istringstream lines(part);
    std::string core, workers, addresses, task, reason;
    std::string completed, waiting, what;
    if (!std::getline(lines, core, '\t') || !std::getline(lines, completed, '\t') ||
        !std::getline(lines, waiting, '\t') || !std::getline(lines, what)) {
      continue;  // the core has not answered
    }
    standings.push_back(Standing{core, std::stoull(completed), waiting == "1", what});
    while (std::getline(lines, core, '\t') && std::getline(lines, workers, '\t') &&
           std::getline(lines, addresses, '\t') && std::getline(lines, task, '\t') &&
           std::getline(lines, reason)) {
      std::ostringstream line;
      line << "  " << std::setw(4) << core << "  " << std::setw(7) << workers << "  " << reason;
      table += line.str() + "\n";
      StackTrace stack;
      std::istringstream numbers(addresses);
      for (uintptr_t address = 0; numbers >> std::hex >> address;) stack.push_back(address);
      if (stack.empty()) continue;
      const std::string who = "core " + core + ", for " + reason;
      const std::string text = symbolised(stack) + "    in " + task + "\n";
      std::string& before = shown[text];
      stacks += "  " + who + (before.empty() ? ":\n" + text : ": same as " + before + "\n");
      if (before.empty()) before = who;
    }
  }
  return table + missing_cores(standings) + (stacks.empty() ? "" : "One stack of each:\n" + stacks);
}

}  // namespace detail
}  // namespace Grappa
