#pragma once

/// The fastest components of this program, on one node and across nodes. The idea is that of M.
/// Sutton, T. Ben-Nun, A. Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
/// Sampling", IPDPS 2018: find most of the giant component by looking at few of the edges, and then
/// look only at edges of vertices outside of it. Afforest finds it by linking a sample of the edges
/// in one array of parents for all vertices. Cores that share no memory have none, so here it is a
/// search by sweeps, for which they share a bit for each vertex (giant.hpp); what that leaves is
/// for a union-find over all cores (forest.hpp).

#include "apps/cc/components.hpp"

#include <memory>

namespace cc {

/// Memory: on each core a bit for each slot, and the size of a slot for each of its vertices.
/// Messages of a run: those of Giant and Forest. From: task. Suspends.
std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g);

}  // namespace cc
