#pragma once

/// Sends a closure to another core.

#include "system/message/aggregator.hpp"
#include "system/message/payload.hpp"
#include "system/message/wire_safe.hpp"
#include "system/tasking/spawn.hpp"

namespace Grappa {

/// Runs `body()` asynchronously as a handler on core `dest`, exactly once. There is no reply, no
/// completion, and no scope. Tasks started by the handler belong to no scope. Messages to the own
/// core take the same path. From: any. Suspends: in a task, while no message buffer is free, or
/// when a buffer has just filled up and a poll is due. Messages: 1.
template <class F>
void send_message(int64_t dest, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::aggregator().append_checked<detail::Acknowledged::Never>(body, dest, nullptr, body);
}

/// Old name of send_message.
template <class F>
void send_heap_message(int64_t dest, F body) {
  send_message(dest, body);
}
template <class F>
void send_heap_message(int64_t dest, F body, const void* payload, size_t bytes) {
  send_message(dest, body, payload, bytes);
}

namespace detail {

/// Sends a message that the caller's scope counts as open work until the handler has ended. For
/// closures of the runtime, which are not checked.
template <class F>
void send_counted(int64_t dest, const F& body) {
  static_assert(WireSafe<F>::value, "");
  aggregator().append<Acknowledged::ByRun>(dest, current_scope(), body);
}

/// Like the function above, for a message that contains `body`, a closure of the program.
template <class F, class Body>
void send_counted(int64_t dest, const F& message, const Body& body) {
  static_assert(WireSafe<F>::value, "");
  aggregator().append_checked<Acknowledged::ByRun>(body, dest, current_scope(), message);
}

}  // namespace detail
}  // namespace Grappa
