#include "system/tasking/switch.hpp"

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>

#if GRAPPA_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if GRAPPA_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace Grappa::detail {
namespace fcontext = boost::context::detail;

static_assert(sizeof(Transfer) == sizeof(fcontext::transfer_t));

// Disabled with control-flow enforcement (CET), which requires each return to match a call.
#if defined(__x86_64__) && defined(__ELF__) && !defined(__CET__)
// This code enters jump_fcontext by a jump (docs/design.md, The switch): after a call, a switch
// would take 14 instead of 7 ns. The code pushes its own return address, from which each context
// returns like any function. It pushes nothing else, since each additional cache line costs time.
asm(R"(
  .text
  .p2align 4
  .globl grappa_switch
  .type grappa_switch, @function
grappa_switch:
  .cfi_startproc
  leaq 1f(%rip), %rax
  pushq %rax
  .cfi_adjust_cfa_offset 8
  jmp jump_fcontext
1:
  .cfi_adjust_cfa_offset -8
  movq %rax, (%rdx)
  ret
  .cfi_endproc
  .size grappa_switch, . - grappa_switch
)");
#else
extern "C" void grappa_switch(void* resume, void** save) {
  const fcontext::transfer_t arrived = fcontext::jump_fcontext(resume, save);
  *static_cast<void**>(arrived.data) = arrived.fctx;
}
#endif

HandledExceptions* handled_exceptions = nullptr;

void* make_context(void* stack_top, size_t stack_bytes, void (*first)(Transfer), Fiber* fiber) {
  // A context always runs on the same thread, so the address of the thread's record is stored.
  handled_exceptions = reinterpret_cast<HandledExceptions*>(abi::__cxa_get_globals());
  fiber->stack_bottom = static_cast<char*>(stack_top) - stack_bytes;
  fiber->stack_bytes = stack_bytes;
#if GRAPPA_TSAN
  fiber->thread = __tsan_create_fiber(0);
#endif
  typedef void (*Any)();
  typedef void (*First)(fcontext::transfer_t);
  return fcontext::make_fcontext(stack_top, stack_bytes,
                                 reinterpret_cast<First>(reinterpret_cast<Any>(first)));
}

bool registers_of(const void* saved, SavedRegisters* registers) {
#if defined(__x86_64__) && defined(__ELF__)
  // jump_fcontext pushes, from low addresses: control words, r12 to r15, rbx, rbp, return address.
  const uintptr_t* words = static_cast<const uintptr_t*>(saved);
  const uintptr_t stack = reinterpret_cast<uintptr_t>(words + 8);
  *registers = {words[7], stack, words[6], words[5], words[1], words[2], words[3], words[4]};
  return true;
#else
  (void)saved, (void)registers;
  return false;
#endif
}

namespace {

/// Data passed through a jump in sanitizer builds. It is on the stack of the previous context.
struct Jump {
  void** save;
  Fiber* from;
  Fiber* to;
};

}  // namespace

void arrive(const Transfer& transfer) {
#if GRAPPA_ASAN || GRAPPA_TSAN
  const Jump jump = *static_cast<const Jump*>(transfer.data);
  *jump.save = transfer.saved;
#if GRAPPA_ASAN
  __sanitizer_finish_switch_fiber(jump.to->fake_stack, &jump.from->stack_bottom,
                                  &jump.from->stack_bytes);
#endif
#else
  *static_cast<void**>(transfer.data) = transfer.saved;
#endif
}

void switch_and_tell(void** save, void* resume, Fiber* from, Fiber* to) {
  Jump jump = {save, from, to};
#if GRAPPA_ASAN
  __sanitizer_start_switch_fiber(&from->fake_stack, to->stack_bottom, to->stack_bytes);
#endif
#if GRAPPA_TSAN
  __tsan_switch_to_fiber(to->thread, 0);
#endif
  const fcontext::transfer_t arrived = fcontext::jump_fcontext(resume, &jump);
  arrive(Transfer{arrived.fctx, arrived.data});
}

void switch_while_handling(void** save, void* resume, Fiber* from, Fiber* to) {
  const HandledExceptions mine = *handled_exceptions;
  *handled_exceptions = HandledExceptions{nullptr, 0};
  switch_context(save, resume, from, to);
  *handled_exceptions = mine;
}

void end_context(Fiber* fiber) {
#if GRAPPA_TSAN
  if (fiber->thread != nullptr) __tsan_destroy_fiber(fiber->thread);
#endif
  fiber->thread = nullptr;
}

void adopt_thread(Fiber* fiber) {
#if GRAPPA_TSAN
  fiber->thread = __tsan_get_current_fiber();
#else
  (void)fiber;
#endif
}

}  // namespace Grappa::detail
