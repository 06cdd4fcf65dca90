#pragma once

/// The part of a finish scope on one core: a count of open work, and a callback for count zero.
///
/// Every task carries the scope in which it was started. Tasks started by that task join the same
/// scope. The layer for completion across cores (parallel/finish_scope) derives from this struct
/// and sets `drained`. This layer only counts, so the start and the end of a task cost one addition
/// each. A null scope means that no finish waits for the task.

#include "system/base/check.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct TaskScope {
  /// Number of tasks of this core, and of messages sent by this core, that have not ended.
  int64_t open = 0;

  /// Identifies the scope on every core; sent in message headers. 0 means no scope.
  uint64_t wire_id = 0;

  /// Called when `open` returns to zero. May destroy the scope.
  void (*drained)(TaskScope*) = nullptr;

  void enroll(int64_t n) {
    GRAPPA_DCHECK(n >= 0) << "enroll of " << n;
    open += n;
  }

  void complete(int64_t n) {
    GRAPPA_DCHECK(n >= 0) << "complete of " << n;
    open -= n;
    if (open > 0) return;
    GRAPPA_CHECK(open == 0) << "a scope was completed more often than enrolled";
    GRAPPA_DCHECK(drained != nullptr) << "a scope without drained()";
    drained(this);
  }
};

inline uint64_t wire_id(const TaskScope* scope) { return scope == nullptr ? 0 : scope->wire_id; }

}  // namespace detail
}  // namespace Grappa
