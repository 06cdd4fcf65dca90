#pragma once

/// Starts tasks that are work of a global completion event, and tasks on other cores.
///
/// See also spawn(body) (tasking/spawn.hpp), spawn(CompletionEvent*, body)
/// (sync/completion_event.hpp) and their unbound forms (steal.hpp). Work that a task of an event
/// starts belongs to the event, too. With an event: From: task or handler. Suspends: until the
/// event's home has answered, if this core has no work of the event
/// (GlobalCompletionEvent::enroll). A null event means the caller's scope.

#include "system/message/send.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/parallel/steal.hpp"

namespace Grappa {

/// Starts a task on this core.
template <GlobalCompletionEvent* event, class F>
void spawn(F body) {
  const detail::InEvent in(event);
  spawn(body);
}

/// Starts a task. An idle core may steal an unbound task. Messages: 1 for each core that the task
/// moves to.
template <TaskMode M, GlobalCompletionEvent* event, class F>
void spawn(F body) {
  const detail::InEvent in(event);
  spawn<M>(body);
}

/// Starts a task on core `dest`, in the caller's scope. The body is sent as bytes.
/// Suspends: in a task, while no message buffer is free. Messages: 1, also to this core.
template <class F>
void spawnRemote(int64_t dest, F body) {
  detail::send_counted(
      dest, [body] { spawn(body); }, body);
}

/// spawnRemote as work of `event`.
template <GlobalCompletionEvent* event, class F>
void spawnRemote(int64_t dest, F body) {
  const detail::InEvent in(event);
  spawnRemote(dest, body);
}

/// Old names.
template <class F>
void privateTask(F body) {
  spawn(body);
}
template <class F>
void publicTask(F body) {
  spawn<unbound>(body);
}

}  // namespace Grappa
