#pragma once

/// Switches from one stack to another with Boost.Context's fcontext, and notifies the sanitizers.
///
/// A saved context can be resumed once. A context may be left while it handles an exception.

#include "system/base/compiler.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

/// Data of a context for the sanitizers. Unused in builds without sanitizers.
struct Fiber {
  void* fake_stack = nullptr;  // used by AddressSanitizer while the context is saved
  const void* stack_bottom = nullptr;
  size_t stack_bytes = 0;
  void* thread = nullptr;  // used by ThreadSanitizer
};

/// The exceptions being handled, as recorded by the C++ runtime for a thread (Itanium C++ ABI:
/// Exception Handling, 2.2.2). A resumed context must not see the exceptions of another context.
struct HandledExceptions {
  void* caught;
  unsigned int uncaught;
};
extern HandledExceptions* handled_exceptions;  // record of this thread, set by make_context

/// The registers of a saved context that a debugger needs to unwind its stack. The function returns
/// false if the layout is unknown on this platform.
struct SavedRegisters {
  uintptr_t instruction, stack, frame;
  uintptr_t rbx, r12, r13, r14, r15;
};
bool registers_of(const void* saved, SavedRegisters* registers);

struct Transfer {  // boost::context::detail::transfer_t
  void* saved;
  void* data;
};

/// Resumes the context `resume`, which stores the pointer to the previous context in `*save`.
extern "C" void grappa_switch(void* resume, void** save);

/// Completes the switch in a new context. Must be the first call in that context.
void arrive(const Transfer& transfer);

template <void (*Entry)()>
void first_instruction(Transfer transfer) {
  arrive(transfer);
  Entry();
}

/// Returns a saved context that runs `first` on the `stack_bytes` below `stack_top`. `first` is
/// first_instruction<Entry>, and `Entry` must not return.
void* make_context(void* stack_top, size_t stack_bytes, void (*first)(Transfer), Fiber* fiber);

/// Releases the sanitizer data of a context that will not be resumed again.
void end_context(Fiber* fiber);

/// Registers the stack of the calling thread as a context with the sanitizers.
void adopt_thread(Fiber* fiber);

void switch_and_tell(void** save, void* resume, Fiber* from, Fiber* to);
void switch_while_handling(void** save, void* resume, Fiber* from, Fiber* to);

/// Saves the running context in `*save` and resumes `resume`. Returns when the saved context is
/// resumed. The resumed context writes `*save` before any other action.
inline void switch_context(void** save, void* resume, Fiber* from, Fiber* to) {
  const HandledExceptions* handled = handled_exceptions;
  if (GRAPPA_UNLIKELY(handled->caught != nullptr || handled->uncaught != 0)) {
    return switch_while_handling(save, resume, from, to);
  }
#if GRAPPA_ASAN || GRAPPA_TSAN
  switch_and_tell(save, resume, from, to);
#else
  (void)from, (void)to;
  grappa_switch(resume, save);
#endif
}

}}  // namespace Grappa::detail
