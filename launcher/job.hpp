#pragma once

/// A job on this host: starts one process per core and waits for all of them.
///
/// Each core leads its own process group. Signals to the launcher's group therefore reach only the
/// launcher, and SIGKILL to a core's group also reaches the children of the core. If stdin is a
/// terminal, core 0 stays in the launcher's group, because only the foreground group can read from
/// a terminal. The children of core 0 are then not killed. The kernel kills a core when the
/// launcher dies. A terminated core stays a zombie until the end of the job, so the number of its
/// process group is not reused.

#include "launcher/options.hpp"
#include "launcher/output.hpp"
#include "system/net/job_memory.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <sched.h>
#include <signal.h>
#include <sys/types.h>

namespace launcher {

constexpr int kFailed = 1;                        // the exit status if no core provides one
constexpr int kForwarded[] = {SIGUSR1, SIGUSR2};  // signals to the launcher that the cores get

inline std::string error_text(int error) { return std::strerror(error); }

/// job.cpp runs a job, and start.cpp starts its cores.
class Job {
 public:
  explicit Job(const Options& options);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Runs the job and returns its exit status. If a signal terminated the job, this process
  /// terminates by the same signal.
  int run();

 private:
  struct Core {
    pid_t process = -1;
    bool has_group = false;
    bool ended = false;
  };

  void take_signals();
  void make_memory();
  void start_cores();
  void start_core(int core, const std::vector<char*>& arguments, const cpu_set_t* processors);
  [[noreturn]] void become_core(int core, const int pipes[2], const std::vector<char*>& arguments,
                                const cpu_set_t* processors);

  void wait_and_serve();
  int timeout_ms() const;
  void read_start_error();
  void read_signals();
  void on_signal(int signal);
  void stop();
  void look_for_ended();
  void judge(int core, const siginfo_t& end);
  void judge_those_without_init();
  void check_outputs();
  void fail(const std::string& sentence, int status);
  void send(int signal);
  void end_all();
  bool all_printed();
  [[noreturn]] void die_of(int signal);

  Grappa::detail::CoreState state(int core) const;

  const Options& options_;
  const int n_;
  std::vector<Core> cores_;
  int alive_ = 0;
  Grappa::detail::JobMemory* memory_ = nullptr;
  int memory_file_ = -1;
  int signals_ = -1;
  sigset_t mask_before_;
  int start_errors_[2] = {-1, -1};  // pipe for start errors; the end of a core is closed by exec
  Output out_{1};
  Output err_{2};
  std::vector<Stream> streams_;

  int status_ = 0;
  bool ending_ = false;    // the cores are being killed
  int interrupted_ = 0;    // the signal that terminated the job
  int without_init_ = -1;  // a core that exited with status 0 without calling Grappa::init
  std::string sentence_;   // the launcher's error report; empty if a core reported the failure
  int64_t kill_at_ms_ = -1;
  int64_t drop_at_ms_ = -1;
  long killed_for_memory_;
};

}  // namespace launcher
