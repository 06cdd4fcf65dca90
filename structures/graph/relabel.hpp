#pragma once

/// New labels for vertices, in the order of their degrees, which reduce the work of triangle
/// counting and colouring. Vertices of high degree have adjacent labels, so all cores own some.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/global/address.hpp"

namespace Grappa {

/// Relabels the vertices of `tuples` in place, in the order of descending degrees, from label 0 on.
/// For equal degrees, the vertex with the lower old label comes first. The degree is the number of
/// edges at the vertex; repeated edges count each time, self-loops do not count. Edges keep their
/// position in the list and their direction. Returns the old label of each new label, a linear
/// array of nv elements that the caller must free. Takes 16 bytes of the global heap for each
/// vertex, half of them for that array, and up to 1.5 MiB on each core. From: task. Suspends.
/// Messages: 6 for each edge and 1 for each vertex.
GlobalAddress<VertexID> relabel_by_degree(TupleGraph* tuples);

}  // namespace Grappa
