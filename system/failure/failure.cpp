#include "system/failure/failure.hpp"

#include "system/base/compiler.hpp"
#include "system/base/core_local.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/failure/failure_report.hpp"
#include "system/global/heap.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/worker_pool.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include <cxxabi.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

constexpr size_t kSignalStackBytes = 1 * MiB;
constexpr unsigned kMostSeconds = 10;         // limit for a report without source lines
constexpr unsigned kMostSecondsForLines = 8;  // added to look up the lines of the stack
constexpr int kAborts = -1;
constexpr bool kHandlesSignals = !GRAPPA_ASAN;  // AddressSanitizer's reports have more details

/// The failure to report. The thread that raises SIGABRT stores it.
struct Failure {
  const char* sentence;
  const char* place;
  int status;
  const void* code;  // null, or the function whose location is to be reported as `place`
};

__thread const Failure* failed = nullptr;
FailureReport report;
std::atomic<pid_t> teller{0};  // the thread that writes the report
int ending_signal = SIGABRT;
bool cause_reported = false;
bool lines_tried = false;
pid_t core_process = 0;
pid_t core_thread = 0;
bool job_ended = false;

std::atomic<uint32_t>* word = nullptr;  // null: the processes of the job share no memory
constexpr char kNameOfJob[] = "PMIX_NAMESPACE";
constexpr int kMostTenthsForReport = 300;  // looking up many names takes long
constexpr int kTenthsToBeEnded = 30;
constexpr int kTenthsBetweenStarts = 10;

void sleep_tenths(int tenths) {
  timespec time = {tenths / 10, tenths % 10 * 100000000L};
  while (::nanosleep(&time, &time) != 0) {}  // continue after an interruption
}

bool is_reported() {
  return word != nullptr && word->load() == static_cast<uint32_t>(FailureState::Reported);
}

/// Returns true for the first core of this machine that calls this function. If the processes of
/// the job share no memory, that is the first process that can bind a socket to the name of the
/// job. Such a name (Linux's abstract namespace) is freed when its process ends. Here, getenv and
/// snprintf are safe in signal handlers (FailureReport::add).
bool claim_failure() {
  if (before_failure != nullptr) before_failure();
  if (word != nullptr) {
    uint32_t expected = static_cast<uint32_t>(FailureState::None);
    return word->compare_exchange_strong(expected, static_cast<uint32_t>(FailureState::Claimed));
  }
  const char* job = std::getenv(kNameOfJob);
  if (job == nullptr) return true;  // not started by mpirun: one core
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return true;
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  const int length = std::snprintf(name.sun_path + 1, sizeof name.sun_path - 1,
                                   "grappa failure %u %.80s", ::getuid(), job);
  const size_t bytes = offsetof(sockaddr_un, sun_path) + 1 + static_cast<size_t>(length);
  return ::bind(socket, reinterpret_cast<sockaddr*>(&name), static_cast<socklen_t>(bytes)) == 0;
}

void failure_reported() {
  if (word != nullptr) {
    word->store(static_cast<uint32_t>(FailureState::Reported));
  } else if (std::getenv(kNameOfJob) != nullptr) {
    // When this process ends, its name is free again. Other cores may not have reached main yet.
    sleep_tenths(kTenthsBetweenStarts);
  }
}

/// Called by a core that must not report. Waits until the launcher ends this process, but returns a
/// few seconds after the report was written.
void wait_to_be_ended() {
  for (int k = 0; k < kMostTenthsForReport && !is_reported(); ++k) sleep_tenths(1);
  sleep_tenths(kTenthsToBeEnded);
}

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
  ::_exit(128 + signal);  // if the signal did not kill the process
}

/// Returns the sentence for a use of a runtime object that does not exist.
const char* absence_sentence() {
  if (::gettid() != core_thread) {
    return "Grappa was called by another thread: only the thread that called Grappa::init may "
           "call Grappa";
  }
  if (job_ended) return "Grappa was called after Grappa::finalize";
  return "Grappa was called before Grappa::init: call init first in main, on every core";
}

/// Adds a hint after a fault at an unmapped address, if another core sent the running code in a
/// message, or as a task of a scope of that core. Addresses below 64 KiB are null pointers.
void add_hint(const void* address) {
  if (is_absent(the_scheduler) || is_absent(the_aggregator)) return;
  const TaskScope* const scope = scheduler().scope();
  int core = mycore();
  if (aggregator().inbox().executing()) {
    core = the_sender;
  } else if (scope != nullptr && scope->wire_id != 0) {
    core = home_of(*scope);
  }
  if (core < 0 || core == mycore() || reinterpret_cast<uintptr_t>(address) < 64 * KiB) return;
  report.add(
      "    this code runs on behalf of core %d: if its closure captures a reference or pointer to "
      "memory of that core, capture values and GlobalAddresses; grappa run --check finds it\n",
      core);
}

