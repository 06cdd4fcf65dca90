#pragma once

/// Starts tasks on this core.

#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <utility>

namespace Grappa {
namespace detail {

/// These functions queue a task (TaskQueues).
void start_task(const Closure& body, TaskScope* scope);
void start_helper_task(const Closure& body, TaskScope* scope);
void start_stealable_task(const StealableTask& task);

}  // namespace detail

/// Starts a task on this core. Started tasks run after the caller suspends, in the order of the
/// calls. The task joins the caller's scope. `body` may refer to objects that outlive the task.
template <class F>
void spawn(F&& body) {
  detail::start_task(detail::Closure::make(std::forward<F>(body)), detail::current_scope());
}

}  // namespace Grappa
