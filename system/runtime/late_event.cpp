#include "system/runtime/late_event.hpp"

#include <atomic>
#include <cstdint>

#include <ucontext.h>

namespace Grappa {
namespace {

std::atomic<bool> late_events{false};

}  // namespace

void expect_late_events(bool expected) { late_events.store(expected); }

bool skip_late_event([[maybe_unused]] int signal, [[maybe_unused]] const siginfo_t& info,
                     [[maybe_unused]] void* interrupted) {
#ifdef __x86_64__
  if (!late_events.load() || signal != SIGSEGV || info.si_code != SEGV_MAPERR) return false;
  auto& registers = static_cast<ucontext_t*>(interrupted)->uc_mcontext.gregs;
  if (registers[REG_RIP] != reinterpret_cast<greg_t>(info.si_addr)) return false;
  // At its first instruction a function has pushed nothing on top of where it returns to.
  registers[REG_RIP] = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  registers[REG_RSP] += static_cast<greg_t>(sizeof(greg_t));
  return true;
#else
  return false;
#endif
}

}  // namespace Grappa
