#pragma once

/// New labels for the vertices of a graph, in the order of their degrees: for counting triangles or
/// colouring, which do less work that way. High degrees then lie side by side, hence on all cores.
///
/// Degrees are counted at the owners of vertices and sorted (degree_order.hpp). Then both ends of
/// each edge ask the owners of their vertices for the new labels.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"

namespace Grappa {

/// Gives the vertices of `tuples` new labels in place: 0 to the one of the highest degree, and so
/// on; of equal ones first to the one with the lower old label. The degree is the number of times
/// that the vertex is an end in the list, self-loops not counted and repeated edges each. Edges
/// keep their place in the list and their direction. The same on any number of cores.
///
/// Returns the old label of each new one, a linear array of nv that the caller frees. Takes 16
/// bytes of the global heap for each vertex, of which that array is a half, and for each core up
/// to 1.5 MiB. From: task. Suspends. Messages: 6 for each edge and 1 for each vertex.
GlobalAddress<VertexID> relabel_by_degree(TupleGraph* tuples);

}  // namespace Grappa
