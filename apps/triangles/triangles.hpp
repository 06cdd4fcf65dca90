#pragma once

/// Counts triangles: sets of three vertices that are neighbours of each other. Each is found from
/// its vertex of the lowest degree (N. Chiba, T. Nishizeki, "Arboricity and Subgraph Listing
/// Algorithms", SIAM Journal on Computing 14, 1985), by a survey (triangle_survey.hpp).

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

#include <cstdint>

namespace triangles {

typedef Grappa::Graph<Grappa::NoData> PlainGraph;

/// Returns the number of triangles. The graph must be undirected. From: task, one at a time.
/// Suspends. Messages: those of triangle_survey().
int64_t count_triangles(Grappa::GlobalAddress<PlainGraph> g);

}  // namespace triangles
