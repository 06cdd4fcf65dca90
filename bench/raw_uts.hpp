#pragma once

/// The search of a UTS tree in a plain program, with one recursive call for each node: the baseline
/// for tasks. Independent of Grappa; only the definition of the tree is from apps/uts.

#include "apps/uts/uts_tree.hpp"

namespace raw {

/// Searches the whole tree on the caller's stack, with about 100 bytes for each level of the tree.
uts::Counts search(const uts::Tree& tree);

}  // namespace raw
