#pragma once

/// Delegates that are work of a global completion event.
///
/// The forms of delegate_async.hpp with an event after the mode: `call<async, &event>(core, body)`.
/// The message, and all work that its body starts, is work of the event instead of the caller's
/// scope. A blocking delegate returns as usual; the work that its body starts belongs to the event.
/// A null event means the caller's scope. From: task or handler. Suspends: like the form without an
/// event; also until the event's home has answered, if this core has no work of the event
/// (GlobalCompletionEvent::enroll).
///
/// The forms without an event are called by their qualified names. Otherwise, in a program with
/// `using Grappa::delegate::call`, argument-dependent lookup would find the forms of this file for
/// the program's closures, and each declaration would depend on itself.

#include "system/global/delegate_async.hpp"
#include "system/parallel/global_completion_event.hpp"

namespace Grappa {
namespace delegate {

template <SyncMode S, GlobalCompletionEvent* event, class F>
auto call(int64_t dest, F body) -> decltype(delegate::call<S>(dest, body)) {
  const Grappa::detail::InEvent in(event);
  return delegate::call<S>(dest, body);
}

template <SyncMode S, GlobalCompletionEvent* event, class T, class F>
auto call(GlobalAddress<T> address, F body) -> decltype(delegate::call<S>(address, body)) {
  const Grappa::detail::InEvent in(event);
  return delegate::call<S>(address, body);
}

template <SyncMode S, GlobalCompletionEvent* event, class M, class F>
auto call(int64_t dest, M mutex, F body) -> decltype(delegate::call<S>(dest, mutex, body)) {
  const Grappa::detail::InEvent in(event);
  return delegate::call<S>(dest, mutex, body);
}

/// A read has completed when it returns, so the event has nothing to wait for.
template <SyncMode S, GlobalCompletionEvent* event, class T>
auto read(GlobalAddress<T> address) -> decltype(delegate::read<S>(address)) {
  return delegate::read<S>(address);
}

template <SyncMode S, GlobalCompletionEvent* event, class T, class U>
void write(GlobalAddress<T> address, U value) {
  const Grappa::detail::InEvent in(event);
  delegate::write<S>(address, value);
}

template <SyncMode S, GlobalCompletionEvent* event, class T, class U>
void increment(GlobalAddress<T> address, U change) {
  const Grappa::detail::InEvent in(event);
  delegate::increment<S>(address, change);
}

template <SyncMode S, GlobalCompletionEvent* event, class T, class U>
auto fetch_and_add(GlobalAddress<T> address, U change)
    -> decltype(delegate::fetch_and_add<S>(address, change)) {
  const Grappa::detail::InEvent in(event);
  return delegate::fetch_and_add<S>(address, change);
}

template <SyncMode S, GlobalCompletionEvent* event, class T, class U, class V>
auto compare_and_swap(GlobalAddress<T> address, U expected, V value)
    -> decltype(delegate::compare_and_swap<S>(address, expected, value)) {
  const Grappa::detail::InEvent in(event);
  return delegate::compare_and_swap<S>(address, expected, value);
}

}  // namespace delegate
}  // namespace Grappa
