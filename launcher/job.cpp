#include "launcher/job.hpp"

#include "launcher/limits.hpp"
#include "launcher/processors.hpp"
#include "launcher/usage.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace launcher {
namespace {

using Grappa::detail::CoreState;
using Grappa::detail::FailureState;
using Grappa::detail::JobMemory;

constexpr int kQuietMs = 50;       // pause in the output before a terminal gets a partial line
constexpr int kLookMs = 200;       // interval of checks for cores that have called Grappa::init
constexpr int kToReturnMs = 1000;  // time for the other cores to exit after one has failed
constexpr int kToPrintMs = 1000;   // time for a slow reader of the output, after a signal
int64_t now_ms() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

std::string signal_text(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return "signal " + std::to_string(signal) +
         (name == nullptr ? "" : " (SIG" + std::string(name) + ")");
}

std::string core_text(int core) { return "core " + std::to_string(core); }

bool is_ignored(int signal) {
  struct sigaction action;
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Job::Job(const Options& options)
    : options_(options),
      n_(options.cores),
      cores_(static_cast<size_t>(options.cores)),
      killed_for_memory_(killed_for_memory()) {}

CoreState Job::state(int core) const {
  return static_cast<CoreState>(memory_->records()[core].state.load(std::memory_order_acquire));
}

int Job::run() {
  take_signals();
  make_memory();
  start_cores();
  while (alive_ > 0) {
    wait_and_serve();
    check_outputs();
  }
  // Kill the remaining children of the cores.
  send(SIGKILL);
  while (!all_printed()) {
    wait_and_serve();
    check_outputs();
  }
  for (const Core& core : cores_) ::waitpid(core.process, nullptr, 0);
  if (interrupted_ != 0) die_of(interrupted_);
  return status_;
}

/// After this call, the launcher reads signals from a descriptor. An ignored terminating or
/// stopping signal stays ignored, as nohup and background jobs of shells require.
void Job::take_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t taken;
  sigemptyset(&taken);
  for (const int signal : {SIGCHLD, SIGCONT, SIGALRM}) sigaddset(&taken, signal);
  for (const int signal : kForwarded) sigaddset(&taken, signal);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN}) {
    if (!is_ignored(signal)) sigaddset(&taken, signal);
  }
  ::sigprocmask(SIG_BLOCK, &taken, &mask_before_);
  signals_ = ::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) refuse("cannot open a signal descriptor: " + error_text(errno));
}

int Job::timeout_ms() const {
  int64_t least = -1;
  const auto at_most = [&least](int64_t ms) {
    if (least < 0 || ms < least) least = ms < 0 ? 0 : ms;
  };
  for (const Stream& stream : streams_) {
    if (stream.shows_part()) at_most(kQuietMs);
  }
  if (without_init_ >= 0 && !ending_) at_most(kLookMs);
  for (const int64_t at : {kill_at_ms_, drop_at_ms_}) {
    if (at >= 0) at_most(at - now_ms());
  }
  return static_cast<int>(least);
}

void Job::wait_and_serve() {
  std::vector<pollfd> wanted = {{signals_, POLLIN, 0}};
  if (start_errors_[0] >= 0) wanted.push_back({start_errors_[0], POLLIN, 0});
  for (Output* const output : {&out_, &err_}) {
    if (!output->is_empty()) wanted.push_back({output->fd(), POLLOUT, 0});
  }
  std::vector<Stream*> due;
  const size_t first_stream = wanted.size();
  for (Stream& stream : streams_) {
    if (!stream.is_due()) continue;
    wanted.push_back({stream.pipe(), POLLIN, 0});
    due.push_back(&stream);
  }
  const int ready = ::poll(wanted.data(), wanted.size(), timeout_ms());
  if (ready < 0) return;  // EINTR
  if (ready == 0) {
    for (Stream& stream : streams_) {
      if (stream.shows_part()) stream.show_part();
    }
  }
  for (size_t k = 0; k < due.size(); ++k) {
    if (wanted[first_stream + k].revents != 0) due[k]->read_some();
  }
  for (size_t k = 0; k < first_stream; ++k) {
    if (wanted[k].revents == 0) continue;
    for (Output* const output : {&out_, &err_}) {
      if (wanted[k].fd == output->fd()) output->write_some();
    }
  }
  read_start_error();
  read_signals();
  judge_those_without_init();
  if (kill_at_ms_ >= 0 && now_ms() >= kill_at_ms_) end_all();
}

void Job::read_signals() {
  signalfd_siginfo info;
  while (::read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    on_signal(static_cast<int>(info.ssi_signo));
  }
}

