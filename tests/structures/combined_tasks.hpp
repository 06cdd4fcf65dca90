#pragma once

/// Many tasks whose requests a structure may combine.

#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/task.hpp"

#include <cstdint>

namespace Grappa {

/// Runs `body(task)` for task = 0 ... n - 1 in tasks of this core, which all wait for each other's
/// requests. Returns when all tasks have ended. `body` is not sent.
template <class F>
void in_tasks(int64_t n, const F& body) {
  finish([n, &body] {
    for (int64_t task = 0; task < n; ++task) spawn([task, &body] { body(task); });
  });
}

/// As above, with n tasks on each core: `body` is sent to all cores.
template <class F>
void in_tasks_of_all_cores(int64_t n, F body) {
  on_all_cores([n, body] { in_tasks(n, body); });
}

}  // namespace Grappa
