#pragma once

/// Waits for work that spreads over the cores.
///
/// finish(body) returns when all work that the body has started has ended: tasks, async delegates,
/// loops, and the work that these have started in turn, on any core. Scopes may be nested: a task
/// belongs to the scope in which it was started, and the work that it starts joins that scope.
///
/// Counting is local. A core counts the tasks it runs and the counted messages it has sent; one
/// acknowledgement reports many executed messages. If a message brings a core into the scope, the
/// core owes the sender an acknowledgement until the core has no work of the scope left. The core
/// acknowledges all later messages from other senders at once. So the cores with work form a tree
/// with the home as the root. When the home's own count is zero, no core has work and no message is
/// in transit, in whatever order messages have arrived. (E. Dijkstra and C. Scholten, "Termination
/// detection for diffusing computations", Information Processing Letters 11(1), 1980.)

#include "system/tasking/suspend.hpp"
#include "system/tasking/task_scope.hpp"

namespace Grappa {

namespace detail {

class FinishScope : public TaskScope {
 public:
  /// Opens a scope and makes it the running task's. From: task.
  FinishScope();
  FinishScope(const FinishScope&) = delete;
  FinishScope& operator=(const FinishScope&) = delete;

  /// Leaves the scope and waits until its work has ended. Called once, by the task that opened it.
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

/// Runs `body()` in the calling task and waits until all work that was started inside has ended.
/// From: task. Suspends: while work is open. Messages: at most one for each run of counted
/// messages.
template <class F>
void finish(F body) {
  detail::FinishScope scope;
  body();
  scope.wait();
}

}  // namespace Grappa
