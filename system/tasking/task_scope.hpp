#pragma once

/// What a finish waits for, as one core sees it: a count of open work and what to do when it is
/// zero.
///
/// Every task carries the scope it was started in; what it starts joins that scope. The floor that
/// implements completion between cores (parallel/finish_scope) derives from this and fills in
/// `drained`; here it is only counted, so that starting and ending a task costs an addition each.
/// A null scope waits for nothing and counts nothing.

#include "system/base/check.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct TaskScope {
  /// Tasks of this core, and messages it has sent, that have not ended.
  int64_t open = 0;

  /// Names the scope on every core: travels in message headers. 0 is no scope.
  uint64_t wire_id = 0;

  /// Called when `open` returns to zero. May destroy the scope.
  void (*drained)(TaskScope*) = nullptr;

  void enroll(int64_t n) { open += n; }

  void complete(int64_t n) {
    open -= n;
    if (open > 0) return;
    GRAPPA_CHECK(open == 0) << "more completed in a scope than was started";
    drained(this);
  }
};

inline uint64_t wire_id(const TaskScope* scope) { return scope == nullptr ? 0 : scope->wire_id; }

}  // namespace detail
}  // namespace Grappa
