#pragma once

/// What a core spends its time on.
///
/// Each moment is one of three things, so that their times add up to all the time there is. *Idle*:
/// nothing was ready, nothing could start and nothing arrived, the looking for it included; and, at
/// the begin and end of run, waiting for the other cores. *Polling*: polls that found something or
/// interrupted work, what messages do when they are delivered, and sending what is open when
/// nothing is ready. *Running* is everything else: the workers with what they send and the switches
/// between them, and the program outside of run. Time is booked when a core goes from one to
/// another, at the two readings of the clock that each poll makes anyway; a switch costs nothing.

#include "system/observe/tick_counter.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

enum class Activity : uint8_t { Running, Polling, Idle };

extern TickCounter activity_time[3];  // by Activity

class ActivityClock {
 public:
  explicit ActivityClock(uint64_t now_ticks) : since_ticks_(now_ticks) {}

  /// From `now_ticks` on, which is not before the last call's, the core does something else.
  void turn_to(Activity next, uint64_t now_ticks) {
    detail::activity_time[static_cast<size_t>(activity_)] += now_ticks - since_ticks_;
    since_ticks_ = now_ticks;
    activity_ = next;
  }

  /// What it has been doing since the last call was this, as one knows now.
  void correct(Activity activity) { activity_ = activity; }

 private:
  uint64_t since_ticks_;
  Activity activity_ = Activity::Running;
};

}  // namespace detail
}  // namespace Grappa
