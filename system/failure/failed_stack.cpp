#include "system/failure/failed_stack.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
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

namespace Grappa {
namespace detail {
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

/// Writes the string that `make()` returns in a child process to `text`. Returns its length; 0 if
/// the string is not complete.
template <class Make>
size_t ask_child(unsigned most_seconds, Make make, char* text, size_t room) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return 0;
  const pid_t child = ::_Fork();  // fork() would wait for locks of the heap
  if (child == 0) {
    become_quiet(most_seconds);
    const std::string all = make();
    write_all(ends[1], all.c_str(), all.size() + 1);  // the zero marks the end of a complete text
    ::_exit(0);
  }
  ::close(ends[1]);
  const size_t length = child < 0 ? 0 : read_all(ends[0], text, room);
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  const bool complete = length > 0 && text[length - 1] == '\0';
  return complete ? length - 1 : 0;
}

}  // namespace

void FailedStack::walk(const void* interrupted) {
  next_ = count_ = 0;
  interrupted_ = interrupted != nullptr;
  count_ = walk_interrupted(interrupted, addresses_, kDeepestStack);
}

uintptr_t FailedStack::return_address(size_t k) const {
  return addresses_[k] + (interrupted_ && k == 0 ? 1 : 0);
}

std::string FailedStack::lines(size_t most_bytes) const {
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

size_t FailedStack::describe(unsigned most_seconds, char* text, size_t room) {
  if (count_ == 0 || room == 0) return 0;
  const size_t bytes = ask_child(
      most_seconds, [this, room] { return lines(room - 1); }, text, room);
  if (bytes != 0) next_ = count_;
  return bytes;
}

void FailedStack::for_each(void (*visit)(void* argument, const void* place, const char* name),
                           void* argument) {
  char name[512];
  Beginning beginning;
  for (size_t k = 0; k < std::min(count_, kLongestWay); ++k) {
    const bool named = name_of(return_address(k), name, sizeof name);
    beginning.look_at(k, name, named);
  }
  for (next_ = beginning.first(); next_ < count_; ++next_) {
    name_of(return_address(next_), name, sizeof name);
    visit(argument, place(next_), name);
  }
}

void FailedStack::for_each_place(void (*visit)(void* argument, const void* place), void* argument) {
  for (; next_ < count_; ++next_) visit(argument, place(next_));
}

size_t place_of_function(const void* code, unsigned most_seconds, char* text, size_t room) {
  const auto place = [code]() -> std::string {
    const uintptr_t address = reinterpret_cast<uintptr_t>(code);
    const StackLine& line = symbolised_address(address + 1).back();
    return line.file.empty() ? "" : line.file + ":" + std::to_string(line.number);
  };
  return ask_child(most_seconds, place, text, room);
}

void prepare_failed_stack() {
  uintptr_t address;
  walk_interrupted(nullptr, &address, 1);
}

}  // namespace detail
}  // namespace Grappa
