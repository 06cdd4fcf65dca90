#pragma once

/// The cores with work of a scope, as a tree with the scope's home for its root.
///
/// finish_scope.hpp says how the tree counts and why it works, docs/design.md in full. Here is what
/// both kinds of scopes share: that of a finish, an object of its home which other cores know by
/// name while they have work of it, and that of a global completion event, which has a part of its
/// own on every core, all at one address, so that it is found without a search.

#include "system/base/ids.hpp"
#include "system/tasking/task_scope.hpp"

#include <cstdint>

namespace Grappa {
namespace detail {

/// A scope on a core that is not its home, from the message that brings work of it until all of
/// that has ended. The core owes acknowledgements to `parent`, the sender of that first message,
/// and pays them in the end; all other senders are acknowledged as soon as their messages have been
/// executed. Invariant: `debt` is above zero, or a message of the parent is executing here: until
/// the work has ended, the parent has open work too, and so on up to the home.
struct RemoteScope : TaskScope {
  Core parent = 0;
  int64_t debt = 0;       // acknowledgements owed to the parent
  int64_t executing = 0;  // runs of the scope that workers of this core are in

  /// Whether this core is in the tree.
  bool in_tree() const { return debt != 0 || executing != 0; }
};

/// The name of a scope of this core, its home. Addresses of scopes are even and fit 48 bits.
uint64_t scope_name(const TaskScope* scope);

/// The core that has opened a scope, which must have a name.
Core home_of(const TaskScope& scope);

/// The name of a scope with a part at the address of `part` on every core.
uint64_t symmetric_scope_name(const RemoteScope* part, Core home);

/// Makes `part`, of a core that is not its home, part of the symmetric scope `name`.
void name_remote_scope(RemoteScope* part, uint64_t name);

/// The home has opened a unit of work for this core, which asked for it, and which from here on is
/// in the tree: it owes that unit, or gives it back at once if messages of another core have
/// brought it in meanwhile. The caller opens work before it does anything else.
void take_unit_of_home(RemoteScope* part);

/// Connects scopes to messages; called once at start-up.
void install_scope_hooks();

}  // namespace detail
}  // namespace Grappa
