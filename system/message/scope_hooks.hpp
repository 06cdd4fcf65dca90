#pragma once

/// How messages join completion scopes; the floor that implements scopes (parallel/) fills this in.

#include "system/base/ids.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

struct ScopeHooks {
  /// A run of this scope, sent by `source`, is about to be executed here: the scope as this core
  /// counts it.
  TaskScope* (*enter)(uint64_t wire_id, Core source) = nullptr;

  /// The matching end. `executed` of its messages have ended that `source` is to be told of.
  void (*leave)(TaskScope* scope, Core source, int64_t executed) = nullptr;

  /// A request of `caller` is about to be answered. True if its answer must not acknowledge it,
  /// since it is what ties work of this core to the scope: this core does so itself when the work
  /// has ended.
  bool (*answer_leaves_work)(TaskScope* scope, Core caller) = nullptr;
};

extern ScopeHooks the_scope_hooks;

inline ScopeHooks& scope_hooks() { return the_scope_hooks; }

}  // namespace detail
}  // namespace Grappa
