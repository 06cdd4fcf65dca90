#pragma once

/// A stack and its saved registers, and what the scheduler must know of them.
///
/// A worker lies at the top of its own stack: in the page that its frames make hot anyway.

#include "system/tasking/stack.hpp"
#include "system/tasking/switch.hpp"
#include "system/tasking/task_scope.hpp"
#include "system/tasking/wait_reason.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct alignas(64) Worker {
  enum class Role { RunsTasks, Polls, RunsMain };

  Worker(uint32_t its_number, const Stack& its_stack, Role its_role = Role::RunsTasks)
      : number(its_number), role(its_role), stack(its_stack) {}

  /// Its registers and the scope of what it runs, while it waits or is idle. While it is ready, the
  /// ready queue has them.
  void* saved = nullptr;
  TaskScope* scope = nullptr;

  /// Next in the idle list.
  Worker* next = nullptr;

  /// Type of the body that it runs (type_signature), for reports; null if it runs none.
  const char* runs = nullptr;

  /// While it is suspended, and only then.
  WaitReason waits;

  /// Counts the workers of a core, from 0.
  const uint32_t number;

  const Role role;

  /// All of the stack, this object included.
  const Stack stack;

  Fiber fiber;
};

}  // namespace detail
}  // namespace Grappa
