#pragma once

/// The switch from one stack to another: Boost.Context's fcontext, with the sanitizers told.
///
/// A context is either running (exactly one of a thread) or saved. switch_context(from, to) saves
/// the running one in `from` and resumes `to`; it returns when somebody switches back to `from`. A
/// context may be left while it handles an exception.

#include "system/tasking/stack.hpp"

#include <cstddef>

namespace Grappa {

struct Context {
  void* saved = nullptr;  // fcontext_t while the context does not run
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
  // The C++ runtime's record of exceptions that are being handled, while the context does not run.
  void* exceptions[2] = {nullptr, nullptr};
  // Only for AddressSanitizer: its fake stack, and where this context's stack lies.
  void* fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  size_t stack_bytes = 0;
};

/// Prepares `context` to call `entry(argument)` on `stack` when it is first resumed; `entry` must
/// not return.
void make_context(Context* context, const Stack& stack, void (*entry)(void*), void* argument);

void switch_context(Context* from, Context* to);

}  // namespace Grappa
