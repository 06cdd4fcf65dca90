#pragma once

/// The core number of each vertex: the largest k such that the vertex is in a part of the graph in
/// which all vertices have at least k neighbours (S. Seidman, "Network Structure and Minimum
/// Degree", Social Networks 5, 1983). Vertices are peeled: for each k in ascending order, all
/// vertices with at most k remaining neighbours are removed, until there are none (N. Dasari, D.
/// Ranjan, M. Zubair, "ParK: An Efficient Algorithm for k-Core Decomposition on Multicore
/// Processors", IEEE Big Data 2014).

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

#include <cstdint>

namespace kcore {

struct State {
  uint32_t degree;  // number of neighbours that are not peeled, or at most the core number
  uint32_t core;    // the core number
};
typedef Grappa::Graph<State> CoreGraph;

/// Sets the core numbers of all vertices. The graph must be undirected. From: task, one at a time.
/// Suspends. Memory: 24 bytes for each vertex. Messages: 1 for each entry of a list that another
/// core owns, and those of a reduction and a barrier for each round and for each core number.
void find_cores(Grappa::GlobalAddress<CoreGraph> g);

}  // namespace kcore
