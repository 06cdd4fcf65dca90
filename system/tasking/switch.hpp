#pragma once

/// The switch from one stack to another: Boost.Context's fcontext, with the sanitizers told.
///
/// A context is running (exactly one of a thread) or saved; what was saved is one pointer, which
/// switch_context() leaves where its caller says, and which resumes the context once. A context may
/// be left while it handles an exception.

#include "system/base/compiler.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

/// What the sanitizers must know of a context. Without them nobody looks at it.
struct Fiber {
  void* fake_stack = nullptr;          // AddressSanitizer's, while the context does not run
  const void* stack_bottom = nullptr;  // AddressSanitizer: where the context's stack lies
  size_t stack_bytes = 0;
  void* thread = nullptr;  // ThreadSanitizer's fiber
};

/// The exceptions that are being handled, as the C++ runtime records them for a thread (Itanium C++
/// ABI: Exception Handling, 2.2.2). They belong to the context; a context that is resumed finds
/// none.
struct HandledExceptions {
  void* caught;
  unsigned int uncaught;
};
extern HandledExceptions* handled_exceptions;  // of this thread, once it has made a context

/// The registers of a saved context that a debugger begins with. False where their layout is not
/// known.
struct SavedRegisters {
  uintptr_t instruction, stack, frame;
  uintptr_t rbx, r12, r13, r14, r15;
};
bool registers_of(const void* saved, SavedRegisters* registers);

/// The same layout as Boost.Context's transfer_t.
struct Transfer {
  void* saved;
  void* data;
};

/// Resumes `resume`; the resumed one saves the context that was left in `*save`.
extern "C" void grappa_switch(void* resume, void** save);

/// In a context that has just been entered, before anything else.
void arrive(const Transfer& transfer);

template <void (*Entry)()>
void first_instruction(Transfer transfer) {
  arrive(transfer);
  Entry();
}

void* make_context(void* stack_top, size_t stack_bytes, void (*first)(Transfer), Fiber* fiber);
void switch_and_tell(void** save, void* resume, Fiber* from, Fiber* to);
void switch_while_handling(void** save, void* resume, Fiber* from, Fiber* to);

/// Prepares a context that calls `Entry()`, which must not return, when it is first resumed, on the
/// `stack_bytes` below `stack_top`. Returns the saved context.
template <void (*Entry)()>
void* make_context(void* stack_top, size_t stack_bytes, Fiber* fiber) {
  return detail::make_context(stack_top, stack_bytes, detail::first_instruction<Entry>, fiber);
}

/// The context of `fiber` will not be resumed any more.
void end_context(Fiber* fiber);

/// Tells the sanitizers that the calling thread's own stack is a context too.
void adopt_thread(Fiber* fiber);

/// Saves the running context in `*save` and resumes `resume`; returns when somebody resumes the
/// saved one. `*save` is written after the caller has been left, before anything else happens.
inline void switch_context(void** save, void* resume, Fiber* from, Fiber* to) {
  const HandledExceptions* handled = detail::handled_exceptions;
  if (GRAPPA_UNLIKELY(handled->caught != nullptr || handled->uncaught != 0)) {
    detail::switch_while_handling(save, resume, from, to);
    return;
  }
#if GRAPPA_ASAN || GRAPPA_TSAN
  detail::switch_and_tell(save, resume, from, to);
#else
  (void)from;
  (void)to;
  detail::grappa_switch(resume, save);
#endif
}

}  // namespace detail
}  // namespace Grappa
