#pragma once

/// The network poll of a core, and the time of each activity. An idle core sends its open buffers,
/// then asks other cores for tasks, then yields its processor, and finally sleeps between polls.

#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

enum class Activity : uint8_t {
  Running,  // the rest of the time, including the program outside `run`
  Polling,  // polls that find a message or interrupt work, handlers, and flushes of an idle core
  Idle      // nothing is ready, can start, or arrives; also at the start and the end of `run`
};

extern TickCounter activity_time[3];  // by Activity

/// Functions that higher layers set and the scheduler calls.
struct SchedulerHooks {
  /// Receives messages and runs their handlers on the calling worker. Returns true if any message
  /// arrived. A suspended handler keeps the worker: the call returns when the handler has ended.
  bool (*poll)() = nullptr;
  bool (*flush)() = nullptr;  // sends open buffers if no worker is ready; true if data was sent
  /// Asks other cores for tasks while the core is idle, has no queued task, and could start one.
  void (*steal)() = nullptr;
  /// Called while the core waits only for messages: in the first round after an event, which
  /// `first` marks, and in each round that yields. Returns the ticks at which it must be called
  /// again even if no message arrives.
  uint64_t (*quiescent)(bool first) = nullptr;
  void (*share)() = nullptr;             // called while tasks are stealable: sends some of them
  void (*handler_suspends)() = nullptr;  // hands the rest of the buffer to another worker
};

/// Decides when the network is due for a poll.
///
/// Reading the clock costs as much as a switch between workers. The clock is therefore read only
/// when a *grant* of switches has been spent. The rate of switches since the last poll determines
/// the size of the next grant. A closed budget grants no switches.
class PollBudget {
 public:
  /// A poll is due after `interval_ticks`, and after `switches_per_poll` switches at the latest.
  PollBudget(uint64_t interval_ticks, int switches_per_poll);

  void spend() { --left_; }  // for one switch, or one task that started

  /// Returns true if a poll is due; reads the clock if spent(). If false, grants a switch or more.
  bool due() { return spent() && clock_says_due(); }
  bool spent() const { return left_ <= 0; }

  bool interval_is_over(uint64_t now_ticks) const { return now_ticks - polled_ticks_ >= interval_; }

  void revoke() {  // takes back the rest of the grant
    switches_ += spent_of_grant();
    work_done.switches += static_cast<uint64_t>(spent_of_grant());
    granted_ = left_ = 0;
  }

  /// After close(), due() is true. open() makes a grant and spends one switch of it.
  void close() {
    closed_ = true;
    left_ = 0;
  }
  void open(uint64_t now_ticks);

  /// Called at the begin and the end of a poll. poll_begins() returns the ticks since the previous
  /// poll, for poll_ends(). If a handler suspends, other polls may run between the two calls.
  uint64_t poll_begins(uint64_t now_ticks);
  void poll_ends(uint64_t now_ticks, uint64_t elapsed_ticks);

  uint64_t polled_ticks() const { return polled_ticks_; }

  /// Returns the switches since the previous call or the last poll, without the latest switch.
  uint32_t take_unnoted();

 private:
  bool clock_says_due();
  int spent_of_grant() const { return granted_ - std::max(0, left_); }

  int left_ = 0;      // switches until the clock is read
  int granted_ = 0;   // left_ when the clock was last read
  int switches_ = 0;  // since the last poll, without the current grant
  int noted_ = 0;     // switches since the last poll, at the last take_unnoted()
  bool closed_ = true;
  uint64_t polled_ticks_ = 0;  // the end of the last poll
  const uint64_t interval_;    // ticks
  const int switches_per_poll_;
};

/// Polls, and measures the time of each activity with the two clock readings of each poll. A core
/// always has exactly one activity, so the three times add up to the total time.
class Poller {
 public:
  Poller(const TaskingOptions& options, const SchedulerHooks& hooks, PollBudget* budget,
         uint64_t now_ticks)
      : options_(options), hooks_(hooks), budget_(*budget), since_ticks_(now_ticks) {}

  /// Changes the activity of the core at time `now_ticks`, which must not decrease between calls.
  void turn_to(Activity next, uint64_t now_ticks) {
    activity_time[static_cast<size_t>(activity_)] += now_ticks - since_ticks_;
    since_ticks_ = now_ticks;
    activity_ = next;
  }

  /// Replaces the current activity, for the whole time since it began.
  void correct(Activity activity) { activity_ = activity; }

  /// Receives and runs messages. Returns true if any was received. If none was, and
  /// nothing_to_run() is true, the time counts as idle, because the next poll follows immediately.
  template <class F>
  bool poll(F nothing_to_run) {
    const uint64_t begin_ticks = ticks();
    const uint64_t elapsed_ticks = budget_.poll_begins(begin_ticks);
    turn_to(Activity::Polling, begin_ticks);
    const bool received = hooks_.poll != nullptr && hooks_.poll();
    budget_.poll_ends(ticks(), elapsed_ticks);
    if (!received && nothing_to_run()) correct(Activity::Idle);
    turn_to(Activity::Running, budget_.polled_ticks());
    return received;
  }

  void moved() { silent_rounds_ = 0; }

  /// Called after a poll with nothing to run. `may_steal`: the core may steal a task. `quiescent`:
  /// only a message can end this state. `wake_ns`: the next time at which the scheduler has work.
  /// Returns true if the core has been idle for long.
  bool idle_round(bool received, bool may_steal, bool quiescent, uint64_t wake_ns);

 private:
  const TaskingOptions& options_;
  const SchedulerHooks& hooks_;
  PollBudget& budget_;
  uint64_t since_ticks_;
  Activity activity_ = Activity::Running;
  int64_t silent_rounds_ = 0;  // consecutive rounds without an event on this core
};

}}  // namespace Grappa::detail
