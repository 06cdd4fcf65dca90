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
  Unsure,    // tasks yield or sleep, or only helper tasks are queued
  Replies,   // a task waits for another core
  Elsewhere  // a task waits for a buffer, which another core returns as soon as it is scheduled
};

/// The limit of started tasks: busy_workers. The limit grows to num_workers if latency is high, and
/// beyond num_workers if progress is impossible otherwise.
///
/// In a *standstill*, no worker is woken and no task ends. Up to num_workers, the limit grows by
/// half after a standstill of 1/200 of a period. If tasks wait for replies, the limit grows only in
/// the 8th of such standstills with less than 1/5 of a period between each two. If standstills are
/// rare, the cause is not latency: another core was descheduled. The limit also grows by half if no
/// queued task has started for 10 periods. When few tasks are left, half of the growth is undone.
///
/// All started tasks may wait for a queued task, by suspending or by repeated yields. Then the
/// standstill lasts. If the cause is Sure, the limit grows by a quarter per period. If Unsure or
/// Replies, the limit doubles after 10 periods, again after 20 more, and so on. If Elsewhere, it
/// doubles after 1,000 periods, again after 2,000 more, and so on. When fewer than num_workers
/// started tasks are left, the limit returns to num_workers.
class WorkerLimit {
 public:
  static constexpr int kTurns = 64;              // minimum; a descheduled process makes no turns
  static constexpr int kShortStandstills = 200;  // in a period

  WorkerLimit(int64_t busy_workers, int64_t num_workers, uint64_t period_ticks);

  bool allows(int64_t live_tasks) const { return live_tasks < limit_; }
  bool below_num_workers() const { return limit_ < num_workers_; }

  /// Called in each turn of the poller that may start no queued task. `progress` counts events.
  void not_allowed(uint64_t now_ticks, uint64_t progress, Standstill standstill);

  /// Called in each of these turns while tasks other than helpers are queued. `taken`: a value that
  /// changes when a task starts. The live tasks may send requests until a queued task has run.
  void none_started(uint64_t now_ticks, uint32_t taken);

  void task_ended(int64_t live_tasks) {
    GRAPPA_DCHECK(live_tasks >= 0) << live_tasks << " tasks are live";
    if (live_tasks < num_workers_ && limit_ > num_workers_) limit_ = num_workers_;
    if (live_tasks == busy_workers_ / 2) limit_ -= (limit_ - busy_workers_ + 1) / 2;
  }

 private:
  void grow_by_half();
  bool grows_now(uint64_t now_ticks, Standstill standstill);

  const int64_t num_workers_;
  const int64_t busy_workers_;  // at most num_workers_
  int64_t limit_;
  const uint64_t period_;
  uint64_t patience_ = 1;
  uint64_t since_ticks_ = 0;
  uint64_t progress_ = ~uint64_t{0};  // value at the begin of the standstill
  int turns_ = 0;
  int standstills_ = 0;     // short ones, in close succession, since the limit last grew
  bool counted_ = false;    // the current standstill is one of them
  uint64_t end_ticks_ = 0;  // the end of the latest of them
  uint32_t taken_ = 0;
  uint64_t taken_ticks_ = 0;  // the time when taken_ changed
};

class TaskQueues {
 public:
  /// While `buffer_waits` tasks wait for a message buffer, no helper task starts.
  TaskQueues(int64_t busy_workers, int64_t num_workers, uint64_t growth_period_ticks,
             const int64_t& buffer_waits)
      : num_workers_(num_workers),
        buffer_waits_(buffer_waits),
        limit_(busy_workers, num_workers, growth_period_ticks) {}

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

  /// Called at each poll while held_up(). `cause`: as the scheduler knows it: not Elsewhere.
  void consider_growth(uint64_t now_ticks, uint64_t progress, Standstill cause);

  /// Returns the minimum number of polls of an idle core per growth period while held_up().
  int turns_per_period() const {
    return limit_.below_num_workers() ? WorkerLimit::kShortStandstills : WorkerLimit::kTurns;
  }

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
