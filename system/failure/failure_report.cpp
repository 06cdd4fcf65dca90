#include "system/failure/failure_report.hpp"

#include "system/base/traits.hpp"
#include "system/net/topology.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace google {
// glog exports this function without a header. It finds function names and allocates no memory.
bool Symbolize(void* place, char* name, size_t bytes);
}  // namespace google

namespace Grappa::detail {
namespace {

constexpr size_t kLongestWay = 16;  // maximum number of frames up to the failed function

bool name_of(uintptr_t return_address, char* name, size_t bytes) {
  if (google::Symbolize(reinterpret_cast<void*>(return_address - 1), name, bytes)) return true;
  std::strcpy(name, "?");
  return false;
}

/// True for functions of glog, the C and C++ runtimes and Grappa between a check and its report.
bool is_on_the_way(const char* name) {
  static const char* const kBeginnings[] = {"google::",
                                            "Grappa::detail::fail",
                                            "Grappa::detail::Fail",
                                            "Grappa::detail::(anonymous namespace)::on_",
                                            "Grappa::detail::(anonymous namespace)::end_by",
                                            "Grappa::detail::(anonymous namespace)::report",
                                            "Grappa::detail::(anonymous namespace)::scan",
                                            "Grappa::detail::scan_closure",
                                            "void Grappa::detail::scan_closure",
                                            "Grappa::detail::walk_interrupted",
                                            "std::terminate",
                                            "__cxa_",
                                            "__cxxabiv1::",
                                            "__gxx_",
                                            "_Unwind_"};
  static const char* const kNames[] = {"__restore_rt", "raise",          "gsignal",
                                       "pthread_kill", "__pthread_kill", "abort"};
  const auto begins_with = [name](const char* beginning) {
    return std::strncmp(name, beginning, std::strlen(beginning)) == 0;
  };
  if (std::any_of(std::begin(kBeginnings), std::end(kBeginnings), begins_with)) return true;
  const std::string_view function(name, std::strcspn(name, "(@"));  // without arguments and version
  return std::find(std::begin(kNames), std::end(kNames), function) != std::end(kNames);
}

/// Finds the first frame of a report. It follows the last frame that is_on_the_way() accepts.
class Beginning {
 public:
  /// Must be called for each frame, starting with the innermost frame.
  void look_at(size_t frame, const char* name, bool named) {
    if (frame >= kLongestWay) return;
    // The return address of a signal handler has no name.
    if (named ? is_on_the_way(name) : frame > 0 && first_ == frame) first_ = frame + 1;
  }
  size_t first() const { return first_; }

 private:
  size_t first_ = 0;
};

/// Prepares the child process: default signal actions, no error output, no core dump.
void become_quiet(unsigned most_seconds) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
  std::signal(SIGUSR1, SIG_IGN);  // the signal may be sent to the process group
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::alarm(most_seconds);
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);  // discards reports of a damaged heap
  ::unsetenv("DEBUGINFOD_URLS");  // else elfutils asks servers for debug information
}

size_t write_all(int file, const char* text, size_t bytes) {
  size_t written = 0;
  while (written < bytes) {
    const ssize_t piece = ::write(file, text + written, bytes - written);
    if (piece <= 0) break;
    written += static_cast<size_t>(piece);
  }
  return written;
}

size_t read_all(int file, char* text, size_t room) {
  size_t length = 0;
  while (length < room) {
    const ssize_t bytes = ::read(file, text + length, room - length);
    if (bytes == 0 || (bytes < 0 && errno != EINTR)) break;
    if (bytes > 0) length += static_cast<size_t>(bytes);
  }
  return length;
}

}  // namespace

void FailureReport::begin() {
  length_ = written_ = 0;
  if (topology().locale_members.empty()) {  // the topology is not known yet
    add("grappa: ");
  } else {
    add("grappa: core %d of %d: ", static_cast<int>(mycore()), static_cast<int>(cores()));
  }
}

void FailureReport::add(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int bytes = std::vsnprintf(text_ + length_, sizeof text_ - length_, format, arguments);
  va_end(arguments);
  if (bytes > 0) length_ = std::min(length_ + static_cast<size_t>(bytes), sizeof text_ - 1);
}