void Job::on_signal(int signal) {
  switch (signal) {
    case SIGCHLD: look_for_ended(); break;
    case SIGTSTP:
    case SIGTTIN: stop(); break;
    case SIGUSR1:
    case SIGUSR2:
    case SIGCONT: send(signal); break;
    case SIGALRM: break;
    default:
      if (interrupted_ != 0) die_of(signal);  // the second request of the user
      interrupted_ = signal;
      drop_at_ms_ = now_ms() + kToPrintMs;
      fail("the job was terminated by " + signal_text(signal), 128 + signal);
  }
}

/// Stops the cores, then this process, as a shell expects. SIGCONT later resumes both.
void Job::stop() {
  send(SIGSTOP);
  ::raise(SIGSTOP);
}

void Job::look_for_ended() {
  for (int core = 0; core < n_; ++core) {
    Core& mine = cores_[static_cast<size_t>(core)];
    siginfo_t end = {};
    if (mine.process < 0 || mine.ended ||
        ::waitid(P_PID, static_cast<id_t>(mine.process), &end, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        end.si_pid == 0) {
      continue;
    }
    mine.ended = true;
    --alive_;
    if (!ending_) judge(core, end);
  }
}

void Job::judge(int core, const siginfo_t& end) {
  const bool killed = end.si_code != CLD_EXITED;
  const int status = end.si_status;
  const bool reported = memory_->failure.load() == static_cast<uint32_t>(FailureState::Reported);
  if (killed) {
    std::string sentence = core_text(core) + " was killed by " + signal_text(status);
    if (status == SIGKILL && killed_for_memory() > killed_for_memory_) {
      sentence += ", out of memory: use a smaller input or more memory";
    }
    fail(reported ? "" : sentence, 128 + status);
    return;
  }
  switch (state(core)) {
    case CoreState::Started:
      // A program that does not use Grappa may return any status: print no message.
      if (status != 0) fail("", status);
      without_init_ = core;
      break;
    case CoreState::Running:
      fail(reported ? ""
                    : core_text(core) + " exited with status " + std::to_string(status) +
                          " without Grappa::finalize",
           status != 0 ? status : kFailed);
      break;
    case CoreState::Finalized:
      // The other cores return soon, too, and may still print.
      if (status_ == 0) status_ = status;
      if (status != 0 && kill_at_ms_ < 0) kill_at_ms_ = now_ms() + kToReturnMs;
      break;
  }
}

/// Fails the job if a core exited without Grappa::init, but another core called it and would hang.
void Job::judge_those_without_init() {
  if (without_init_ < 0 || ending_) return;
  for (int core = 0; core < n_; ++core) {
    if (state(core) == CoreState::Started) continue;
    fail(core_text(without_init_) + " exited with status 0 without Grappa::init", kFailed);
    return;
  }
}

void Job::check_outputs() {
  const auto check = [this](const Output& output, const char* name) {
    if (!output.has_failed() || status_ != 0) return;
    fail(std::string("cannot write the standard ") + name +
             " of the job: " + error_text(output.error()),
         kFailed);
  };
  check(out_, "output");
  check(err_, "error");
}

void Job::fail(const std::string& sentence, int status) {
  if (ending_) return;
  if (status_ == 0) status_ = status;
  if (!sentence.empty()) sentence_ = "grappa: " + sentence + "\n";
  end_all();
}

void Job::send(int signal) {
  const bool to_group = signal == SIGKILL || signal == SIGSTOP || signal == SIGCONT;
  for (const Core& core : cores_) {
    if (core.process < 0) continue;
    if (core.has_group && to_group) {
      ::kill(-core.process, signal);
    } else if (!core.ended) {
      ::kill(core.process, signal);
    }
  }
}

void Job::end_all() {
  ending_ = true;
  kill_at_ms_ = -1;
  send(SIGKILL);
}

/// Returns true once all output is written, or kToPrintMs after a signal. Requires that all cores
/// have ended.
bool Job::all_printed() {
  const bool in_time = drop_at_ms_ < 0 || now_ms() < drop_at_ms_;
  bool finished = true;
  for (Stream& stream : streams_) finished = stream.finish() && finished;
  if (finished && !sentence_.empty()) {
    err_.add(sentence_.data(), sentence_.size());
    sentence_.clear();
  }
  return !in_time || (finished && out_.is_empty() && err_.is_empty());
}

void Job::die_of(int signal) {
  send(SIGKILL);
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::_exit(128 + signal);
}

}  // namespace launcher
