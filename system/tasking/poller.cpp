#include "system/tasking/poller.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <sched.h>

namespace Grappa::detail {
TickCounter activity_time[3] = {
    {"tasking.running_ns", "in which a core ran workers, or code of the program outside of run"},
    {"tasking.polling_ns", "in which a core delivered messages, flushed, or polled while busy"},
    {"tasking.idle_ns", "in which a core had no work"},
};

namespace {

Counter idle_sleeps("tasking.idle_sleeps", "times",
                    "the core slept because nothing had happened for long");

/// The clock is read at least once per this number of switches. Not measured.
constexpr int kMostGranted = 32;

/// A grant of the switches that fit into the interval: at least 1, at most `most` and kMostGranted.
int grant(uint64_t fitting, int most) {
  const uint64_t limit = static_cast<uint64_t>(std::max(1, std::min(kMostGranted, most)));
  return static_cast<int>(std::max<uint64_t>(1, std::min(fitting, limit)));
}

}  // namespace

PollBudget::PollBudget(uint64_t interval_ticks, int switches_per_poll)
    : interval_(interval_ticks), switches_per_poll_(switches_per_poll) {
  GRAPPA_CHECK(switches_per_poll > 0)
      << "a poll after " << switches_per_poll << " switches: give 1 or more";
}

GRAPPA_NOINLINE bool PollBudget::clock_says_due() {
  if (closed_) return true;
  switches_ += granted_;
  work_done.switches += static_cast<uint64_t>(granted_);
  granted_ = 0;
  const uint64_t elapsed = std::max<uint64_t>(1, ticks() - polled_ticks_);
  const int most = switches_per_poll_ - switches_;
  if (elapsed >= interval_ || most <= 0) return true;
  const uint64_t fitting = static_cast<uint64_t>(switches_) * (interval_ - elapsed) / elapsed;
  left_ = granted_ = grant(fitting, most);
  GRAPPA_DCHECK(granted_ > 0 && granted_ <= kMostGranted) << "a grant of " << granted_;
  return false;
}

void PollBudget::open(uint64_t now_ticks) {
  GRAPPA_DCHECK(closed_) << "a budget is opened twice";
  closed_ = false;
  polled_ticks_ = now_ticks;
  switches_ = 0;
  granted_ = std::min(kMostGranted, switches_per_poll_);
  left_ = granted_ - 1;
}

uint64_t PollBudget::poll_begins(uint64_t now_ticks) {
  GRAPPA_DCHECK(left_ <= granted_) << left_ << " switches left of a grant of " << granted_;
  switches_ += spent_of_grant();
  work_done.switches += static_cast<uint64_t>(spent_of_grant());
  return std::max<uint64_t>(1, now_ticks - polled_ticks_);
}

void PollBudget::poll_ends(uint64_t now_ticks, uint64_t elapsed_ticks) {
  GRAPPA_DCHECK(elapsed_ticks > 0) << "poll_ends() without the result of poll_begins()";
  polled_ticks_ = now_ticks;
  // The first grant is the number of switches that would have fitted into the last interval.
  const uint64_t fitting = static_cast<uint64_t>(switches_) * interval_ / elapsed_ticks;
  if (switches_ > 0) granted_ = grant(fitting, switches_per_poll_);
  switches_ = 0;
  left_ = closed_ ? 0 : granted_;
}

uint32_t PollBudget::take_unnoted() {
  const int since_poll = switches_ + spent_of_grant();
  const int unnoted = since_poll >= noted_ ? since_poll - noted_ : since_poll;
  noted_ = since_poll;
  return static_cast<uint32_t>(std::max(0, unnoted - 1));
}

bool Poller::idle_round(bool received, bool may_steal, bool quiescent, uint64_t wake_ns) {
  const bool moved = received || (hooks_.flush != nullptr && hooks_.flush());
  correct(moved ? Activity::Polling : Activity::Idle);
  if (moved) {
    silent_rounds_ = 0;
    return false;
  }
  if (may_steal && hooks_.steal != nullptr) hooks_.steal();
  // A vote on a deadlock is not urgent. While the core spins, it looks for messages instead.
  const bool spins = silent_rounds_ != 0 && silent_rounds_ < options_.idle_rounds_before_yield;
  if (quiescent && !spins && hooks_.quiescent != nullptr) {
    wake_ns = std::min(wake_ns, hooks_.quiescent(silent_rounds_ == 0));
  }
  ++silent_rounds_;
  if (silent_rounds_ <= options_.idle_rounds_before_yield) return false;
  const bool long_idle = silent_rounds_ > options_.idle_rounds_before_sleep;
  if (long_idle) ++idle_sleeps;
  // Other processes may need the processor, particularly if there are more cores than processors.
  if (virtual_time != nullptr) {
    virtual_time->idle_until(wake_ns);
  } else if (long_idle) {
    sleep_thread_ns(static_cast<uint64_t>(options_.idle_sleep_ns));
  } else {
    ::sched_yield();
  }
  return true;
}

}  // namespace Grappa::detail
