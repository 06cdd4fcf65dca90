/// The start and the end of a simulation: forks the cores, prints their output in the order of the
/// virtual time, and exits with the status of the core that failed first.

#include "system/base/check.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/net/sim/cluster.hpp"
#include "system/net/sim/options.hpp"
#include "system/net/sim/slices.hpp"
#include "system/net/sim/world.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

constexpr size_t kMemoryOfCore = 4 * GiB;  // physical memory that a simulated core seems to have
constexpr uint64_t kPrintedToFree = 16 * MiB;  // of a file, before its pages are freed
/// With fewer cores, a window is shorter than the time in which another processor wakes up: bfs on
/// 8x4 cores took 0.5 s on one lane, and 9 s on two lanes beside a build.
constexpr int kFewCores = 256;

constexpr int kStuckStatus = 3;      // like that of a deadlock
constexpr int kViolationStatus = 4;  // an error of the runtime that the simulation has found

std::vector<int> allowed_processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> processors;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return {0};
  for (int k = 0; k < CPU_SETSIZE; ++k) {
    if (CPU_ISSET(k, &allowed)) processors.push_back(k);
  }
  return processors;
}

/// The numbers in the names of a folder of /proc.
std::vector<int> numbers_in(const char* path) {
  std::vector<int> numbers;
  DIR* const folder = ::opendir(path);
  if (folder == nullptr) return numbers;
  while (const dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const int number = std::atoi(entry->d_name);
    if (number != ::dirfd(folder)) numbers.push_back(number);
  }
  ::closedir(folder);
  return numbers;
}

bool has_threads() { return numbers_in("/proc/self/task").size() > 1; }

