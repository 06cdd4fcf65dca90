#pragma once

/// Measures how a core spends its time. At each moment a core has exactly one of three activities,
/// so the three times add up to the total time.
/// - *Idle*: no worker is ready, no task can start, and no message arrives. Polls without a result,
/// and the wait for other cores at the start and the end of `run`, are idle time.
/// - *Polling*: polls that find a message or interrupt work, the execution of handlers, and flushes
/// when no worker is ready.
/// - *Running*: all other time, including the program outside `run`.
/// Time is recorded when the activity changes, with the two clock readings that each poll makes
/// anyway. A switch therefore adds no cost.

#include "system/observe/counters.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

enum class Activity : uint8_t { Running, Polling, Idle };

extern TickCounter activity_time[3];  // by Activity

class ActivityClock {
 public:
  explicit ActivityClock(uint64_t now_ticks) : since_ticks_(now_ticks) {}

  /// Changes the activity of the core at time `now_ticks`, which must not decrease between calls.
  void turn_to(Activity next, uint64_t now_ticks) {
    detail::activity_time[static_cast<size_t>(activity_)] += now_ticks - since_ticks_;
    since_ticks_ = now_ticks;
    activity_ = next;
  }

  /// Replaces the activity recorded for the time since the last call.
  void correct(Activity activity) { activity_ = activity; }

 private:
  uint64_t since_ticks_;
  Activity activity_ = Activity::Running;
};

}  // namespace detail
}  // namespace Grappa
