#pragma once

/// Starting a task on this core for which a completion event waits.

#include "system/sync/completion_event.hpp"
#include "system/tasking/spawn.hpp"

#include <type_traits>
#include <utility>

namespace Grappa {

namespace detail {

template <class Body>
struct CompletingTask {
  CompletionEvent* event;
  Body body;

  void operator()() {
    body();
    event->complete();
  }
};

}  // namespace detail

/// Starts a task on this core and enrolls it in `event`. `event` must outlive the task.
template <class F>
void spawn(CompletionEvent* event, F&& body) {
  event->enroll();
  spawn(detail::CompletingTask<typename std::decay<F>::type>{event, std::forward<F>(body)});
}

}  // namespace Grappa
