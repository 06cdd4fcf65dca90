#include "system/failure/live_table.hpp"

#include "system/failure/failure_report.hpp"
#include "system/failure/waiting_table.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <signal.h>
#include <time.h>
#include <unistd.h>

namespace Grappa {
namespace detail {

volatile bool live_table_due = false;

namespace {

volatile sig_atomic_t asked = 0;

constexpr uint64_t kPatienceNs = 500000000;
constexpr int kSecondsToPoll = 1;
constexpr unsigned kMostSecondsForNames = 4;  // to look up the lines of a stack

/// Sends SIGUSR1 to the core's own thread after kSecondsToPoll. alarm() would not do: programs and
/// the failure report use it.
timer_t timer;
bool has_timer = false;
volatile sig_atomic_t timer_is_set = 0;

FailureReport stack_report;

struct Part {
  std::string text;
  uint64_t arrived_ns = 0;  // 0: the part has not arrived
};

/// On core 0: a table that is not printed yet. The signal to core 0 starts the table. Parts may
/// arrive before it; a part that is much older belongs to the previous table, which did not wait.
struct Collecting {
  uint64_t since_ns = 0;    // 0: no table was requested
  std::vector<Part> parts;  // by core
};

Collecting& collecting() {
  static Collecting state;
  return state;
}

/// mpirun forwards SIGUSR1 to processes that have not reached init yet. Before init a process, and
/// its children, ignore the signal, unless the program has its own handler.
__attribute__((constructor)) void ignore_signal_before_init() {
  struct sigaction action;
  if (::sigaction(SIGUSR1, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
    ::signal(SIGUSR1, SIG_IGN);
  }
}

void report_stack(const void* interrupted) {
  stack_report.begin();
  stack_report.add("no poll for %d s: this code does not switch\n", kSecondsToPoll);
  if (!is_absent(the_scheduler) && scheduler().current() != nullptr) {
    stack_report.add_worker(*scheduler().current());
  }
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
    detail::live_table_due = true;
    if (has_timer && timer_is_set == 0) {
      timer_is_set = 1;
      const itimerspec once = {{0, 0}, {kSecondsToPoll, 0}};
      ::timer_settime(timer, 0, &once, nullptr);
    }
  }
  errno = error;
}

void add_part(Core core, const std::string& text) {
  Collecting& state = collecting();
  state.parts.resize(static_cast<size_t>(cores()));
  state.parts[static_cast<size_t>(core)] = Part{text, steady_ns()};
  if (state.since_ns != 0) detail::live_table_due = true;
}

void send_part() {
  const std::string part = waiting_part();
  if (mycore() == 0) {
    if (collecting().since_ns == 0) collecting().since_ns = steady_ns();
    add_part(0, part);
    return;
  }
  // A poller must not wait for a buffer, so it sends like a handler.
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

void print_if_complete() {
  Collecting& state = collecting();
  const auto is_late = [&state](const Part& part) {
    return part.arrived_ns + kPatienceNs <= state.since_ns;
  };
  if (steady_ns() - state.since_ns < kPatienceNs &&
      std::any_of(state.parts.begin(), state.parts.end(), is_late)) {
    detail::live_table_due = true;
    return;
  }
  std::vector<std::string> parts;
  std::string late;
  for (const Part& part : state.parts) {
    if (is_late(part)) {
      late += "core " + std::to_string(parts.size()) +
              " has not answered: it received no signal, or its task does not switch\n";
    }
    parts.push_back(is_late(part) ? "" : part.text);
  }
  const std::string text = "grappa: what the workers wait for\n" + waiting_table(parts) + late;
  state = Collecting();
  std::fwrite(text.data(), 1, text.size(), stderr);
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
  if (collecting().since_ns != 0) print_if_complete();
}

}  // namespace detail
}  // namespace Grappa
