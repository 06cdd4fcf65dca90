#pragma once

/// When an open buffer is sent: as soon as the next message does not fit, as soon as the core has
/// nothing else to do, when a good part of its tasks wait for answers, and at the latest when it is
/// old enough. What decides are pure functions of numbers.

#include <cstdint>

namespace Grappa {
namespace detail {

enum class FlushCause {
  Full,     // the next message does not fit
  Aged,     // open for as long as flush_age_us
  Awaited,  // tasks wait for what it holds, here or at the receiver
  Idle,     // no worker of this core is ready
  Asked     // the sender knows that the receiver waits
};

/// True if a buffer that got its first message at `opened` has reached the age limit at `now`. A
/// clock that went back (a process moved to another processor) makes the age huge: then it is sent.
inline bool is_aged(uint64_t opened_ticks, uint64_t now_ticks, uint64_t age_limit_ticks) {
  return now_ticks - opened_ticks >= age_limit_ticks;
}

/// True if so many of the core's tasks have requests in open buffers that it should send them: the
/// answers are to be back before the others have been through. A quarter of them, or a lone one.
inline bool requests_are_due(int64_t unsent_requests, int64_t live_tasks) {
  return 4 * unsent_requests > live_tasks;
}

}  // namespace detail
}  // namespace Grappa
