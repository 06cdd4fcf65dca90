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
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace google {
// glog exports this function, but not in a header. It finds function names without allocation.
bool Symbolize(void* place, char* name, size_t bytes);
}  // namespace google

namespace Grappa::detail {
namespace {

constexpr size_t kLongestWay = 16;  // frames between the failed function and this file

/// Finds the name of the function that contains a return address.
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
  const std::string_view function(name, std::strcspn(name, "(@"));  // no arguments, no version
  return std::find(std::begin(kNames), std::end(kNames), function) != std::end(kNames);
}

/// Finds the first frame of a report: the frame after the last one that is_on_the_way() accepts.
class Beginning {
 public:
  /// Must be called for each frame, from the innermost on, and for each inlined call of a frame.
  void look_at(size_t frame, const char* name, bool named) {
    if (frame >= kLongestWay) return;
    // The return address of a signal handler has no name.
    if (named ? is_on_the_way(name) : frame > 0 && first_ == frame) first_ = frame + 1;
  }
  size_t first() const { return first_; }

 private:
  size_t first_ = 0;
};

/// The lines of one frame, and how often the frame repeats.
struct Frame {
  const void* place;
  int repetitions;
  const std::vector<StackLine>* lines;
};

std::string text_of(const std::vector<Frame>& frames, size_t most_bytes) {
  std::string text;
  size_t needed = 0;  // length up to the last line that is specific to this worker
  for (const Frame& frame : frames) {
    char place[40];
    std::snprintf(place, sizeof place, "    @ %p ", frame.place);
    for (const StackLine& line : *frame.lines) {
      const std::string next = place + to_string(line) + "\n";
      if (text.size() + next.size() > most_bytes) return text;
      text += next;
      if (!is_everywhere(line)) needed = text.size();
    }
    if (frame.repetitions == 0) continue;
    text += "    (" + std::to_string(frame.repetitions) + " times more)\n";
    if (needed != 0) needed = text.size();
  }
  return needed == 0 ? text : text.substr(0, needed);
}

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
  ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);  // malloc reports a damaged heap there
  ::unsetenv("DEBUGINFOD_URLS");  // elfutils would ask servers for missing debug information
}

void write_all(int file, const char* text, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::write(file, text, bytes);
    if (written <= 0) return;
    text += written;
    bytes -= static_cast<size_t>(written);
  }
}

/// Reads until the other side closes the pipe or `room` bytes have arrived. Returns their number.
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
  if (topology().locale_members.empty()) {  // init has not discovered it yet
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

void FailureReport::add_worker(const Worker& worker) {
  if (worker.runs == nullptr) return;
  constexpr size_t kLongestName = 400;
  size_t length = 0;
  const char* name = type_name_in(worker.runs, &length);
  add("    in worker %u, which runs %.*s\n", worker.number,
      static_cast<int>(std::min(length, kLongestName)), name);
}

void FailureReport::find_stack(const void* interrupted) {
  next_ = count_ = 0;
  interrupted_ = interrupted != nullptr;
  count_ = walk_interrupted(interrupted, addresses_, kDeepestStack);
}

uintptr_t FailureReport::return_address(size_t k) const {
  return addresses_[k] + (interrupted_ && k == 0 ? 1 : 0);
}

std::string FailureReport::lines(size_t most_bytes) const {
  std::vector<Frame> frames;
  Beginning beginning;
  size_t skipped = 0;
  for (size_t k = 0; k < count_; ++k) {
    if (k > 0 && addresses_[k] == addresses_[k - 1] && !frames.empty()) {
      ++frames.back().repetitions;
      continue;
    }
    const std::vector<StackLine>& lines = symbolised_address(return_address(k));
    const std::string& function = lines.back().function;
    beginning.look_at(k, function.c_str(), !function.empty());
    frames.push_back(Frame{place(k), 0, &lines});
    if (beginning.first() == k + 1) skipped = frames.size();
  }
  frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(skipped));
  return text_of(frames, most_bytes);
}

void FailureReport::add_frame(const void* place, const char* name) {
  if (place == last_place_) {
    ++repetitions_;
    return;
  }
  add_repetitions();
  last_place_ = place;
  add("    @ %p %s\n", place, name);
}

void FailureReport::add_repetitions() {
  if (repetitions_ != 0) add("    (%d more times)\n", repetitions_);
  repetitions_ = 0;
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
  for (next_ = beginning.first(); next_ < count_; ++next_) {  // name_of() may fault
    name_of(return_address(next_), name, sizeof name);
    add_frame(place(next_), name);
  }
  add_repetitions();
}

void FailureReport::add_rest_of_stack() {
  add_repetitions();
  for (; next_ < count_; ++next_) add_frame(place(next_), "?");
  add_repetitions();
}

void FailureReport::write() {
  while (written_ < length_) {
    const ssize_t bytes = ::write(STDERR_FILENO, text_ + written_, length_ - written_);
    if (bytes <= 0) return;
    written_ += static_cast<size_t>(bytes);
  }
}

}  // namespace Grappa::detail
