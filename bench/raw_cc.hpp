#pragma once

/// Connected components in the memory of one process, with OpenMP: the baseline of components of
/// global graphs. Of Grappa it has nothing.
///
/// Afforest (M. Sutton, T. Ben-Nun, A. Barak, "Optimizing Parallel Graph Connectivity Computation
/// via Subgraph Sampling", IPDPS 2018). Vertices form trees in one array of parents, and an edge
/// links the roots of its ends, the larger to the smaller. First only two edges of each vertex are
/// linked, which joins most of a large component already. A sample of vertices tells which one
/// that is, and the rest of the edges is looked at only from vertices outside: an edge into the
/// component is in the list of its other end as well.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

/// Keeps what it needs, so that finding takes no memory. Once at a time.
class Components {
 public:
  /// `graph` has to outlive this.
  Components(const Csr* graph, int threads);

  /// The label of each vertex, which is the smallest vertex of its component; until it is called
  /// again. Makes all anew, resetting the labels included.
  const Vertex* find();

 private:
  void reset();
  int64_t first_edges(int64_t v) const;
  void link_first();
  void link_rest(Vertex large);
  void compress();
  Vertex sample() const;

  const Csr* const graph_;
  const int threads_;
  Array<Vertex> parents_;  // never larger than the vertex; a root is its own
};

}  // namespace raw
