#pragma once

/// The reduced graph of S. Kahan's algorithm (cc_kahan.cpp): how its edges are found
/// (cross_edges.cpp), and its components (shiloach_vishkin.cpp). Its vertices are the roots of
/// traversals.

#include "apps/cc/components.hpp"

#include <vector>

namespace cc {

/// An edge of the reduced graph: the roots of two traversals that have met.
struct RootPair {
  VertexID low;
  VertexID high;

  /// The pair of two different roots, given in any order.
  static RootPair of(VertexID a, VertexID b) { return a < b ? RootPair{a, b} : RootPair{b, a}; }

  bool operator==(const RootPair& other) const { return low == other.low && high == other.high; }
};

/// The edges of the reduced graph on this core. An edge may be on any core.
extern std::vector<RootPair> reduced_edges;

/// Called for each cross edge, on the core that finds it, by one of many tasks. May suspend.
typedef void (*OnMeeting)(const RootPair& roots);

/// Calls `on_meeting` for each cross edge of `g` whose deciding end is on this core: over all
/// cores, once for each cross edge. `asked` has one bit for each slot, set if a vertex of this core
/// has the slot as a neighbour: bit b of `asked[w]` is slot 64 w + b.
/// From: task, one on each core. Suspends. Messages: 2 for each such vertex of another core.
/// Memory: on each core 2 bits for each slot, and one label for each set bit.
void report_cross_edges(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                        OnMeeting on_meeting);

/// Sets the label of each root to the label of its component, which is a root. Empties
/// `reduced_edges` on all cores. Returns the number of rounds. From: task, one at a time. Suspends.
/// Messages in a round: a few for each edge and root.
int64_t shiloach_vishkin(GlobalAddress<LabelGraph> g);

}  // namespace cc
