#pragma once

/// Starting tasks on this core.

#include "system/base/closure.hpp"
#include "system/tasking/scheduler.hpp"

#include <utility>

namespace Grappa {

/// The scope of the running task or handler: what it starts joins it. Null outside of any.
inline TaskScope* current_scope() { return scheduler().scope(); }

/// Starts a task on this core; it runs after the caller suspends, in the order of the calls. It
/// joins the caller's scope. The body may capture by reference what outlives it.
template <class F>
void spawn(F&& body) {
  scheduler().start_task(Closure::make(std::forward<F>(body)), current_scope());
}

}  // namespace Grappa