template <class Make>
bool FailureReport::add_from_child(unsigned most_seconds, Make make) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t child = ::_Fork();  // fork() would wait for locks of the heap
  if (child == 0) {
    become_quiet(most_seconds);
    const std::string all = make();
    write_all(ends[1], all.c_str(), all.size() + 1);  // the zero marks the end of a complete text
    ::_exit(0);
  }
  ::close(ends[1]);
  char* const text = text_ + length_;
  const size_t bytes = child < 0 ? 0 : read_all(ends[0], text, sizeof text_ - 1 - length_);
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  if (bytes < 2 || text[bytes - 1] != '\0') return false;
  length_ += bytes - 1;
  return true;
}

void FailureReport::add_place(const void* code, unsigned most_seconds) {
  add_from_child(most_seconds, [code]() -> std::string {
    const StackLine& line = symbolised_address(reinterpret_cast<uintptr_t>(code) + 1).back();
    return line.file.empty() ? "" : "  [" + line.file + ":" + std::to_string(line.number) + "]";
  });
}

void FailureReport::add_running_worker() {
  if (!in_job() || current_worker() == nullptr || current_worker()->runs == nullptr) return;
  constexpr size_t kLongestName = 400;
  size_t length = 0;
  const char* name = type_name_in(current_worker()->runs, &length);
  add("    in worker %u, which runs %.*s\n", current_worker()->number,
      static_cast<int>(std::min(length, kLongestName)), name);
}

void FailureReport::find_stack(const void* interrupted) {
  next_ = count_ = 0;  // walk_interrupted() may fault
  interrupted_ = interrupted != nullptr;
  count_ = walk_interrupted(interrupted, addresses_, kDeepestStack);
}

uintptr_t FailureReport::return_address(size_t k) const {
  return addresses_[k] + (interrupted_ && k == 0 ? 1 : 0);
}

std::string FailureReport::lines(size_t most_bytes) const {
  std::string text;
  size_t needed = 0;  // length up to the last line that is specific to this worker
  Beginning beginning;
  for (size_t k = 0; k < count_; ++k) {
    const size_t frame = k;
    const std::vector<StackLine>& calls = symbolised_address(return_address(frame));
    const std::string& function = calls.back().function;
    beginning.look_at(frame, function.c_str(), !function.empty());
    while (k + 1 < count_ && addresses_[k + 1] == addresses_[frame]) ++k;
    if (beginning.first() == frame + 1) {
      text.clear();
      needed = 0;
      continue;
    }
    char address[40];
    std::snprintf(address, sizeof address, "    @ %p ", place(frame));
    for (const StackLine& call : calls) {
      const std::string line = address + to_string(call) + "\n";
      if (text.size() + line.size() > most_bytes) return text;
      text += line;
      if (!is_everywhere(call)) needed = text.size();
    }
    if (k == frame) continue;
    text += "    (" + std::to_string(k - frame) + " times more)\n";
    if (needed != 0) needed = text.size();
  }
  return needed == 0 ? text : text.substr(0, needed);
}

void FailureReport::add_stack(unsigned most_seconds) {
  const size_t room = sizeof text_ - 1 - length_;
  if (count_ == 0 || room == 0) return;
  if (add_from_child(most_seconds, [this, room] { return lines(room - 1); })) {
    next_ = count_;
    return;
  }
  char name[512];
  Beginning beginning;
  for (size_t k = 0; k < std::min(count_, kLongestWay); ++k) {
    const bool named = name_of(return_address(k), name, sizeof name);
    beginning.look_at(k, name, named);
  }
  next_ = beginning.first();
  add_frames(true);
}

void FailureReport::add_frames(bool named) {
  char name[512] = "?";
  while (next_ < count_) {
    const size_t first = next_;
    if (named) name_of(return_address(first), name, sizeof name);  // may fault
    add("    @ %p %s\n", place(first), name);
    while (++next_ < count_ && addresses_[next_] == addresses_[first]) {}
    if (next_ - first > 1) add("    (%d more times)\n", static_cast<int>(next_ - first - 1));
  }
}

void FailureReport::write() {
  written_ += write_all(STDERR_FILENO, text_ + written_, length_ - written_);
}

}  // namespace Grappa::detail
