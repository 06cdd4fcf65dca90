#include "launcher/job.hpp"

#include "launcher/limits.hpp"
#include "launcher/processors.hpp"
#include "launcher/usage.hpp"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace launcher {
namespace {

using Grappa::detail::JobMemory;

struct StartError {
  int core;
  int error;
};

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
  // The output of a core is a pipe, so a core cannot detect the terminal
  // (system/parallel/progress.hpp).
  ::unsetenv("GRAPPA_TERMINAL");
  if (err_.is_terminal()) ::setenv("GRAPPA_TERMINAL", "1", 1);
  if (options_.check) ::setenv("GRAPPA_CHECK", "1", 1);
  ::unsetenv(Grappa::detail::kSimulationVariable);
  if (!options_.simulate.empty()) {
    ::setenv(Grappa::detail::kSimulationVariable, options_.simulate.c_str(), 1);
  }

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
  if (mine.has_group) ::setpgid(process, process);  // the child does this, too, and may be first
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

  // A core ignores these signals until it has installed a handler.
  for (const int signal : kForwarded) ::signal(signal, SIG_IGN);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  ::execv(arguments[0], arguments.data());
  give_up(errno);
  ::_exit(kFailed);
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

}  // namespace launcher
