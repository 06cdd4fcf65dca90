#pragma once

/// Sends a closure to another core.

#include "system/message/append.hpp"
#include "system/message/payload.hpp"
#include "system/message/wire.hpp"

namespace Grappa {

/// Runs `body()` asynchronously as a handler on core `dest`, exactly once. There is no reply, no
/// completion, and no scope. Tasks started by the handler belong to no scope. Messages to the own
/// core take the same path. From: any. Suspends: in a task, while no message buffer is free, or
/// when a buffer has just filled up and a poll is due. Messages: 1.
template <class F>
void send_message(int64_t dest, F body) {
  static_assert(detail::WireSafe<F>::value, "");
  detail::append_checked<detail::Acknowledged::Never>(body, dest, nullptr, body);
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

}  // namespace Grappa
