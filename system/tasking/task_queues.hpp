#pragma once

/// The tasks of a core that have not started, and how many of the others have not ended.
///
/// There are four queues. *High-priority* tasks are short tasks of the runtime that other tasks
/// wait for: they start first, and the limit on tasks does not hold for them. *Bound* tasks start
/// in the order of spawn(). *Helper* tasks do work that running tasks do otherwise. *Stealable*
/// tasks may be taken by other cores, the oldest first; on their own core the newest starts first.
/// One task in 16 is taken from a later queue, so that no queue waits forever. Invariant: at most
/// as many tasks are live as WorkerLimit allows, high-priority tasks aside.

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/growing_ring.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/task.hpp"
#include "system/tasking/worker_limit.hpp"

#include <cstddef>
#include <cstdint>

namespace Grappa {
namespace detail {

extern Counter large_closures;
extern Counter tasks_run;

class TaskQueues {
 public:
  /// `buffer_waits` counts the tasks that wait for a message buffer. While there are any, helper
  /// tasks are held back, because they would wait for the next buffer.
  TaskQueues(int64_t num_workers, uint64_t growth_period_ticks, const int64_t& buffer_waits);

  /// Each enrolls the task in its scope.
  void push(const Closure& body, TaskScope* scope) {
    if (scope != nullptr) scope->enroll(1);
    if (!body.is_inline()) ++large_closures;
    bound_.push_back(Task{body, scope});
  }
  void push_high_priority(const Closure& body, TaskScope* scope);
  void push_helper(const Closure& body, TaskScope* scope);
  void push_stealable(const StealableTask& task);

  /// Removes the oldest stealable task, for another core. False if there is none.
  bool steal(StealableTask* task);

  /// A task is queued and may start.
  bool may_start() const {
    return !high_priority_.empty() || (startable() != 0 && limit_.allows(live_));
  }

  /// A task is queued whose work no running task does.
  bool has_needed() const {
    return !high_priority_.empty() || !bound_.empty() || !stealable_.empty();
  }

  /// Nothing is queued, apart from helper tasks that are held back.
  bool quiescent() const { return !has_needed() && helpers() == 0; }

  /// Removes the task that starts next. From: only if may_start().
  Task take() {
    GRAPPA_DCHECK(may_start()) << "no task may start";
    const bool plain = high_priority_.empty() && !bound_.empty() && live_ < num_workers_;
    if (GRAPPA_LIKELY(plain && ++taken_ % kTurnsOfTheFirstQueue != 0)) return bound_.pop_front();
    return take_slow(plain);
  }

  /// A task that was taken begins or ends.
  void started() {
    ++live_;
    ++tasks_run;
  }
  void ended() {
    GRAPPA_DCHECK(live_ > 0) << "more tasks end than have started";
    --live_;
    limit_.task_ended(live_);
  }

  /// Tasks are queued, and the limit lets none start.
  bool held_up() const { return size() != 0 && !limit_.allows(live_); }

  /// At each poll while held_up(): raises the limit if nothing has happened for long. `progress`
  /// counts what has happened; `unsure`: live tasks may proceed without another one.
  void consider_growth(uint64_t now_ticks, uint64_t progress, bool unsure);

  size_t size() const {
    return high_priority_.size() + bound_.size() + helpers_.size() + stealable_.size();
  }
  size_t stealable() const { return stealable_.size(); }

  /// Tasks that have started and not ended, without the main task.
  int64_t live() const { return live_; }

 private:
  /// One task in so many is taken from a later queue. Not measured.
  static constexpr uint32_t kTurnsOfTheFirstQueue = 16;

  /// `turn`: it is the turn of the later queues.
  Task take_slow(bool turn);
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

}  // namespace detail
}  // namespace Grappa
