#pragma once

/// Starts tasks on this core.

#include "system/base/closure.hpp"
#include "system/tasking/scheduler.hpp"

#include <utility>

namespace Grappa {

namespace detail {

/// The scope of the running task or handler, which new tasks join; null if there is none.
inline TaskScope* current_scope() { return scheduler().scope(); }

}  // namespace detail

/// Starts a task on this core. Started tasks run after the caller suspends, in the order of the
/// calls. The task joins the caller's scope. `body` may refer to objects that outlive the task.
template <class F>
void spawn(F&& body) {
  detail::scheduler().start_task(detail::Closure::make(std::forward<F>(body)),
                                 detail::current_scope());
}

}  // namespace Grappa
