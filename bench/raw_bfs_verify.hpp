#pragma once

/// Judges a breadth-first search in the memory of one process by the five rules of the Graph500
/// specification ("Kernel 2 - Validation"), from nothing but the tree and the edges that went into
/// the graph.

#include "bench/raw_csr.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>

namespace raw {

struct Verdict {
  const char* broken;  // the rule that does not hold; null if all do

  /// Of a right tree: vertices reached, and input edges between them, self-loops and repeated edges
  /// included: what Graph500 counts as traversed.
  int64_t reached;
  int64_t traversed_edges;
};

/// `parents` has nv entries, a negative one for each vertex that was not reached. Takes 5 bytes a
/// vertex meanwhile.
Verdict verify(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, Vertex root,
               const Vertex* parents, int threads);

}  // namespace raw
