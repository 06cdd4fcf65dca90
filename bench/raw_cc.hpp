#pragma once

/// Connected components in the memory of one process, with OpenMP: the baseline of components of
/// global graphs. The code is independent of Grappa.
///
/// Afforest (M. Sutton, T. Ben-Nun, A. Barak, "Optimizing Parallel Graph Connectivity Computation
/// via Subgraph Sampling", IPDPS 2018). Vertices form trees in one array of parents. An edge links
/// the larger root of its ends to the smaller root. First, only two edges of each vertex are
/// linked, which already joins most of a large component. A sample of vertices identifies this
/// component. The remaining edges are then read only from the lists of vertices outside of the
/// component; an edge into the component is also in such a list.

#include "bench/raw_csr.hpp"
#include "bench/raw_memory.hpp"

#include <cstdint>

namespace raw {

/// Keeps all memory, so find() allocates no memory. Only one call may run at a time.
class Components {
 public:
  /// `graph` must outlive the object.
  Components(const Csr* graph, int threads);

  /// Returns the label of each vertex, which is the smallest vertex of its component. The array is
  /// valid until the next call, which resets all labels.
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
  Array<Vertex> parents_;  // a parent is not larger than the vertex; a root is its own parent
};

}  // namespace raw
