#pragma once

/// Decides when an open buffer is sent. A buffer is sent if the next message does not fit, if the
/// core is idle, if a large part of the core's tasks wait for replies, or if the buffer has reached
/// the age limit. The decisions are pure functions of numbers.

#include <cstdint>

namespace Grappa {
namespace detail {

enum class FlushCause {
  Full,             // the next message does not fit
  Aged,             // the buffer was open for flush_age_us
  LatencyCritical,  // tasks wait for its messages
  Idle,             // no worker of this core is ready
  Asked             // the sender requested the flush because the receiver waits
};

/// True if a buffer opened at `opened_ticks` has reached the age limit at `now_ticks`. If the clock
/// went backwards (on another processor), the unsigned age is huge and the buffer is sent.
inline bool is_aged(uint64_t opened_ticks, uint64_t now_ticks, uint64_t age_limit_ticks) {
  return now_ticks - opened_ticks >= age_limit_ticks;
}

/// True if the requests in open buffers should be sent: more than a quarter of the core's tasks
/// wait for them. The replies then arrive before the remaining tasks have had their turn.
inline bool requests_are_due(int64_t unsent_requests, int64_t live_tasks) {
  return 4 * unsent_requests > live_tasks;
}

}  // namespace detail
}  // namespace Grappa
