#pragma once

/// The search of a tree by tasks that any core may run.

#include <Grappa.hpp>

#include "apps/uts/uts_tree.hpp"

#include <vector>

namespace uts {

/// Searches the whole tree. The search starts on this core; other cores steal tasks. Returns the
/// counts of each core, which total() adds up. Only one search may run at a time.
/// From: task. Suspends until the search is complete. Messages: about 4 for each other core, and
/// those of work stealing.
std::vector<Counts> search(const Parameters& parameters);

/// The counts of the whole tree, from the counts of each core.
Counts total(const std::vector<Counts>& by_core);

}  // namespace uts
