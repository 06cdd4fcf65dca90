#pragma once

/// Sending a closure to another core.

#include "system/message/aggregator.hpp"
#include "system/message/payload.hpp"
#include "system/message/wire_safe.hpp"
#include "system/tasking/spawn.hpp"

namespace Grappa {

/// Runs `body()` as a handler on core `dest`, once, some time; no answer, no completion, no scope.
/// What it starts there belongs to no scope. Messages to one's own core take the same way. From:
/// any. Suspends: in a task, while no message buffer is free, and when one is full and the network
/// is due. Messages: 1.
template <class F>
void send_message(int64_t dest, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::aggregator().append_checked<detail::Acknowledged::Never>(body, dest, nullptr, body);
}

/// Old name.
template <class F>
void send_heap_message(int64_t dest, F body) {
  send_message(dest, body);
}
template <class F>
void send_heap_message(int64_t dest, F body, const void* payload, size_t bytes) {
  send_message(dest, body, payload, bytes);
}

namespace detail {

/// The same as open work of the caller's scope, which ends when the handler has ended. For closures
/// of the runtime: they are not checked.
template <class F>
void send_counted(int64_t dest, const F& body) {
  static_assert(WireSafe<F>::value, "");
  aggregator().append<Acknowledged::ByRun>(dest, current_scope(), body);
}

/// The same for a message made of `body`, a closure of the program.
template <class F, class Body>
void send_counted(int64_t dest, const F& message, const Body& body) {
  static_assert(WireSafe<F>::value, "");
  aggregator().append_checked<Acknowledged::ByRun>(body, dest, current_scope(), message);
}

}  // namespace detail
}  // namespace Grappa
