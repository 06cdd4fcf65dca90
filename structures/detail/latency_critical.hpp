#pragma once

/// Latency-critical messages of protocols between cores: they are sent at once.

#include "system/message/send.hpp"
#include "system/sync/completion_event.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

/// Sends bytes for which a task on core `dest` waits: `body(payload, bytes)` runs there. From:
/// handler, or a task of the master. Suspends: only in a task, if the bytes do not fit in a buffer,
/// while no buffer is free. Messages: 1, or one for each buffer of bytes.
template <class F>
void send_latency_critical(Core dest, const F& body, const void* payload, size_t bytes) {
  typedef PayloadMessage<F, Acknowledged::Never, MayWait::Never> Whole;
  if (Whole::size(bytes) <= largest_message()) {
    Whole::send(dest, body, payload, bytes);
  } else {
    send_message(dest, unchecked(body), payload, bytes);
    flush_to(dest, FlushCause::Asked);
  }
}

/// Waits for an event that other cores complete. From: task or handler. Suspends: until then.
inline void wait_for_others(CompletionEvent* event) {
  event->wait(WaitReason(WaitReason::Kind::Transfer));
}

}  // namespace detail
}  // namespace Grappa