/// Opens regular files of the program again, so that this process has an offset of its own.
void reopen_files() {
  for (const int fd : numbers_in("/proc/self/fd")) {
    struct stat file;
    if (fd <= STDERR_FILENO || ::fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) continue;
    if (file.st_nlink == 0) continue;  // unnamed: shared on purpose
    const int flags = ::fcntl(fd, F_GETFL), more = ::fcntl(fd, F_GETFD);
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    const int again = ::open(path.c_str(), flags & ~(O_CREAT | O_EXCL | O_TRUNC));
    if (again < 0)
      input_error("a file that was opened before Grappa::init cannot be simulated: " + path);
    ::lseek(again, ::lseek(fd, 0, SEEK_CUR), SEEK_SET);
    ::dup3(again, fd, (more & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    ::close(again);
  }
}

/// Raises the soft limit of processes, or says what is missing.
void require_processes(int cores) {
  rlimit limit;
  if (::getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const rlim_t needed = static_cast<rlim_t>(cores) + 16;
  if (limit.rlim_cur >= needed) return;
  limit.rlim_cur = std::min(needed, limit.rlim_max);
  if (limit.rlim_max >= needed && ::setrlimit(RLIMIT_NPROC, &limit) == 0) return;
  input_error("a simulation of " + std::to_string(cores) + " cores needs " +
              std::to_string(needed) + " processes, but the limit is " +
              std::to_string(limit.rlim_max) + ": raise it (ulimit -u)");
}

/// The process that forked the cores.
class Conductor {
 public:
  Conductor(Cluster* cluster, const InheritedJob& launched)
      : cluster_(*cluster), launched_(launched.memory) {}

  [[noreturn]] void run();

 private:
  void print_pending();
  void print(const SimPrint& part);
  void print_rest();
  void collect_ended();
  void fail(int core, int status, const std::string& sentence);
  void end_all();
  [[noreturn]] void leave();
  void check_end();
  std::string end_text(SimEnd how) const;
  void say(const std::string& sentence) { write_all(STDERR_FILENO, "grappa: " + sentence + "\n"); }
  static void write_all(int fd, const std::string& text);

  Cluster& cluster_;
  JobMemory* const launched_;
  std::map<std::pair<uint32_t, uint16_t>, std::string>
      lines_;                      // incomplete ones, by core and stream
  std::map<int, uint64_t> freed_;  // by file
  int gone_ = 0;
  bool failed_ = false;
  int status_ = 0;
  uint64_t status_ns_ = kNever;  // when the core with this status ended
};

void Conductor::write_all(int fd, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(fd, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

void Conductor::print(const SimPrint& part) {
  const int file = cluster_.lane(part.lane).files[part.stream];
  const int out = part.stream == 0 ? STDOUT_FILENO : STDERR_FILENO;
  std::string& text = lines_[{part.core, part.stream}];
  const size_t before = text.size();
  text.resize(before + (part.end - part.begin));
  const ssize_t got =
      ::pread(file, &text[before], part.end - part.begin, static_cast<off_t>(part.begin));
  text.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  const size_t end = text.rfind('\n') + 1;  // 0 without a complete line
  if (end != 0) write_all(out, text.substr(0, end));
  text.erase(0, end);
  uint64_t& freed = freed_[file];
  if (part.end - freed >= kPrintedToFree) {
    ::fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(freed),
                static_cast<off_t>(part.begin - freed));
    freed = part.begin;
  }
}

void Conductor::print_pending() {
  const uint64_t end = cluster_.prints_end.load();
  for (uint64_t k = cluster_.prints_begin.load(); k != end; ++k) {
    print(cluster_.print(k));
    cluster_.prints_begin.store(k + 1);
  }
}

void Conductor::print_rest() {
  for (auto& line : lines_) {
    if (line.second.empty()) continue;
    write_all(line.first.second == 0 ? STDOUT_FILENO : STDERR_FILENO, line.second + "\n");
    line.second.clear();
  }
}

void Conductor::fail(int core, int status, const std::string& sentence) {
  if (failed_) return;
  failed_ = true;
  status_ = status;
  end_all();
  print_pending();
  cluster_.note_prints(core);
  cluster_.publish_prints();
  print_pending();
  print_rest();
  if (!sentence.empty()) say(sentence);
}

/// Kills the cores, and waits until they have ended: until then, they may use the Cluster.
void Conductor::end_all() {
  for (int core = 0; core < cluster_.cores; ++core) {
    if (cluster_.core(core).process > 0) ::kill(cluster_.core(core).process, SIGKILL);
  }
  for (int core = 0; core < cluster_.cores; ++core) {
    pid_t& process = cluster_.core(core).process;
    if (process <= 0) continue;
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {}
    process = -1;
    ++gone_;
  }
}

void Conductor::collect_ended() {
  siginfo_t end = {};
  while (::waitid(P_ALL, 0, &end, WEXITED | WNOHANG) == 0 && end.si_pid != 0) {
    int core = 0;
    while (core < cluster_.cores && cluster_.core(core).process != end.si_pid) ++core;
    if (core == cluster_.cores) continue;  // a child of the program
    SimCore& its = cluster_.core(core);
    its.process = -1;
    ++gone_;
    const std::string name = "core " + std::to_string(core);
    const bool killed = end.si_code != CLD_EXITED;
    const bool reported =
        cluster_.job->failure.load() == static_cast<uint32_t>(FailureState::Reported);
    if (killed) {
      const char* const signal = ::sigabbrev_np(end.si_status);
      fail(core, 128 + end.si_status,
           reported ? ""
                    : name + " was killed by signal " + std::to_string(end.si_status) +
                          (signal == nullptr ? "" : " (SIG" + std::string(signal) + ")"));
    } else if (its.state != SimState::Ended) {
      fail(core, end.si_status != 0 ? end.si_status : 1,
           reported ? ""
                    : name + " exited with status " + std::to_string(end.si_status) +
                          " without Grappa::finalize");
    } else {
      if (end.si_status != 0 && its.clock_ns < status_ns_ && !failed_) {
        status_ = end.si_status;
        status_ns_ = its.clock_ns;
      }
      if (!failed_) cluster_.bury(core);
    }
  }
}

/// Why the simulation cannot continue, and what each core waits for.
std::string Conductor::end_text(SimEnd how) const {
  if (how == SimEnd::FalseDeadlock) {
    return "a deadlock was reported although a core has work or a message is in transit";
  }
  int counts[5] = {};
  for (int core = 0; core < cluster_.cores; ++core) {
    ++counts[static_cast<int>(cluster_.core(core).state)];
  }
  const auto of = [&counts](SimState state) {
    return std::to_string(counts[static_cast<int>(state)]);
  };
  const char* const what = how == SimEnd::Stuck
                               ? "no core can ever continue"
                               : "cores poll without an effect, and no deadlock is detected";
  return std::string("the simulation stands still: ") + what + " (idle: " + of(SimState::Idle) +
         ", in a collective operation at the start or the end: " + of(SimState::Barrier) +
         ", ended: " + of(SimState::Ended) + ")";
}

void Conductor::run() {
  static Cluster* shared = nullptr;
  shared = &cluster_;
  struct sigaction action = {};
  action.sa_handler = [](int) { ++shared->news; };  // interrupts the wait, too
  ::sigaction(SIGCHLD, &action, nullptr);
  for (const int signal : {SIGUSR2, SIGPIPE}) ::signal(signal, SIG_IGN);
  action.sa_handler = [](int) { shared->table_asked.store(true); };
  ::sigaction(SIGUSR1, &action, nullptr);
  cluster_.begin();
  while (gone_ < cluster_.cores) {
    const uint32_t news = cluster_.news.load();
    print_pending();
    collect_ended();
    const SimEnd end = cluster_.end.load();
    if (end != SimEnd::None) {
      fail(0, end == SimEnd::Stuck ? kStuckStatus : kViolationStatus, end_text(end));
    }
    if (gone_ == cluster_.cores) break;
    ::syscall(SYS_futex, &cluster_.news, FUTEX_WAIT, news, nullptr, nullptr, 0);
  }
  if (!failed_ && status_ == 0) check_end();
  leave();
}

/// After a clean end, each message has been received, and each buffer is free.
void Conductor::check_end() {
  const auto require_none = [this](uint64_t buffers, const std::string& what) {
    if (buffers == 0) return;
    fail(0, kViolationStatus,
         "the job has ended, but " + std::to_string(buffers) + " buffers were not " + what);
  };
  require_none(cluster_.messages_left(), "received");
  require_none(cluster_.buffers_lost(), "given back");
}

void Conductor::leave() {
  print_pending();
  print_rest();
  uint64_t hash = 0, events = 0, last_ns = 0;
  for (int core = 0; core < cluster_.cores; ++core) {
    const SimCore& its = cluster_.core(core);
    hash = sim_hash(hash, its.hash);
    hash = sim_hash(hash, its.clock_ns);
    events += its.events;
    last_ns = std::max(last_ns, its.clock_ns);
  }
  char line[160];
  std::snprintf(line, sizeof line, "simulation: hash %016llx, %llu events, %llu virtual ns\n",
                static_cast<unsigned long long>(hash), static_cast<unsigned long long>(events),
                static_cast<unsigned long long>(last_ns));
  write_all(STDERR_FILENO, line);
  if (launched_ != nullptr) {
    launched_->records()[0].state.store(static_cast<uint32_t>(CoreState::Finalized));
  }
  ::_exit(status_);
}

/// Runs in the process of a core after the fork.
void become_core(Cluster* cluster, int core, pid_t conductor, int processor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != conductor) ::_exit(1);
  const SimLane& lane = cluster->lane(cluster->lane_of(core));
  ::dup2(lane.files[0], STDOUT_FILENO);
  ::dup2(lane.files[1], STDERR_FILENO);
  if (core > 0) {
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::close(null);
  }
  reopen_files();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(processor), &set);
  ::sched_setaffinity(0, sizeof set, &set);  // a hint
  cluster->wait_for_turn(core);
}

}  // namespace

std::unique_ptr<World> simulate(const std::string& description, const InheritedJob& launched) {
  SimOptions options;
  const std::string error = parse_simulation(description, &options);
  if (!error.empty()) input_error(error);
  // A thread that was joined may be listed a little longer.
  for (int tries = 0; tries < 100 && has_threads(); ++tries) sleep_thread_ns(1000000);
  if (has_threads()) {
    input_error(
        "a simulation needs a program without threads before Grappa::init: fork copies none");
  }
  require_processes(options.cores());
  if (options.time != SimTimes::Charged) prepare_slices(options);
  if (options.time == SimTimes::Recorded) options.processors = 1;  // others would disturb
  ::unsetenv(kSimulationVariable);
  ::unsetenv("GRAPPA_TERMINAL");
  if (options.time != SimTimes::Recorded) {
    ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // the first write to a stack would take 2 MiB
  }
  pretend_memory(kMemoryOfCore * static_cast<size_t>(options.cores_per_locale));

  std::vector<int> processors = allowed_processors();
  const size_t fitting = options.cores() < kFewCores ? 1 : processors.size();
  const size_t wanted = options.processors == 0 ? fitting : size_t(options.processors);
  const size_t lanes = std::min({wanted, static_cast<size_t>(options.locales), kMostLanes});
  Cluster* const cluster = Cluster::create(options, static_cast<int>(lanes));
  for (int k = 0; k < cluster->lanes; ++k) {
    for (int& file : cluster->lane(k).files) {
      file = open_memory_file();
      ::fcntl(file, F_SETFL, O_APPEND);
    }
  }
  reopen_files();  // here, an error is printed once
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t conductor = ::getpid();
  for (int core = 0; core < cluster->cores; ++core) {
    const pid_t process = ::fork();
    if (process < 0) {
      input_error("cannot start process " + std::to_string(core + 1) + " of " +
                  std::to_string(cluster->cores) + ": " + std::strerror(errno) +
                  ": raise the limits on processes (ulimit -u, pids.max)");
    }
    if (process > 0) {
      cluster->core(core).process = process;
      continue;
    }
    const size_t lane = static_cast<size_t>(cluster->lane_of(core));
    become_core(cluster, core, conductor, processors[lane % processors.size()]);
    static SimTime time(cluster, core);
    return std::unique_ptr<World>(new SimWorld(cluster, core, &time));
  }
  Conductor(cluster, launched).run();
}

}  // namespace Grappa::detail
