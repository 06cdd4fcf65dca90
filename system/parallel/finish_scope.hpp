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
/// docs/design.md has the details.
///
/// The scope of a finish is an object of its home. Another core stores a part of the scope, under
/// the scope's name, while the core has work of the scope. A global completion event has a part on
/// every core, at the same address, so no search is needed.

#include "system/base/ids.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// A scope on a core that is not its home. The object exists from the message that brings the first
/// work of the scope until all of this work has ended. The core owes acknowledgements to `parent`,
/// the sender of that message, and sends them at the end. The core acknowledges messages of other
/// senders as soon as they have been executed. Invariant: `debt` is above zero, or a message of the
/// parent is executing here. So the parent has open work, too, and so on up to the home.
struct RemoteScope : TaskScope {
  Core parent = 0;
  int64_t debt = 0;       // acknowledgements owed to the parent
  int64_t executing = 0;  // runs of the scope that workers of this core execute

  /// Whether this core is in the tree.
  bool in_tree() const { return debt != 0 || executing != 0; }
};

/// The core that has opened a scope. The scope must have a name.
Core home_of(const TaskScope& scope);

/// The name of a scope that has a part at the address of `part` on every core.
uint64_t symmetric_scope_name(const RemoteScope* part, Core home);

/// Makes `part` a part of the symmetric scope `name`, on a core that is not its home.
void name_remote_scope(RemoteScope* part, uint64_t name);

/// Called after the home has opened a unit of work on request of this core. From here on this core
/// is in the tree and owes that unit. If messages of another core have brought it in meanwhile, it
/// gives the unit back at once. The caller must open work before it does anything else.
void take_unit_of_home(RemoteScope* part);

/// Connects scopes to messages. Called once at start-up.
void install_scope_hooks();

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
