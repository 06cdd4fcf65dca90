#include "system/net/late_event.hpp"

#ifdef __x86_64__

#include <ucontext.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

pid_t maker = 0;
const struct sigaction* usual = nullptr;

/// Returns from the call whose first instruction could not be fetched. The return address is on top
/// of the stack, because the called function has not pushed any data.
bool skip_call(const siginfo_t& info, ucontext_t* interrupted) {
  auto& registers = interrupted->uc_mcontext.gregs;
  if (info.si_code != SEGV_MAPERR || ::gettid() == maker ||
      registers[REG_RIP] != reinterpret_cast<greg_t>(info.si_addr)) {
    return false;
  }
  registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  registers[REG_RSP] += static_cast<greg_t>(sizeof(greg_t));
  return true;
}

void on_fault(int signal, siginfo_t* info, void* interrupted) {
  if (skip_call(*info, static_cast<ucontext_t*>(interrupted))) return;
  // A real fault repeats when this handler returns. A sent signal must be raised again.
  ::sigaction(signal, usual, nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

}  // namespace

LateEvents::LateEvents() {
  maker = ::gettid();
  usual = &before_;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigaction(SIGSEGV, nullptr, &before_);
  ::sigaction(SIGSEGV, &action, nullptr);
}

LateEvents::~LateEvents() { ::sigaction(SIGSEGV, usual, nullptr); }

}  // namespace Grappa::detail

#else

namespace Grappa::detail {

LateEvents::LateEvents() : before_() {}
LateEvents::~LateEvents() {}

}  // namespace Grappa::detail

#endif
