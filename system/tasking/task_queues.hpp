#pragma once

/// The tasks of a core that have not started, and the number of started tasks that have not ended.
///
/// There are four queues. *High-priority* tasks are short tasks that other tasks wait for. They
/// start first, and the limit on tasks does not apply to them. *Bound* tasks start in the order of
/// spawn(). *Helper* tasks do work that running tasks would do otherwise, so the limit does not
/// grow for them. Other cores may take *stealable* tasks, the oldest first; on their own core, the
/// newest starts first. One task in 16 is from a later queue, so that no queue waits forever.
/// Invariant: at most as many tasks are live as WorkerLimit allows, except high-priority tasks.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/growing_ring.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Grappa { namespace detail {

extern Counter large_closures;
extern Counter tasks_run;

/// The cause of a standstill, as far as the core knows it.
enum class Standstill {
  Sure,      // the limit is the only possible cause
  Unsure,    // tasks yield or wait for replies, or only helper tasks are queued
  Elsewhere  // a task waits for a buffer, which another core returns as soon as it is scheduled
};

/// The limit of started tasks: num_workers, or more if that limit prevents progress.
///
/// All started tasks may wait for a queued task, by suspending or by repeated yields. In such a
/// standstill no worker is woken and no task ends. If the cause is Sure, the limit grows by a
/// quarter per period. If Unsure, the limit doubles after 10 periods, again after 20 more, and so
/// on. If Elsewhere, it doubles after 1,000 periods, again after 2,000 more, and so on. When fewer
/// than num_workers started tasks are left, the limit returns to num_workers.
class WorkerLimit {
 public:
  static constexpr int kTurns = 64;  // minimum; a descheduled process makes no turns

  WorkerLimit(int64_t num_workers, uint64_t period_ticks)
      : num_workers_(num_workers), limit_(num_workers), period_(period_ticks) {
    GRAPPA_CHECK(num_workers > 0) << "a limit of " << num_workers << " tasks: give 1 or more";
  }

  bool allows(int64_t live_tasks) const { return live_tasks < limit_; }

  /// Called in each turn of the poller that may start no queued task. `progress` counts events.
  void not_allowed(uint64_t now_ticks, uint64_t progress, Standstill standstill) {
    const bool surely = standstill == Standstill::Sure;
    if (progress != progress_) {
      progress_ = progress;
      patience_ = 1;
    } else {
      const uint64_t unsure_periods = standstill == Standstill::Unsure ? 10 : 1000;
      const uint64_t wait_ticks = period_ * (surely ? 1 : patience_ * unsure_periods);
      if (++turns_ < kTurns || now_ticks - since_ticks_ < wait_ticks) return;
      limit_ += surely ? std::max<int64_t>(1, limit_ / 4) : limit_;
      if (!surely) patience_ *= 2;
    }
    turns_ = 0;
    since_ticks_ = now_ticks;
  }

  void task_ended(int64_t live_tasks) {
    GRAPPA_DCHECK(live_tasks >= 0) << live_tasks << " tasks are live";
    if (live_tasks < num_workers_) limit_ = num_workers_;
  }

 private:
  const int64_t num_workers_;
  int64_t limit_;
  const uint64_t period_;
  uint64_t patience_ = 1;
  uint64_t since_ticks_ = 0;
  uint64_t progress_ = ~uint64_t{0};  // value at the begin of the standstill
  int turns_ = 0;
};

class TaskQueues {
 public:
  /// While `buffer_waits` tasks wait for a message buffer, no helper task starts.
  TaskQueues(int64_t num_workers, uint64_t growth_period_ticks, const int64_t& buffer_waits)
      : num_workers_(num_workers),
        buffer_waits_(buffer_waits),
        limit_(num_workers, growth_period_ticks) {}

  /// Each push function adds a task to a queue and enrolls the task in `scope`.
  void push(const Closure& body, TaskScope* scope) {
    if (!body.is_inline()) ++large_closures;
    bound_.push_back(enrolled(body, scope));
  }
  void push_high_priority(const Closure& body, TaskScope* scope) {
    high_priority_.push_back(enrolled(body, scope));
  }
  void push_helper(const Closure& body, TaskScope* scope) {
    helpers_.push_back(enrolled(body, scope));
  }
  void push_stealable(const StealableTask& task);

  /// Removes the oldest stealable task, for another core. Returns false if no task is stealable.
  bool steal(StealableTask* task);

  size_t size() const {
    return high_priority_.size() + bound_.size() + helpers_.size() + stealable_.size();
  }
  size_t stealable() const { return stealable_.size(); }

  /// Returns the number of tasks that have started and not ended, without the main task.
  int64_t live() const { return live_; }

  /// Returns true if a task other than a helper task is queued.
  bool has_needed() const {
    return !high_priority_.empty() || !bound_.empty() || !stealable_.empty();
  }

  /// Returns true if no task is queued, apart from helper tasks that may not start now.
  bool quiescent() const { return !has_needed() && helpers() == 0; }

  /// Returns true if a task is queued and may start.
  bool may_start() const {
    return !high_priority_.empty() || (startable() != 0 && limit_.allows(live_));
  }

  /// Removes and returns the task that starts next. Requires may_start().
  Task take() {
    GRAPPA_DCHECK(may_start()) << "no task may start";
    const bool plain = high_priority_.empty() && !bound_.empty() && live_ < num_workers_;
    if (GRAPPA_LIKELY(plain && ++taken_ % kTurnsOfTheFirstQueue != 0)) return bound_.pop_front();
    return take_slow(plain);
  }

  void started() {
    ++work_done.tasks;
    ++live_;
    ++tasks_run;
  }
  void ended() {
    GRAPPA_DCHECK(live_ > 0) << "more tasks ended than started";
    --live_;
    limit_.task_ended(live_);
  }

  /// Returns true if tasks are queued and the limit allows no task to start.
  bool held_up() const { return size() != 0 && !limit_.allows(live_); }

  /// Called at each poll while held_up(). `unsure`: the live tasks may make progress without help.
  void consider_growth(uint64_t now_ticks, uint64_t progress, bool unsure);

 private:
  static constexpr uint32_t kTurnsOfTheFirstQueue = 16;  // not measured

  static Task enrolled(const Closure& body, TaskScope* scope) {
    if (scope != nullptr) scope->enroll(1);
    return {body, scope};
  }
  Task take_slow(bool turn_of_later_queues);
  size_t helpers() const { return buffer_waits_ != 0 ? 0 : helpers_.size(); }
  size_t startable() const { return bound_.size() + stealable_.size() + helpers(); }

  const int64_t num_workers_;
  const int64_t& buffer_waits_;
  GrowingRing<Task> high_priority_;
  GrowingRing<Task> bound_;
  GrowingRing<Task> helpers_;
  GrowingRing<StealableTask> stealable_;
  uint32_t taken_ = 0;
  int64_t live_ = 0;
  WorkerLimit limit_;
};

}}  // namespace Grappa::detail
