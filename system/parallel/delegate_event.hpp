#pragma once

/// Delegates that are work of a global completion event.
///
/// The forms of delegate.hpp with an event after the mode: `call<async, &event>(core, body)`.
/// The message, and all work that its body starts, is work of the event instead of the caller's
/// scope. A blocking delegate returns as usual; the work that its body starts belongs to the event.
/// A null event means the caller's scope. From: task or handler. Suspends: like the form without an
/// event; also until the event's home has answered, if this core has no work of the event
/// (GlobalCompletionEvent::enroll).
///
/// The forms without an event are called by their qualified names. Otherwise, in a program with
/// `using Grappa::delegate::call`, argument-dependent lookup would find the forms of this file for
/// the program's closures, and each declaration would depend on itself.

#include "system/global/delegate.hpp"
#include "system/parallel/global_completion_event.hpp"

namespace Grappa {
namespace delegate {

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

/// A read has completed when it returns, so the event has nothing to wait for.
template <SyncMode S, GlobalCompletionEvent* event, class T>
auto read(GlobalAddress<T> address) -> decltype(delegate::read<S>(address)) {
  return delegate::read<S>(address);
}

}  // namespace delegate
}  // namespace Grappa
