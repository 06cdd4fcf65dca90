#pragma once

/// Two ways to count the vertices of a colour. Both read each vertex through a delegate and return
/// the number of vertices. From: task. Suspends until all vertices have been read.

#include "apps/tree_search/tree.hpp"

namespace tree_search {

/// Starts one task for each vertex, which any core may run, within one finish. Only one search may
/// run at a time.
int64_t count_by_tasks(Tree tree, int32_t colour);

/// Counts recursively: each vertex counts its children in tasks and waits for them in its own
/// finish, nested in the finish of its parent. This applies to the first `levels` levels; below,
/// one task searches a whole subtree and prefetches the vertices that it knows.
int64_t count_by_nested_finish(Tree tree, int32_t colour, int levels);

}  // namespace tree_search
