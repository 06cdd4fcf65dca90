#pragma once

/// Phase 2: components of the reduced graph, by Y. Shiloach, U. Vishkin, "An O(log n) Parallel
/// Connectivity Algorithm", Journal of Algorithms 3, 1982.
///
/// The vertices of the reduced graph are the roots of traversals: the vertices of the graph that
/// are their own label. The label of a root is its parent, so initially each root is a tree. A
/// round has four steps:
///   1. Shortcut: each root takes its grandparent as its parent.
///   2. Hook the root of a tree onto a smaller parent across an edge.
///   3. Hook the root of a stagnant tree, which has not changed in this round, onto any other tree
///      across an edge.
///   4. Shortcut again.
/// Rounds repeat until a round changes nothing. Step 3 keeps the number of rounds logarithmic: each
/// tree with an edge to another tree grows, or its height shrinks. A stagnant tree is a star. After
/// step 2 no edge joins two stagnant trees, so step 3 creates no cycle.
/// Each step is a loop over the edges or roots of all cores, and ends before the next step starts.

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/root_pair.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// The reduced graph on one core: a symmetric object. An edge may be on any core.
struct ReducedGraph {
  std::vector<RootPair> edges;
};

/// Sets the label of each root to the label of its component, which is a root. Returns the number
/// of rounds. From: task, one at a time. Suspends. Messages in a round: a few for each edge and
/// root.
int64_t shiloach_vishkin(GlobalAddress<LabelGraph> g, GlobalAddress<ReducedGraph> reduced);

}  // namespace cc
