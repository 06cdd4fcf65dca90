/// A core without a runtime, for tests of the launcher. The program performs the actions in its
/// arguments, in order.
///
///     actor [CORE:]ACTION[=VALUE]...      with CORE, only on that core
///
/// The only header of the runtime is the header for the memory shared with the launcher.

#include "system/net/job_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace Grappa::detail;

int core = 0;
JobMemory* memory = nullptr;

void join() {
  int file = -1;
  std::sscanf(std::getenv(kJobVariable), "%d:%d", &file, &core);
  struct stat state;
  if (::fstat(file, &state) != 0) std::abort();
  void* const mapped = ::mmap(nullptr, static_cast<size_t>(state.st_size), PROT_READ | PROT_WRITE,
                              MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) std::abort();
  memory = static_cast<JobMemory*>(mapped);
  if (memory->version != kJobMemoryVersion ||
      job_memory_bytes(memory->cores) != static_cast<size_t>(state.st_size)) {
    std::abort();
  }
}

void set_state(CoreState state) { memory->records()[core].state = static_cast<uint32_t>(state); }

void say(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (written < 0) std::_Exit(70);
    at += static_cast<size_t>(written);
  }
}

/// Prints lines of many lengths. The pieces that are written end within lines.
void say_lines(int lines) {
  std::string piece;
  for (int line = 0; line < lines; ++line) {
    const std::string body(static_cast<size_t>(line * 7919 % 8000),
                           static_cast<char>('a' + core % 26));
    piece += std::to_string(core) + " " + std::to_string(line) + " " + body + "\n";
    const size_t now = piece.size() / 2;
    say(piece.substr(0, now));
    piece.erase(0, now);
  }
  say(piece);
}

/// Writes to stderr, because the test may check stdout.
void on_signal(int signal) {
  char text[] = "core 0 got signal 00\n";
  text[5] = static_cast<char>('0' + core);
  text[18] = static_cast<char>('0' + signal / 10);
  text[19] = static_cast<char>('0' + signal % 10);
  if (::write(STDERR_FILENO, text, sizeof text - 1) < 0) std::_Exit(70);
}

void act(const std::string& action, const std::string& value) {
  const int number = std::atoi(value.c_str());
  if (action == "run") {
    set_state(CoreState::Running);
  } else if (action == "finalize") {
    set_state(CoreState::Finalized);
  } else if (action == "report") {
    memory->failure = static_cast<uint32_t>(FailureState::Reported);
  } else if (action == "exit") {
    std::_Exit(number);
  } else if (action == "raise") {
    ::signal(number, SIG_DFL);
    ::raise(number);
  } else if (action == "handle") {
    ::signal(number, on_signal);
  } else if (action == "sleep") {  // unit: seconds; continues after a handled signal
    for (unsigned left = static_cast<unsigned>(number); left > 0;) left = ::sleep(left);
  } else if (action == "nap") {  // milliseconds
    ::usleep(static_cast<useconds_t>(number) * 1000);
  } else if (action == "say") {
    say(value);
  } else if (action == "complain") {
    std::fputs(value.c_str(), stderr);
  } else if (action == "lines") {
    say_lines(number);
  } else if (action == "line") {  // kilobytes
    const std::string kilobyte(1000, static_cast<char>('a' + core % 26));
    for (int k = 0; k < number; ++k) say(kilobyte);
    say("\n");
  } else if (action == "child") {  // starts a child that outlives this process
    if (::fork() == 0) {
      ::sleep(static_cast<unsigned>(number));
      std::_Exit(0);
    }
  } else {
    std::fprintf(stderr, "actor: no action %s\n", action.c_str());
    std::_Exit(71);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  join();
  for (int k = 1; k < argc; ++k) {
    std::string action = argv[k];
    const size_t colon = action.find(':');
    if (colon != std::string::npos) {
      if (std::atoi(action.c_str()) != core) continue;
      action.erase(0, colon + 1);
    }
    const size_t equals = action.find('=');
    act(action.substr(0, equals), equals == std::string::npos ? "" : action.substr(equals + 1));
  }
  return 0;
}
