#pragma once

/// Tasks that wait for a worker.

#include "system/base/closure.hpp"
#include "system/base/ids.hpp"
#include "system/tasking/task_scope.hpp"

namespace Grappa {

namespace detail {

/// A task of the core that started it. Its scope counts the task until it has ended.
struct Task {
  Closure body;
  TaskScope* scope;
};

/// A task that another core may run. Its body is trivially copyable.
struct StealableTask {
  Task task;

  /// Moves the task to core `thief`, where it starts in the same scope.
  void (*send)(Task* task, Core thief);
};

}  // namespace detail

/// Bound: only the core that starts the task runs it. Unbound: any core may run it.
enum class TaskMode { Bound, Unbound };
constexpr TaskMode bound = TaskMode::Bound;
constexpr TaskMode unbound = TaskMode::Unbound;

}  // namespace Grappa
