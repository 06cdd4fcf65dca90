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
void send_message(Core dest, F body) {
  static_assert(WireSafe<F>::value, "");
  aggregator().append<Acknowledged::Never>(dest, nullptr, body);
}

/// Old name.
template <class F>
void send_heap_message(Core dest, F body) {
  send_message(dest, body);
}
template <class F>
void send_heap_message(Core dest, F body, const void* payload, size_t bytes) {
  send_message(dest, body, payload, bytes);
}

namespace detail {

/// The same as open work of the caller's scope, which ends when the handler has ended.
template <class F>
void send_counted(Core dest, const F& body) {
  static_assert(WireSafe<F>::value, "");
  aggregator().append<Acknowledged::ByRun>(dest, current_scope(), body);
}

}  // namespace detail
}  // namespace Grappa
