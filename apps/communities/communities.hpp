#pragma once

/// Communities by label propagation (U. Raghavan, R. Albert, S. Kumara, "Near Linear Time Algorithm
/// to Detect Community Structures in Large-Scale Networks", Physical Review E 76, 2007). Each
/// vertex starts with a label of its own. In each iteration, every vertex takes the most frequent
/// label of its neighbours. Vertices with the same label are a community.
///
/// The variant is that of LDBC Graphalytics (A. Iosup et al., VLDB 2016), whose result does not
/// depend on the order of the vertices: a vertex reads the labels of the previous iteration, and
/// takes the smallest label if several are the most frequent.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

#include <cstdint>

namespace communities {

struct State {
  Grappa::VertexID label;
};
typedef Grappa::Graph<State> CommunityGraph;

/// Propagates the labels until no label changes, or `max_iterations` times. Returns the number of
/// iterations. Each first label must be from 0 to nv - 1. Vertices without neighbours keep their
/// labels. The graph must be undirected. From: task, one at a time. Suspends. Memory: that of a
/// mirror, with 4 bytes for each label if the graph has fewer than 2^32 vertices, otherwise 8; and
/// on each core, the labels of its longest list. Messages: in each iteration, those of a loop, of
/// Mirror::refresh(), and of a Reducer.
int64_t propagate_labels(Grappa::GlobalAddress<CommunityGraph> g, int64_t max_iterations);

namespace detail {

/// The same with a mirror of labels of this type: uint32_t or uint64_t.
template <class Label>
int64_t propagate(Grappa::GlobalAddress<CommunityGraph> g, int64_t max_iterations);

}  // namespace detail
}  // namespace communities
