#pragma once

/// Starting tasks on this core.

#include "system/base/closure.hpp"
#include "system/tasking/scheduler.hpp"

#include <utility>

namespace Grappa {

namespace detail {

/// The scope of the running task or handler: what it starts joins it. Null outside of any.
inline TaskScope* current_scope() { return scheduler().scope(); }

}  // namespace detail

/// Starts a task on this core; it runs after the caller suspends, in the order of the calls. It
/// joins the caller's scope. The body may capture by reference what outlives it.
template <class F>
void spawn(F&& body) {
  detail::scheduler().start_task(detail::Closure::make(std::forward<F>(body)),
                                 detail::current_scope());
}

}  // namespace Grappa
