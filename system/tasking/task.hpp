#pragma once

/// Work that waits for a worker.

#include "system/base/closure.hpp"
#include "system/base/ids.hpp"
#include "system/tasking/task_scope.hpp"

namespace Grappa {

namespace detail {

/// Runs on the core that started it. It is counted in its scope until it has ended.
struct Task {
  Closure body;
  TaskScope* scope;
};

/// May be run by another core instead. Its body is trivially copyable.
struct PublicTask {
  Task task;

  /// Sends the task to core `thief`, where it starts in the same scope; this core forgets it.
  void (*send)(Task* task, Core thief);
};

}  // namespace detail

/// Who may run a task: the core that starts it, or any.
enum class TaskMode { Bound, Unbound };
constexpr TaskMode bound = TaskMode::Bound;
constexpr TaskMode unbound = TaskMode::Unbound;

}  // namespace Grappa
