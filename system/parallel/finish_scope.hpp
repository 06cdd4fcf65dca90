#pragma once

/// Waiting for work that spreads over the machine.
///
/// finish(body) returns when everything that the body has started has ended: tasks, async
/// delegates, loops, what those have started in turn, on whatever core. Scopes nest freely: a task
/// knows the scope it was started in, and what it starts joins that scope.
///
/// Counting is local. A core counts the tasks it runs and the counted messages it has sent; it is
/// told how many of those have been executed with one number for many. A core that a message brings
/// into the scope owes that message's sender an acknowledgement until it has no work of the scope
/// left; all later messages from other senders are acknowledged at once. So the cores with work
/// form a tree, and the home, its root, is done when its own count is zero: then no core has work
/// and no message is on its way, in whatever order messages have arrived. (E. Dijkstra and C.
/// Scholten, "Termination detection for diffusing computations", Information Processing Letters
/// 11(1), 1980.)

#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/task_scope.hpp"

namespace Grappa {

namespace detail {

class FinishScope : public TaskScope {
 public:
  /// Opens a scope and makes it the running task's. From: task.
  FinishScope();
  FinishScope(const FinishScope&) = delete;
  FinishScope& operator=(const FinishScope&) = delete;

  /// Leaves the scope and waits until all work in it has ended. Once, by the task that opened it.
  /// Suspends: while work is open.
  void wait();

  ~FinishScope();

 private:
  static void on_drained(TaskScope* base);

  TaskScope* const outer_;
  Worker* waiter_ = nullptr;
  bool left_ = false;
};

}  // namespace detail

/// Runs `body()` in the calling task and waits until all that was started inside has ended.
/// From: task. Suspends: while work is open. Messages: at most one for each run of counted
/// messages.
template <class F>
void finish(F body) {
  detail::FinishScope scope;
  body();
  scope.wait();
}

}  // namespace Grappa
