#include "launcher/job.hpp"

#include "launcher/limits.hpp"
#include "launcher/processors.hpp"
#include "launcher/usage.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
constexpr int kFailed = 1;         // the exit status if no core provides one

constexpr int kForwarded[] = {SIGUSR1, SIGUSR2};

struct StartError {
  int core;
  int error;
};

int64_t now_ms() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

std::string error_text(int error) { return std::strerror(error); }

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

std::string start_error_text(const std::string& program, int error) {
  if (error == ENOEXEC) {
    return program + " is neither a program nor a script that begins with #! and an interpreter";
  }
  if (error == ENOENT) {
    return "cannot start " + program + ": its interpreter or dynamic loader was not found";
  }
  return "cannot start " + program + ": " + error_text(error);
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

/// From here on, the launcher reads signals from a descriptor. An ignored terminating or stopping
/// signal stays ignored, as nohup and background jobs of shells require.
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

void Job::make_memory() {
  const size_t bytes = Grappa::detail::job_memory_bytes(static_cast<size_t>(n_));
  memory_file_ = ::memfd_create("grappa_job", MFD_CLOEXEC);
  if (memory_file_ < 0 || ::ftruncate(memory_file_, static_cast<off_t>(bytes)) != 0) {
    refuse("cannot create a memory file of " + std::to_string(bytes) +
           " bytes: " + error_text(errno));
  }
  // Only the cores map the rest.
  const size_t mine = Grappa::detail::job_memory_bytes(0) +
                      static_cast<size_t>(n_) * sizeof(Grappa::detail::CoreRecord);
  void* const memory = ::mmap(nullptr, mine, PROT_READ | PROT_WRITE, MAP_SHARED, memory_file_, 0);
  if (memory == MAP_FAILED) {
    refuse("cannot map " + std::to_string(mine) + " bytes: " + error_text(errno));
  }
  memory_ = static_cast<JobMemory*>(memory);
  memory_->version = Grappa::detail::kJobMemoryVersion;
  memory_->cores = static_cast<uint32_t>(n_);
}

void Job::start_cores() {
  std::vector<char*> arguments;
  for (const std::string& argument : options_.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  std::vector<cpu_set_t> processors;
  if (!options_.shared) processors = processors_of_cores(n_);
  // The output of a core is a pipe: a core cannot detect the terminal
  // (system/parallel/progress.hpp).
  ::unsetenv("GRAPPA_TERMINAL");
  if (err_.is_terminal()) ::setenv("GRAPPA_TERMINAL", "1", 1);
  if (options_.check) ::setenv("GRAPPA_CHECK", "1", 1);

  if (::pipe2(start_errors_, O_CLOEXEC) != 0) refuse("cannot open a pipe: " + error_text(errno));
  streams_.reserve(2 * cores_.size());
  for (int core = 0; core < n_ && !ending_; ++core) {
    start_core(core, arguments,
               processors.empty() ? nullptr : &processors[static_cast<size_t>(core)]);
  }
  ::close(start_errors_[1]);
}

void Job::start_core(int core, const std::vector<char*>& arguments, const cpu_set_t* processors) {
  int out[2], err[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(err, O_CLOEXEC) != 0) {
    fail("cannot open a pipe for core " + std::to_string(core) + ": " + error_text(errno),
         kRefused);
    return;
  }
  Core& mine = cores_[static_cast<size_t>(core)];
  mine.has_group = core > 0 || ::isatty(STDIN_FILENO) != 1;
  const pid_t process = ::fork();
  if (process == 0) {
    const int pipes[2] = {out[1], err[1]};
    become_core(core, pipes, arguments, processors);
  }
  const int error = errno;
  ::close(out[1]);
  ::close(err[1]);
  streams_.emplace_back(out[0], &out_);
  streams_.emplace_back(err[0], &err_);
  if (process < 0) {
    fail("cannot start process " + std::to_string(core + 1) + " of " + std::to_string(n_) + ": " +
             error_text(error) + (error == EAGAIN ? ": raise the process limit (ulimit -u)" : ""),
         kRefused);
    return;
  }
  if (mine.has_group) ::setpgid(process, process);  // the child does so, too: either may be first
  mine.process = process;
  ++alive_;
}

void Job::become_core(int core, const int pipes[2], const std::vector<char*>& arguments,
                      const cpu_set_t* processors) {
  const pid_t launcher = ::getppid();
  const auto give_up = [this, core](int error) {
    const StartError start_error = {core, error};
    // The write fails if the launcher, which reads the pipe, has terminated.
    const ssize_t written = ::write(start_errors_[1], &start_error, sizeof start_error);
    ::_exit(written < 0 ? 1 : kRefused);
  };
  if (cores_[static_cast<size_t>(core)].has_group) ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launcher) ::_exit(kFailed);  // the launcher died before prctl
  if (core > 0) {
    const int null = ::open("/dev/null", O_RDONLY);
    if (null < 0 || ::dup2(null, STDIN_FILENO) < 0) give_up(errno);
    if (null != STDIN_FILENO) ::close(null);
  }
  if (::dup2(pipes[0], STDOUT_FILENO) < 0 || ::dup2(pipes[1], STDERR_FILENO) < 0) give_up(errno);
  // A failure to bind is not an error.
  if (processors != nullptr) ::sched_setaffinity(0, sizeof *processors, processors);

  ::fcntl(memory_file_, F_SETFD, 0);
  const std::string place = std::to_string(memory_file_) + ":" + std::to_string(core);
  ::setenv(Grappa::detail::kJobVariable, place.c_str(), 1);

  // Until a core handles these signals, it ignores them.
  for (const int signal : kForwarded) ::signal(signal, SIG_IGN);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  ::execv(arguments[0], arguments.data());
  give_up(errno);
  ::_exit(kFailed);
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

void Job::read_start_error() {
  if (start_errors_[0] < 0) return;
  pollfd input = {start_errors_[0], POLLIN, 0};
  if (::poll(&input, 1, 0) != 1) return;
  StartError start_error;
  const ssize_t got = ::read(start_errors_[0], &start_error, sizeof start_error);
  if (got == static_cast<ssize_t>(sizeof start_error)) {
    fail(start_error_text(options_.command[0], start_error.error), kRefused);
  } else {
    ::close(start_errors_[0]);
    start_errors_[0] = -1;
  }
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
      // The other cores are about to return, too, and may still print.
      if (status_ == 0) status_ = status;
      if (status != 0 && kill_at_ms_ < 0) kill_at_ms_ = now_ms() + kToReturnMs;
      break;
  }
}

/// Fails the job if one core exited without Grappa::init: a core that called it would wait forever.
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
