#pragma once

/// A stack and its saved registers, and what the scheduler must know of them.

#include "system/tasking/stack.hpp"
#include "system/tasking/switch.hpp"
#include "system/tasking/task_scope.hpp"

namespace Grappa {

struct Worker {
  explicit Worker(size_t stack_bytes) : stack(stack_bytes) {}

  Context context;

  /// Next in the wait queue or the idle list; a worker is in at most one of them.
  Worker* next = nullptr;

  /// Scope of what this worker runs.
  TaskScope* scope = nullptr;

  /// Runs messages from a buffer: must not wait for a buffer, and when it suspends the rest of that
  /// buffer goes to another worker (SchedulerHooks::handler_suspends).
  bool in_handler = false;

  Stack stack;
};

}  // namespace Grappa
