#pragma once

/// New labels for vertices, in the order of their degrees. These labels reduce the work of triangle
/// counting and colouring. Vertices of high degree have adjacent labels, so all cores own some.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"

namespace Grappa {

/// Relabels the vertices of `tuples` in place, in the order of descending degrees. The first label
/// is 0. For equal degrees, the vertex with the lower old label comes first. The degree is the
/// number of edges at the vertex. Repeated edges count each time, and self-loops do not count.
/// Edges keep their position in the list and their direction. Returns a linear array of nv elements
/// with the old label of each new label, which the caller must free. Takes 16 bytes of the global
/// heap for each vertex, half of them for the returned array, and up to 1.5 MiB on each core. From:
/// task. Suspends: until done. Messages: 6 for each edge and 1 for each vertex.
GlobalAddress<VertexID> relabel_by_degree(TupleGraph* tuples);

}  // namespace Grappa
