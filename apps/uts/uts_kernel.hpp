#pragma once

/// The search of a tree by tasks that any core may take.

#include <Grappa.hpp>

#include "apps/uts/uts_tree.hpp"

#include <vector>

namespace uts {

/// Searches the whole tree from this core on, where others steal. Returns what each core has
/// counted, by core: add them up with total(). One search at a time.
/// From: task. Suspends: until all has been searched. Messages: about 4 for each other core, and
/// those of thieves.
std::vector<Counts> search(const Parameters& parameters);

/// Of the whole tree, from those of each core.
Counts total(const std::vector<Counts>& by_core);

}  // namespace uts
