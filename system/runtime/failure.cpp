#include "system/runtime/crash.hpp"

#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/net/topology.hpp"
#include "system/tasking/overflow.hpp"
#include "system/tasking/scheduler.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace Grappa {
namespace {

constexpr size_t kSignalStackBytes = 64 * KiB;

/// The line is put together on the stack and written with one call; as to snprintf, see
/// tasking/overflow.cpp.
void on_fatal_signal(int signal, siginfo_t* info, void*) {
  char line[400];
  const Worker* overflown =
      is_absent(detail::the_scheduler) ? nullptr : scheduler().worker_guarding(info->si_addr);
  int length = 0;
  if (overflown != nullptr) {
    length = std::snprintf(line, sizeof line, "grappa: core %d: %s\n", static_cast<int>(mycore()),
                           overflow_sentence(*overflown).text);
  } else {
    length =
        std::snprintf(line, sizeof line, "grappa: core %d: fatal signal %d (%s) at address %p\n",
                      static_cast<int>(mycore()), signal, ::sigdescr_np(signal), info->si_addr);
  }
  const ssize_t written = ::write(STDERR_FILENO, line, static_cast<size_t>(length));
  (void)written;
  // SA_RESETHAND has put the default action back: returning repeats the fault, which then kills. A
  // signal that somebody has sent is not repeated by itself.
  if (info->si_code <= 0) ::raise(signal);
}

}  // namespace

void install_crash_handlers() {
#if GRAPPA_ASAN
  return;  // its own report says more
#endif
  // A handler needs a stack of its own: the usual one may be what has overflown.
  stack_t stack = {};
  stack.ss_sp = map_private(kSignalStackBytes);
  stack.ss_size = kSignalStackBytes;
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace Grappa
