#include "system/tasking/poller.hpp"

#include <sched.h>

namespace Grappa::detail {
TickCounter activity_time[3] = {
    {"tasking.running_ns", "in which a core ran workers, or the program outside of run"},
    {"tasking.polling_ns", "in which a core delivered messages, flushed, or polled while busy"},
    {"tasking.idle_ns", "in which a core had no work"},
};

namespace {

Counter idle_sleeps("tasking.idle_sleeps", "times",
                    "the core slept because nothing had happened for long");

}  // namespace

Poller::Poller(const TaskingOptions& options, const SchedulerHooks& hooks, PollBudget* budget,
               uint64_t now_ticks)
    : options_(options), hooks_(hooks), budget_(*budget), activity_(now_ticks) {}

bool Poller::idle_round(bool received, bool may_steal, bool quiescent) {
  const bool moved = received || (hooks_.flush != nullptr && hooks_.flush());
  activity_.correct(moved ? Activity::Polling : Activity::Idle);
  if (moved) {
    silent_rounds_ = 0;
    return false;
  }
  if (may_steal && hooks_.steal != nullptr) hooks_.steal();
  if (quiescent && hooks_.quiescent != nullptr) hooks_.quiescent(silent_rounds_ == 0);
  return back_off();
}

/// Other processes may need the processor, above all if the job has more cores than the node has
/// processors.
bool Poller::back_off() {
  ++silent_rounds_;
  if (silent_rounds_ <= options_.idle_rounds_before_yield) return false;
  if (silent_rounds_ > options_.idle_rounds_before_sleep) {
    ++idle_sleeps;
    sleep_thread_ns(static_cast<uint64_t>(options_.idle_sleep_ns));
  } else {
    ::sched_yield();
  }
  return true;
}

}  // namespace Grappa::detail
