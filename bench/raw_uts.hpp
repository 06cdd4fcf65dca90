#pragma once

/// The search of a UTS tree in a plain program, with one recursive call for each node: the baseline
/// for tasks. The code is independent of Grappa; only the definition of the tree is from apps/uts.

#include "apps/uts/uts_tree.hpp"

namespace raw {

/// Searches the whole tree on the caller's stack, which needs about 100 bytes for each level.
uts::Counts search(const uts::Tree& tree);

}  // namespace raw
