#pragma once

/// The cores with work of a scope form a tree with the scope's home as its root.
///
/// finish_scope.hpp describes how the tree counts and why it works; docs/design.md has the details.
/// Both kinds of scopes share this file. The scope of a finish is an object of its home, and
/// another core stores a part of the scope, under the scope's name, while the core has work of the
/// scope. A global completion event has a part on every core, at the same address, so no search is
/// needed.

#include "system/base/ids.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// A scope on a core that is not its home. The object exists from the message that brings the first
/// work of the scope until all of this work has ended. The core owes acknowledgements to `parent`,
/// the sender of that message, and sends them at the end. The core acknowledges messages of other
/// senders as soon as they have been executed. Invariant: `debt` is above zero, or a message of the
/// parent is executing here. So the parent has open work, too, and so on up to the home.
struct RemoteScope : TaskScope {
  Core parent = 0;
  int64_t debt = 0;       // acknowledgements owed to the parent
  int64_t executing = 0;  // runs of the scope that workers of this core execute

  /// Whether this core is in the tree.
  bool in_tree() const { return debt != 0 || executing != 0; }
};

/// The name of a scope whose home is this core. Addresses of scopes are even and fit in 48 bits.
uint64_t scope_name(const TaskScope* scope);

/// The core that has opened a scope. The scope must have a name.
Core home_of(const TaskScope& scope);

/// The name of a scope that has a part at the address of `part` on every core.
uint64_t symmetric_scope_name(const RemoteScope* part, Core home);

/// Makes `part` a part of the symmetric scope `name`, on a core that is not its home.
void name_remote_scope(RemoteScope* part, uint64_t name);

/// Called after the home has opened a unit of work on request of this core. From here on this core
/// is in the tree and owes that unit. If messages of another core have brought it in meanwhile, it
/// gives the unit back at once. The caller must open work before it does anything else.
void take_unit_of_home(RemoteScope* part);

/// Connects scopes to messages. Called once at start-up.
void install_scope_hooks();

}  // namespace detail
}  // namespace Grappa
