#include "system/tasking/switch.hpp"

#include "system/base/check.hpp"

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>

#if GRAPPA_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if GRAPPA_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace Grappa {
namespace detail {
namespace fcontext = boost::context::detail;

static_assert(sizeof(Transfer) == sizeof(fcontext::transfer_t), "the same layout");

// (With control-flow enforcement a return has to match a call, so there it is not done.)
#if defined(__x86_64__) && defined(__ELF__) && !defined(__CET__)
// jump_fcontext leaves a context by a jump, not by a return. If it were called, the processor would
// still expect a return to its caller, and would mispredict that and every outer return of the
// context that is entered: 14 instead of 7 ns a switch. So it is entered by a jump as well, with a
// return address of ours. From there each context returns like any function, and what the processor
// expects is where the context before it was left: most often the same place.
// Nothing but that address and what jump_fcontext saves comes between its caller's frame and the
// stack pointer: each cache line counts when there are many stacks.
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

namespace {

/// What travels with a jump if a sanitizer listens. It lies on the stack of the context that is
/// left, which stays as it is until somebody resumes that context.
struct Jump {
  void** save;
  Fiber* from;
  Fiber* to;
};

}  // namespace

HandledExceptions* handled_exceptions = nullptr;

void* make_context(void* stack_top, size_t stack_bytes, void (*first)(Transfer), Fiber* fiber) {
  // Contexts stay on their thread, so the place of its record may be kept.
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
  // What jump_fcontext pushes, from the lowest: control words, r12 to r15, rbx, rbp, return
  // address.
  const uintptr_t* words = static_cast<const uintptr_t*>(saved);
  *registers = SavedRegisters{words[7], reinterpret_cast<uintptr_t>(words + 8),
                              words[6], words[5],
                              words[1], words[2],
                              words[3], words[4]};
  return true;
#else
  (void)saved;
  (void)registers;
  return false;
#endif
}

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

}  // namespace detail
}  // namespace Grappa