void add_signal(int signal, const siginfo_t& info) {
  const bool has_address = signal != SIGABRT && info.si_code > 0;
  const bool tasks = has_address && !is_absent(the_scheduler);
  const Worker* overflown =
      tasks ? scheduler().pool().whose(&Stack::guards, info.si_addr) : nullptr;
  if (overflown != nullptr) {
    report.add("%s\n", overflow_sentence(*overflown).text);
  } else if (has_address && in_absent_object(info.si_addr)) {
    report.add("%s\n", absence_sentence());
  } else if (has_address && !is_absent(the_heap) && heap().is_null(info.si_addr)) {
    report.add("a null GlobalAddress was used, directly or with an offset: initialize it first\n");
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

void add_lines() {
  lines_tried = true;
  ::alarm(kMostSecondsForLines + kMostSeconds);
  report.add_stack(kMostSecondsForLines);
}

/// Ends the report and the process after a second fault or a timeout.
void end_without_rest(int signal) {
  if (!cause_reported) {
    report.add("fatal signal %d (%s)\n", ending_signal, ::sigdescr_np(ending_signal));
  }
  if (signal != SIGALRM && !lines_tried) add_lines();
  report.add_rest_of_stack();
  report.add("    (the rest of the report is missing)\n");
  report.write();
  failure_reported();
  die_of(ending_signal);
}

/// Returns if this thread must write the report. Otherwise, ends the process.
void take_turn(int signal) {
  pid_t writer = 0;
  const bool first = teller.compare_exchange_strong(writer, ::gettid());
  if (!first && writer == ::gettid()) end_without_rest(signal);
  // A forked child process is not a core, so it does not claim the report.
  if (first && (::getpid() != core_process || claim_failure())) return;
  wait_to_be_ended();
  die_of(signal);
}

/// If the runtime has detected the failure, the whole report is written at once. After a signal,
/// another fault may follow at any time, so the first lines are written before the stack.
void write_report(int signal, const siginfo_t* info, const void* interrupted) {
  ending_signal = signal;
  std::signal(SIGALRM, end_without_rest);
  unblock(SIGALRM);
  ::alarm(kMostSeconds);
  report.begin();
  if (failed != nullptr) {
    report.add("%s", failed->sentence);
    if (failed->place[0] != '\0') report.add("  [%s]", failed->place);
    if (failed->code != nullptr) report.add_place(failed->code, kMostSecondsForLines);
    report.add("\n");
  } else {
    add_signal(signal, *info);
  }
  cause_reported = true;
  report.find_stack(interrupted);
  report.add_running_worker();
  if (failed == nullptr) report.write();
  add_lines();
  report.write();
  failure_reported();
  ::alarm(0);
}

void on_fatal_signal(int signal, siginfo_t* info, void* interrupted) {
  const bool noticed = failed != nullptr;
  take_turn(signal);
  write_report(signal, info, interrupted);
  if (noticed && failed->status != kAborts) ::_exit(failed->status);
  // If this handler returns, a fault occurs again and kills the process at the same instruction. A
  // signal that a process has sent does not occur again, so it is raised here.
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
    handle(SIGABRT);  // the program may have replaced the handler
    unblock(SIGABRT);
    ::raise(SIGABRT);
  }
  take_turn(SIGABRT);
  write_report(SIGABRT, nullptr, nullptr);
  if (failure.status != kAborts) ::_exit(failure.status);
  die_of(SIGABRT);
}

std::string uncaught_sentence() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "std::terminate was called";
  const bool in_worker = in_job() && current_worker() != nullptr;
  const char* const main = ::gettid() == ::getpid() ? "main" : "a thread that is not the core's";
  const std::string left = std::string(" left ") + (in_worker ? "a task or a message" : main);
  int status = 0;
  const char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const std::string why = std::string(" (") + (status == 0 ? name : type->name()) +
                          ", caught nowhere or stopped by noexcept)" +
                          (in_worker ? ": exceptions do not cross a delegate, a loop or a task; "
                                       "catch them inside its body"
                                     : "");
  try {
    throw;
  } catch (const std::exception& error) {
    return "an exception" + left + ": " + error.what() + why;
  } catch (...) {
    return "an exception that is not a std::exception" + left + why;
  }
}

[[noreturn]] void on_terminate() { fail(uncaught_sentence()); }

__attribute__((constructor)) void before_main() {
  JobMemory* const job = inherited_job().memory;
  if (job != nullptr) word = &job->failure;
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
  uintptr_t address;
  walk_interrupted(nullptr, &address, 1);  // loads everything that it needs in a failed process
  std::set_terminate(on_terminate);
  if (!kHandlesSignals) return;
  // The handler needs its own stack: the normal stack may have overflowed.
  static void* const memory = map_private(kSignalStackBytes);
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kSignalStackBytes;
  ::sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) handle(signal);
}

void share_failure_claim() { word = world().failure_word(); }

void job_has_ended() { job_ended = true; }

}  // namespace Grappa::detail
