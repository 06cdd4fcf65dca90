#pragma once

/// The tree that the command line asks for.

#include "apps/uts/uts_tree.hpp"

namespace uts {

/// The published tree that --tree names, or that of the single parameters; by default T1. Ends the
/// job with one line and status 2 if these make no sense together, or a tree without end.
/// From: the main task, or main on every core alike.
Parameters parameters_from_flags();

}  // namespace uts
