#pragma once

/// The fastest algorithm of this program, on one node and across nodes. The idea is from M. Sutton,
/// T. Ben-Nun, A. Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
/// Sampling", IPDPS 2018: find most of the giant component from few edges, and then process only
/// edges of vertices outside. Afforest finds the giant component by linking a sample of the edges
/// in one shared array of parents. Cores without shared memory use a search by sweeps instead,
/// which shares one bit for each vertex (giant.hpp). A union-find over all cores processes the
/// remaining vertices (forest.hpp).

#include "apps/cc/components.hpp"

#include <memory>

namespace cc {

/// Memory: on each core one bit for each slot, and one slot for each of its vertices.
/// Messages of a run: those of Giant and Forest. From: task. Suspends.
std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g);

}  // namespace cc
