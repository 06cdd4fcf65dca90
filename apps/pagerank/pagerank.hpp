#pragma once

/// PageRank (S. Brin, L. Page, "The Anatomy of a Large-Scale Hypertextual Web Search Engine", WWW
/// 1998). With probability `damping`, a random surfer moves to a random neighbour, if there is one.
/// Otherwise the surfer moves to any vertex.
///
/// In each iteration, a vertex sums the shares of its neighbours, which it reads from a copy in its
/// locale. In Jacobi's method, all shares are those of the iteration before. In the Gauss-Seidel
/// method, the shares of vertices of the same core are the latest, and those of other cores at most
/// an eighth of an iteration older; the ranks then depend on the number of cores, within the
/// tolerance. (A. Arasu et al., "PageRank Computation and the Structure of the Web", WWW 2002.)

#include <Grappa.hpp>

#include "structures/graph/graph.hpp"

namespace pagerank {

struct State {
  double rank;  // the probability that the surfer is here
};
typedef Grappa::Graph<State> RankGraph;

enum class Method { Jacobi, GaussSeidel };

struct Options {
  double damping = 0.85;
  double tolerance = 1e-6;
  int64_t max_iterations = 200;
  Method method = Method::Jacobi;
};

/// Iterates until the sum of the changes of all ranks is at most the tolerance, multiplied by the
/// sum of all ranks, or `max_iterations` times. Returns the number of iterations. The graph must be
/// undirected. From: task. Suspends. Messages: in each iteration, each locale sends the shares of
/// its vertices to each other locale, in Gauss-Seidel in 8 parts: 4 bytes each if float_suffices(),
/// otherwise 8. In Gauss-Seidel, each core has a copy of all shares.
int64_t find_ranks(Grappa::GlobalAddress<RankGraph> g, const Options& options);

/// True if the rounding of ranks and shares to floats changes the sum of all ranks by less than the
/// tolerance: in each iteration by at most 2^-23, of which the next iteration keeps `damping`.
bool float_suffices(const Options& options);

/// Returns the error of the ranks: the change in one more iteration, in which vertices read their
/// neighbours' ranks in messages, plus |sum of all ranks - 1|. From: task. Suspends. Messages: 2
/// per list entry.
double error_of(Grappa::GlobalAddress<RankGraph> g, double damping);

/// The largest error of right ranks: the tolerance and rounding errors.
double largest_error(const Options& options);

}  // namespace pagerank
