#pragma once

/// The network poll of a core, and what the core does while nothing is ready.
///
/// An idle core first sends its open buffers, then asks other cores for tasks, then offers its
/// processor to other processes, and finally sleeps between polls. The times of the activities are
/// booked at the two readings of the clock that each poll makes. Invariant: silent_rounds_ counts
/// the rounds in a row in which nothing happened on this core.

#include "system/observe/clock.hpp"
#include "system/tasking/activity.hpp"
#include "system/tasking/hooks.hpp"
#include "system/tasking/options.hpp"
#include "system/tasking/poll_budget.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

class Poller {
 public:
  Poller(const TaskingOptions& options, const SchedulerHooks& hooks, PollBudget* budget,
         uint64_t now_ticks);

  ActivityClock& activity() { return activity_; }

  /// Receives and runs messages. True if anything was received. `nothing_to_run()` is asked after a
  /// poll that received nothing: if it is true, the time of the poll counts as idle, because the
  /// next poll follows at once.
  template <class F>
  bool poll(F nothing_to_run);

  /// Something runs.
  void moved() { silent_rounds_ = 0; }

  /// After a poll with nothing to run. `may_steal`: the core would start a task of another core;
  /// `quiescent`: only a message can make anything ready. True if the core has been idle for long.
  bool idle_round(bool received, bool may_steal, bool quiescent);

 private:
  bool back_off();

  const TaskingOptions& options_;
  const SchedulerHooks& hooks_;
  PollBudget& budget_;
  ActivityClock activity_;
  int64_t silent_rounds_ = 0;
};

template <class F>
bool Poller::poll(F nothing_to_run) {
  const uint64_t begin_ticks = ticks();
  const uint64_t elapsed_ticks = budget_.poll_begins(begin_ticks);
  activity_.turn_to(Activity::Polling, begin_ticks);
  const bool received = hooks_.poll != nullptr && hooks_.poll();
  budget_.poll_ends(ticks(), elapsed_ticks);
  if (!received && nothing_to_run()) activity_.correct(Activity::Idle);
  activity_.turn_to(Activity::Running, budget_.polled_ticks());
  return received;
}

}  // namespace detail
}  // namespace Grappa
