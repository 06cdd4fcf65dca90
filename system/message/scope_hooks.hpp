#pragma once

/// Callbacks for messages of scopes, set by the layer that implements scopes (parallel/).

#include "system/base/ids.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct ScopeHooks {
  /// Called before a run of a scope from `source` is executed. Returns the local part of the scope.
  TaskScope* (*enter)(uint64_t wire_id, Core source) = nullptr;

  /// Called after the run. `executed` of its messages must be acknowledged to `source`.
  void (*leave)(TaskScope* scope, Core source, int64_t executed) = nullptr;

  /// Called before a reply to a request of `caller`. Returns true if the reply must not acknowledge
  /// the request, because the request keeps the scope open for work on this core. In that case this
  /// core acknowledges the request when the work has ended.
  bool (*answer_leaves_work)(TaskScope* scope, Core caller) = nullptr;
};

extern ScopeHooks the_scope_hooks;

inline ScopeHooks& scope_hooks() { return the_scope_hooks; }

}  // namespace detail
}  // namespace Grappa
