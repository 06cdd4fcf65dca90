#pragma once

/// The tree that the command line selects.

#include "apps/uts/uts_tree.hpp"

namespace uts {

/// Returns the published tree that --tree names, or the tree of the other parameters; the default
/// is T1. If the flags contradict each other or the tree may be infinite, aborts the job with one
/// line and status 2. From: the main task, or main on every core.
Parameters parameters_from_flags();

}  // namespace uts
