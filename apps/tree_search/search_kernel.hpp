#pragma once

/// Two ways to count the vertices of a colour. Both look at each vertex through a delegate,
/// whichever core it lies on, and return how many there are. From: task. Suspends: until all have
/// been seen.

#include "apps/tree_search/tree.hpp"

#include <cstdint>

namespace tree_search {

/// A task for each vertex, which any core may take, and one finish for all of them. One search at a
/// time.
int64_t count_by_tasks(Tree tree, int32_t colour);

/// The same by questions: a vertex asks its children, in tasks, and waits for them in a finish of
/// its own, which lies in that of its parent. So do the first `levels`; below, a task goes through
/// the whole subtree, and reads the vertices that it knows of in advance.
int64_t count_by_nested_finish(Tree tree, int32_t colour, int levels);

}  // namespace tree_search
