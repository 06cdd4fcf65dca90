#pragma once

/// The network poll of a core, what the core does while nothing is ready, and how it spends its
/// time.
///
/// An idle core first sends its open buffers, then asks other cores for tasks, then offers its
/// processor to other processes, and finally sleeps between polls. Invariant: silent_rounds_ counts
/// the rounds in a row in which nothing happened on this core.
///
/// At each moment a core has exactly one of three activities, so the three times add up to the
/// total time. Time is recorded when the activity changes, with the two clock readings that each
/// poll makes anyway. A switch therefore adds no cost.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

enum class Activity : uint8_t {
  Running,  // the rest of the time, including the program outside `run`
  Polling,  // polls that find a message or interrupt work, handlers, and flushes of an idle core
  Idle  // no worker is ready, no task can start, and no message arrives: polls without a result,
        // and the wait for other cores at the start and the end of `run`
};

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

/// Functions of higher layers that the scheduler calls. The higher layers set them.
struct SchedulerHooks {
  /// Receives messages and runs their handlers on the calling worker. Returns true if any was
  /// received. A suspended handler keeps the worker, and the call returns when the handler has
  /// ended.
  bool (*poll)() = nullptr;

  /// Flushes the open buffers when no worker is ready. Returns true if data was sent.
  bool (*flush)() = nullptr;

  /// Requests tasks from other cores. Called repeatedly while no worker is ready, no task is
  /// queued, no data is unsent, and a task could start.
  void (*steal)() = nullptr;

  /// Called repeatedly while the core is quiescent: no worker is ready, no task is queued, no data
  /// is unsent, and no timer is set. Only a message ends this state. `first` marks the first call.
  void (*quiescent)(bool first) = nullptr;

  /// Sends stealable tasks to cores that wait for tasks. Called at intervals while there are some.
  void (*share)() = nullptr;

  /// Hands the rest of the current buffer to another worker, when a handler is about to suspend.
  void (*handler_suspends)() = nullptr;
};

/// Decides when the network is due for a poll.
///
/// Reading the clock costs as much as a switch between workers. So switches are counted, and the
/// clock is read only when a *grant* of switches has been spent. The size of the next grant follows
/// from the rate of switches since the last poll. Invariants: the switches left do not exceed the
/// grant; a closed budget grants nothing.
class PollBudget {
 public:
  /// A poll is due after `interval_ticks`, and after `switches_per_poll` switches at the latest.
  PollBudget(uint64_t interval_ticks, int switches_per_poll);

  /// The grant is spent: due() has to look at the clock.
  bool spent() const { return left_ <= 0; }

  /// One switch, or one task that started.
  void spend() { --left_; }

  /// True if a poll is due. If not, at least one more switch is granted.
  bool due() { return left_ <= 0 && clock_says_due(); }

  /// The interval is over at `now_ticks`, however many switches are left.
  bool interval_is_over(uint64_t now_ticks) const { return now_ticks - polled_ticks_ >= interval_; }

  /// Takes back what is left of the grant.
  void revoke();

  /// From now on due() is true at once, until open().
  void close();

  /// Grants the first switches at `now_ticks`, one of which is spent.
  void open(uint64_t now_ticks);

  /// A poll begins at `now_ticks`. Returns the ticks since the end of the last one.
  uint64_t poll_begins(uint64_t now_ticks);

  /// A poll ends at `now_ticks` that began `elapsed_ticks` after the last one. A handler may have
  /// suspended in it, so other polls may lie in between.
  void poll_ends(uint64_t now_ticks, uint64_t elapsed_ticks);

  /// The end of the last poll.
  uint64_t polled_ticks() const { return polled_ticks_; }

  /// Switches since the previous call or the last poll, without the latest one.
  uint32_t take_unnoted();

 private:
  /// The clock is read at least once in so many switches. Not measured.
  static constexpr int kMostGranted = 32;

  bool clock_says_due();
  int spent_of_grant() const { return granted_ - std::max(0, left_); }
  int grant(uint64_t fitting, int most) const {
    return static_cast<int>(
        std::max<uint64_t>(1, std::min(fitting, static_cast<uint64_t>(std::max(1, most)))));
  }

  int left_ = 0;      // switches until the clock is read
  int granted_ = 0;   // what left_ was when the clock was last read
  int switches_ = 0;  // since the last poll, without the current grant
  int noted_ = 0;     // switches since the last poll that take_unnoted() has returned
  bool closed_ = true;
  uint64_t polled_ticks_ = 0;
  const uint64_t interval_;  // ticks
  const int switches_per_poll_;
};

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
