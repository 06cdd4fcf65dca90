#pragma once

/// Answers of protocols between cores: sent at once, and waited for.

#include "system/message/send.hpp"
#include "system/sync/completion_event.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstddef>

namespace Grappa {
namespace detail {

/// Sends bytes for which somebody waits on core `dest`: `body(payload, bytes)` runs there. From:
/// handler, or the task of a master. Suspends: no; a task for what does not fit in a buffer, while
/// none is free. Messages: 1, or as many as there are bufferfuls.
template <class F>
void send_awaited(Core dest, const F& body, const void* payload, size_t bytes) {
  typedef PayloadMessage<F, Acknowledged::Never, MayWait::Never> Whole;
  if (Whole::size(bytes) <= aggregator().largest_message()) {
    Whole::send(dest, body, payload, bytes);
  } else {
    send_message(dest, unchecked(body), payload, bytes);
    aggregator().flush(dest, FlushCause::Asked);
  }
}

/// Waits for what other cores are going to complete. From: task or handler. Suspends: until they
/// have.
inline void wait_for_others(CompletionEvent* event) {
  const Scheduler::Waiting wait(scheduler(), Scheduler::WaitFor::Others);
  event->wait();
}

}  // namespace detail
}  // namespace Grappa
