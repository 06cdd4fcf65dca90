#pragma once

/// Betweenness centrality (U. Brandes, "A Faster Algorithm for Betweenness Centrality", Journal of
/// Mathematical Sociology 25, 2001). The score of a vertex v is the sum over all pairs of a source
/// s and another vertex t of the share of the shortest paths from s to t that v is on, without s
/// and t themselves. Scores from a sample of sources estimate those from all (U. Brandes, C. Pich,
/// "Centrality Estimation in Large Networks", International Journal of Bifurcation and Chaos 17,
/// 2007).
///
/// From each source, a breadth-first search counts the shortest paths to each vertex, level by
/// level. Then the levels are visited again from the last to the first, and each vertex sums the
/// shares of its successors. In both phases, the vertices of a small level send their values to
/// their neighbours in messages. From a large level, all vertices read the values of their
/// neighbours in a mirror.
///
/// In a road network, the number of paths exceeds the range of a double. So the numbers of a level
/// are divided by a power of two, which only affects the quotients of this level and the next.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

#include <vector>

namespace betweenness {

struct State {
  double score;
};
typedef Grappa::Graph<State> ScoreGraph;

/// Sets the scores of all vertices: the sum over these sources. The graph must be undirected. If
/// the numbers of paths to the vertices of one level differ by a factor of more than 2^1400, aborts
/// the job by input_error. From: task, one at a time. Suspends. Memory: 32 bytes for each vertex
/// (36 if slots have 8 bytes), and on each locale, two numbers of 8 bytes for each slot. Messages:
/// in a small level, 1 for each entry of a list that another core owns, in both phases. In a large
/// level, those of a mirror. Each level has two barriers and a reduction.
void find_scores(Grappa::GlobalAddress<ScoreGraph> g, const std::vector<Grappa::VertexID>& sources);

}  // namespace betweenness
