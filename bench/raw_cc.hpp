#pragma once

/// Connected components in the memory of one process, with OpenMP: the baseline of components of
/// global graphs. The code is independent of Grappa.
///
/// Afforest (M. Sutton, T. Ben-Nun, A. Barak, "Optimizing Parallel Graph Connectivity Computation
/// via Subgraph Sampling", IPDPS 2018). Vertices form trees in one array of parents, and an edge
/// links the roots of its ends, the larger to the smaller. First only two edges of each vertex are
/// linked, which already joins most of a large component. A sample of vertices identifies that
/// component. The remaining edges are then read only from vertices outside; an edge into the
/// component is also in the list of its other end.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

/// Keeps all memory, so find() allocates none. Only one call may run at a time.
class Components {
 public:
  /// `graph` must outlive the object.
  Components(const Csr* graph, int threads);

  /// Returns the label of each vertex, the smallest vertex of its component. Valid until the next
  /// call, which resets all labels.
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
  Array<Vertex> parents_;  // not larger than the vertex; a root is its own parent
};

}  // namespace raw
