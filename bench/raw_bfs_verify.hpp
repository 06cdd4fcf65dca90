#pragma once

/// Verifies a breadth-first search in the memory of one process by the five rules of the Graph500
/// specification ("Kernel 2 - Validation"). Uses only the tree and the input edges.

#include "bench/raw_csr.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>

namespace raw {

struct Verdict {
  const char* broken;  // the broken rule; null if the search is valid

  /// The number of reached vertices, and the number of input edges between them, including
  /// self-loops and repeated edges (the traversed edges of Graph500). Both are set only for a valid
  /// tree.
  int64_t reached;
  int64_t traversed_edges;
};

/// Verifies a tree. `parents` has nv entries, negative for vertices that were not reached.
/// Temporarily uses 5 bytes for each vertex.
Verdict verify(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, Vertex root,
               const Vertex* parents, int threads);

}  // namespace raw
