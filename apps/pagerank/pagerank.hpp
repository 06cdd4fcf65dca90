#pragma once

/// PageRank (S. Brin, L. Page, "The Anatomy of a Large-Scale Hypertextual Web Search Engine", WWW
/// 1998) by power iteration. With probability `damping`, a random surfer moves to a random
/// neighbour, if there is one. Otherwise the surfer moves to any vertex.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace pagerank {

struct State {
  double rank;     // the probability that the surfer is here
  double arrived;  // shares from neighbours, so far
};
typedef Grappa::Graph<State> RankGraph;

/// Iterates until the sum of the changes of all ranks is at most `tolerance`, or `most` times.
/// Returns the number of iterations. From: task. Suspends. Messages: in each iteration, 16 bytes
/// per list entry.
int64_t find_ranks(Grappa::GlobalAddress<RankGraph> g, double damping, double tolerance,
                   int64_t most);

/// Returns the error of the ranks: the change in one more iteration, in which vertices read their
/// neighbours' ranks, plus |sum of all ranks - 1|. From: task. Suspends. Messages: 2 per list
/// entry.
double error_of(Grappa::GlobalAddress<RankGraph> g, double damping);

}  // namespace pagerank
