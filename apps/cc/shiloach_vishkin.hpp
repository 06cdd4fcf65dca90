#pragma once

/// Phase 2: components of the reduced graph, by Y. Shiloach, U. Vishkin, "An O(log n) Parallel
/// Connectivity Algorithm", Journal of Algorithms 3, 1982.
///
/// The vertices of the reduced graph are the roots of traversals: those vertices of the graph that
/// are their own label. Each is a tree of its own at first, its label being its parent. A round
///   1. shortcuts: each root takes its grandparent for its parent;
///   2. hooks the root of a tree onto a smaller parent across an edge;
///   3. hooks the root of a tree that has not changed in this round (it is stagnant) onto any other
///      tree across an edge;
///   4. shortcuts again;
/// until a round changes nothing. Step 3 is what keeps the number of rounds logarithmic: each tree
/// with an edge to another one grows, or its height shrinks. A stagnant tree is a star, and no two
/// of them have an edge in common, or step 2 would have hooked one: so no cycle can come about.
/// Every step is a loop over the edges or roots of all cores, with the next after its end.

#include "apps/cc/cc_graph.hpp"
#include "apps/cc/root_pair.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// One core's part: a symmetric object. Edges are on any core.
struct ReducedGraph {
  std::vector<RootPair> edges;
};

/// Leaves in each root the label of its component, a root that is its own label. Returns the number
/// of rounds.
/// From: task, one at a time. Suspends. Messages in a round: some for each edge and root.
int64_t shiloach_vishkin(GlobalAddress<LabelGraph> g, GlobalAddress<ReducedGraph> reduced);

}  // namespace cc
