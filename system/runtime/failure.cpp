#include "system/runtime/failure.hpp"

#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/global/heap.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/scope_tree.hpp"
#include "system/runtime/failure_report.hpp"
#include "system/runtime/failure_stack.hpp"
#include "system/runtime/first_failure.hpp"
#include "system/tasking/overflow.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/uncaught.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <unistd.h>

namespace Grappa {
namespace detail {
namespace {

constexpr size_t kSignalStackBytes = 1 * MiB;
constexpr unsigned kMostSeconds = 10;         // for a report
constexpr unsigned kMostSecondsForLines = 8;  // and beside those, to find the lines of its stack
constexpr int kAborts = -1;
constexpr bool kHandlesSignals = !GRAPPA_ASAN;  // whose reports say more

/// What is to be reported by the thread that raises SIGABRT.
struct Failure {
  const char* sentence;
  const char* place;
  int status;
  const void* code;  // null, or the function that `place` is to be looked up for
};

__thread const Failure* failed = nullptr;
FailureReport report;
std::atomic<pid_t> teller{0};  // the thread that writes the report
int ending_signal = SIGABRT;
bool cause_told = false;
bool lines_tried = false;
pid_t core_process = 0;
pid_t core_thread = 0;
bool job_ended = false;

void unblock(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  unblock(signal);
  ::raise(signal);
  ::_exit(128 + signal);  // if it was not deadly
}

/// Who is found in an absent object has called where it must not.
const char* absence_sentence() {
  if (::gettid() != core_thread) {
    return "a thread that is not the core's has called Grappa: only the thread that has called "
           "Grappa::init may, for itself and for others";
  }
  return job_ended
             ? "Grappa was called after Grappa::finalize"
             : "Grappa was called before Grappa::init: call init first in main, on every core";
}

/// The worker that runs, if this thread runs workers.
const Worker* current_worker() {
  return is_absent(the_scheduler) ? nullptr : scheduler().current();
}

/// The core whose closure runs here, if it is another one: the sender of the message that runs, or
/// the home of the scope of a task. -1 if it is this core, or not known.
int core_of_closure() {
  if (is_absent(the_scheduler) || is_absent(the_aggregator)) return -1;
  const TaskScope* const scope = scheduler().scope();
  int core = -1;
  if (scheduler().in_handler()) {
    core = aggregator().inbox().source();
  } else if (scope != nullptr && scope->wire_id != 0) {
    core = home_of(*scope);
  }
  return core == mycore() ? -1 : core;
}

/// After a fault at an address where nothing is mapped. The first 64 KiB are null pointers.
void add_hint(const void* address) {
  const int core = core_of_closure();
  if (core < 0 || reinterpret_cast<uintptr_t>(address) < 64 * KiB) return;
  report.add(
      "    what runs belongs to work of core %d: if a closure captures a reference or pointer to "
      "memory of that core, capture values and GlobalAddresses; grappa run --check finds it\n",
      core);
}

void add_signal(int signal, const siginfo_t& info) {
  const bool has_address = signal != SIGABRT && info.si_code > 0;
  const Worker* overflown = !has_address || is_absent(the_scheduler)
                                ? nullptr
                                : scheduler().worker_guarding(info.si_addr);
  if (overflown != nullptr) {
    report.add("%s\n", overflow_sentence(*overflown).text);
    return;
  }
  if (has_address && in_absent_object(info.si_addr)) {
    report.add("%s\n", absence_sentence());
  } else if (has_address && !is_absent(the_heap) && heap().is_null(info.si_addr)) {
    report.add("a null GlobalAddress was used, itself or with an offset: it names nothing\n");
  } else if (has_address) {
    report.add("fatal signal %d (%s) at address %p\n", signal, ::sigdescr_np(signal), info.si_addr);
    if (signal == SIGSEGV && info.si_code == SEGV_MAPERR) add_hint(info.si_addr);
  } else if (info.si_pid == ::getpid()) {
    report.add("fatal signal %d (%s), raised by the program itself\n", signal,
               ::sigdescr_np(signal));
  } else {
    report.add("fatal signal %d (%s), sent by process %d\n", signal, ::sigdescr_np(signal),
               static_cast<int>(info.si_pid));
  }
}

void add_failure(const Failure& failure) {
  report.add("%s", failure.sentence);
  if (failure.place[0] != '\0') report.add("  [%s]", failure.place);
  if (failure.code != nullptr) report.add_place(failure.code, kMostSecondsForLines);
  report.add("\n");
}

void add_lines() {
  lines_tried = true;
  ::alarm(kMostSecondsForLines + kMostSeconds);
  report.add_stack(kMostSecondsForLines);
}

/// Of what has stumbled, or takes too long, there is no second attempt.
void end_without_rest(int signal) {
  if (!cause_told) {
    report.add("fatal signal %d (%s)\n", ending_signal, ::sigdescr_np(ending_signal));
  }
  if (signal != SIGALRM && !lines_tried) add_lines();
  report.add_rest_of_stack();
  report.add("    (no more of the report)\n");
  report.write();
  failure_is_told();
  die_of(ending_signal);
}

/// Returns if this thread is to write the report. If not, the process ends here: it is the second
/// fault of the thread that does so already, or another thread, or not the machine's first core.
void take_turn(int signal) {
  pid_t nobody = 0;
  if (!teller.compare_exchange_strong(nobody, ::gettid())) {
    if (nobody == ::gettid()) end_without_rest(signal);
    wait_to_be_ended();
    die_of(signal);
  }
  // A process that the program has forked is no core, and takes no core's turn.
  if (::getpid() == core_process && !claim_failure()) {
    wait_to_be_ended();
    die_of(signal);
  }
}

void watch_the_clock(int signal) {
  ending_signal = signal;
  std::signal(SIGALRM, end_without_rest);
  unblock(SIGALRM);
  ::alarm(kMostSeconds);
}

/// Of a failure that we have noticed ourselves, everything is written at once. After a signal
/// nothing is certain, so its line goes first.
void write_report(int signal, const siginfo_t* info, const void* interrupted) {
  watch_the_clock(signal);
  report.begin();
  if (failed != nullptr) {
    add_failure(*failed);
  } else {
    add_signal(signal, *info);
  }
  cause_told = true;
  report.find_stack(interrupted);
  if (current_worker() != nullptr) report.add_worker(*current_worker());
  if (failed == nullptr) report.write();
  add_lines();
  report.write();
  failure_is_told();
  ::alarm(0);
}

void on_fatal_signal(int signal, siginfo_t* info, void* interrupted) {
  const bool noticed = failed != nullptr;
  take_turn(signal);
  write_report(signal, info, interrupted);
  if (noticed && failed->status != kAborts) ::_exit(failed->status);
  // Returning repeats a fault, which then kills where it has happened. What somebody has sent is
  // not repeated by itself.
  std::signal(signal, SIG_DFL);
  if (info->si_code <= 0 || signal == SIGABRT) die_of(signal);
}

void handle(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // a second fault is handled too
  ::sigaction(signal, &action, nullptr);
}

[[noreturn]] void end_by(const Failure& failure) {
  failed = &failure;
  if (kHandlesSignals) {
    handle(SIGABRT);  // somebody may have taken it
    unblock(SIGABRT);
    ::raise(SIGABRT);
  }
  take_turn(SIGABRT);
  write_report(SIGABRT, nullptr, nullptr);
  if (failure.status != kAborts) ::_exit(failure.status);
  die_of(SIGABRT);
}

[[noreturn]] void on_terminate() { fail(uncaught_sentence()); }

__attribute__((constructor)) void before_main() {
  prepare_first_failure();
  install_failure_handlers();
}

}  // namespace

void fail(const std::string& sentence, const std::string& place) {
  end_by(Failure{sentence.c_str(), place.c_str(), kAborts, nullptr});
}

void fail_in(const std::string& sentence, const void* code) {
  end_by(Failure{sentence.c_str(), "", kAborts, code});
}

void fail_with_status(const std::string& sentence, int status) {
  end_by(Failure{sentence.c_str(), "", status, nullptr});
}

void install_failure_handlers() {
  core_process = ::getpid();
  core_thread = ::gettid();
  prepare_failed_stack();
  std::set_terminate(on_terminate);
  if (!kHandlesSignals) return;
  // A handler needs a stack of its own: the usual one may be what has overflown.
  static void* const memory = map_private(kSignalStackBytes);
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kSignalStackBytes;
  ::sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) handle(signal);
}

void job_has_ended() { job_ended = true; }

}  // namespace detail
}  // namespace Grappa
