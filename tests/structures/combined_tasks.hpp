#pragma once

/// Helpers that start many tasks, so that a structure can combine the requests of these tasks.

#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {

/// Runs `body(task)` for task = 0 ... n - 1, each in its own task of this core. Returns when all
/// tasks have ended. `body` is not sent to other cores.
template <class F>
void in_tasks(int64_t n, const F& body) {
  finish([n, &body] {
    for (int64_t task = 0; task < n; ++task) spawn([task, &body] { body(task); });
  });
}

/// Does the same with n tasks on each core. `body` is sent to all cores.
template <class F>
void in_tasks_of_all_cores(int64_t n, F body) {
  on_all_cores([n, body] { in_tasks(n, body); });
}

}  // namespace Grappa
