#pragma once

/// Helper for tests with waiting tasks.

#include "system/tasking/scheduler.hpp"

namespace Grappa {

/// Lets the other tasks of this core run until each has ended or waits.
inline void settle() {
  while (detail::scheduler().tasks().size() > 0 || detail::scheduler().ready_workers() > 0) yield();
}

}  // namespace Grappa
