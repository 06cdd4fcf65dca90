#pragma once

/// Tasks that a global completion event waits for, and tasks on other cores.
///
/// Beside spawn(body) (tasking/spawn.hpp), spawn(CompletionEvent*, body)
/// (sync/completion_event.hpp) and their unbound forms (steal.hpp). What a task of an event starts
/// belongs to the event too. With an event: From: task or handler. Suspends: until the event's home
/// knows, if this core has no work of the event (GlobalCompletionEvent::enroll). An event that is
/// null counts as left out.

#include "system/message/send.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/parallel/steal.hpp"

namespace Grappa {

/// Starts a task on this core. Messages: none.
template <GlobalCompletionEvent* event, class F>
void spawn(F body) {
  const detail::InEvent in(event);
  spawn(body);
}

/// Starts a task that, if it is unbound, an idle core may take. Messages: 1 for each core that the
/// task moves to.
template <TaskMode M, GlobalCompletionEvent* event, class F>
void spawn(F body) {
  const detail::InEvent in(event);
  spawn<M>(body);
}

/// Starts a task on core `dest`, in the caller's scope. The body travels as bytes. From: any.
/// Suspends: in a task, while no message buffer is free. Messages: 1, also to this core.
template <class F>
void spawnRemote(int64_t dest, F body) {
  detail::send_counted(
      dest, [body] { spawn(body); }, body);
}

/// The same in `event`.
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
