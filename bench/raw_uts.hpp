#pragma once

/// The search of a UTS tree as a plain program does it, one recursive call a node: the baseline for
/// tasks. Of Grappa it has nothing; with the program it shares the definition of the tree alone.

#include "apps/uts/uts_tree.hpp"

namespace raw {

/// Searches the whole tree, on the caller's stack: about 100 bytes for each level of the tree.
uts::Counts search(const uts::Tree& tree);

}  // namespace raw
