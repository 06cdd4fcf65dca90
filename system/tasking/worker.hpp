#pragma once

/// A worker: a stack, its saved registers, and its state in the scheduler.
///
/// The Worker object is at the top of its own stack, in a page that the frames use anyway.

#include "system/base/check.hpp"
#include "system/tasking/stack.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/switch.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct alignas(64) Worker {
  enum class Role { RunsTasks, Polls, RunsMain };

  /// Idle: on an idle list, or new. Ready: in the ready queue. Waiting: until wake().
  enum class State : uint8_t { Idle, Running, Ready, Waiting };

  Worker(uint32_t its_number, const Stack& its_stack, Role its_role = Role::RunsTasks)
      : number(its_number), role(its_role), stack(its_stack) {}

  /// The registers of the worker and the scope of its task, valid while the worker waits or is
  /// idle. While the worker is ready, the ready queue holds both.
  void* saved = nullptr;
  TaskScope* scope = nullptr;

  /// Next worker in the idle list.
  Worker* next = nullptr;

  /// Type of the body that the worker runs (type_signature), for reports. Null between bodies.
  const char* runs = nullptr;

  /// The wait reason; set only while the worker is suspended.
  WaitReason waits;

  /// Number of the worker on its core, from 0.
  const uint32_t number;

  const Role role;

  State state = State::Idle;  // valid in debug builds only: see change_state()

  /// The whole stack, including this object.
  const Stack stack;

  Fiber fiber;
};

/// In debug builds: `worker` leaves the state `from`, in which it is, for `to`. A release build
/// does not touch the worker, because a switch between ready workers does not either.
inline void change_state(Worker* worker, Worker::State from, Worker::State to) {
#if defined(NDEBUG)
  (void)worker, (void)from, (void)to;
#else
  GRAPPA_CHECK(worker->state == from)
      << "worker " << worker->number << " is in state " << static_cast<int>(worker->state)
      << ", not " << static_cast<int>(from);
  worker->state = to;
#endif
}

}  // namespace detail
}  // namespace Grappa
