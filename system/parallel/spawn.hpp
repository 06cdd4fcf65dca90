#pragma once

/// Starts tasks and delegates that are work of a global completion event, and tasks on other cores.
///
/// See also spawn(body) (tasking/task.hpp) and its unbound form (steal.hpp). A null event means the
/// caller's scope. With an event: From: task or handler. Suspends: also if enroll() does.

#include "system/global/delegate.hpp"
#include "system/global/payload.hpp"
#include "system/message/append.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/steal.hpp"
#include "system/sync/completion_event.hpp"

namespace Grappa {

/// spawn<M>(body), which also enrolls the task in `event` of this core and completes it when the
/// task ends. `event` must outlive the task. Messages: 1 more if the task ends on another core.
template <TaskMode M, class F>
void spawn(CompletionEvent* event, F body) {
  const Core home = mycore();
  event->enroll();
  const auto with_event = [event, home, body]() mutable {
    body();
    if (home == mycore()) {
      event->complete();
    } else {
      detail::send_counted(home, [event] { event->complete(); });
    }
  };
  if (M == TaskMode::Unbound) detail::check_closure(body);
  spawn<M>(unchecked(with_event));
}

template <GlobalCompletionEvent* event, class F>
void spawn(F body) {
  const detail::InEvent in(event);
  spawn(body);
}

template <TaskMode M, GlobalCompletionEvent* event, class F>
void spawn(F body) {
  const detail::InEvent in(event);
  spawn<M>(body);
}

/// Starts a task on core `dest`, in the caller's scope. The body is sent as bytes. Suspends: in a
/// task, while no message buffer is free. Messages: 1, even if `dest` is this core.
template <class F>
void spawnRemote(int64_t dest, F body) {
  detail::send_counted(
      dest, [body] { spawn(body); }, body);
}

template <GlobalCompletionEvent* event, class F>
void spawnRemote(int64_t dest, F body) {
  const detail::InEvent in(event);
  spawnRemote(dest, body);
}

namespace delegate {

// The functions of delegate.hpp with an event after the mode: `call<async, &event>(core, body)`. A
// blocking delegate returns as usual, and the work that its body starts belongs to the event. The
// names are qualified, since argument-dependent lookup could find the functions of this file. In a
// program with `using Grappa::delegate::call`, each declaration would then depend on itself.
#define GRAPPA_EVENT_FORM(name)                                      \
  template <SyncMode S, GlobalCompletionEvent* event, class... Args> \
  auto name(Args... args)->decltype(delegate::name<S>(args...)) {    \
    const Grappa::detail::InEvent in(event);                         \
    return delegate::name<S>(args...);                               \
  }
GRAPPA_EVENT_FORM(call)
GRAPPA_EVENT_FORM(write)
GRAPPA_EVENT_FORM(increment)
GRAPPA_EVENT_FORM(fetch_and_add)
GRAPPA_EVENT_FORM(compare_and_swap)
#undef GRAPPA_EVENT_FORM

/// A read has completed when the function returns, so it does not use the event.
template <SyncMode S, GlobalCompletionEvent* event, class T>
auto read(GlobalAddress<T> address) -> decltype(delegate::read<S>(address)) {
  return delegate::read<S>(address);
}

}  // namespace delegate
}  // namespace Grappa
