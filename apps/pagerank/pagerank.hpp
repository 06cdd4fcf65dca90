#pragma once

/// PageRank (S. Brin, L. Page, "The Anatomy of a Large-Scale Hypertextual Web Search Engine", WWW
/// 1998) by power iteration. A surfer goes on to a neighbour, any with the same probability, with
/// probability `damping`; else, and where there is no neighbour, to any vertex.

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace pagerank {

struct State {
  double rank;     // the probability of being here
  double arrived;  // by neighbours, so far
};
typedef Grappa::Graph<State> RankGraph;

/// Iterates until all ranks together change by no more than `tolerance`, at most so many times, and
/// returns how many. From: task. Suspends. Messages: 16 bytes for each entry and iteration.
int64_t find_ranks(Grappa::GlobalAddress<RankGraph> g, double damping, double tolerance,
                   int64_t most);

/// By how much the ranks are wrong: what one more iteration would change, in which vertices ask
/// their neighbours, and their sum minus 1. From: task. Suspends. Messages: 2 for each entry.
double error_of(Grappa::GlobalAddress<RankGraph> g, double damping);

}  // namespace pagerank
