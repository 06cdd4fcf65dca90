#pragma once

/// The lists of neighbours of a graph in the memory of one core, for verifiers that must not share
/// code with a kernel: serial programs with plain vectors.

#include "structures/graph/edge.hpp"
#include "structures/graph/tuple_graph.hpp"

#include <cstdint>
#include <vector>

namespace apps {

class PlainGraph {
 public:
  /// Copies the edges to this core, in both directions, without self-loops and repeated edges.
  /// Memory on this core: 16 bytes for each of these edges and 8 bytes for each vertex; during the
  /// call, 16 bytes more for each edge. From: task. Suspends: until the edges have arrived.
  explicit PlainGraph(const Grappa::TupleGraph& tuples);

  int64_t nv() const { return static_cast<int64_t>(firsts_.size()) - 1; }

  /// The neighbours of v in ascending order. Their number.
  const Grappa::VertexID* begin(Grappa::VertexID v) const {
    return neighbours_.data() + firsts_[static_cast<size_t>(v)];
  }
  const Grappa::VertexID* end(Grappa::VertexID v) const { return begin(v + 1); }
  int64_t degree(Grappa::VertexID v) const { return end(v) - begin(v); }

 private:
  std::vector<int64_t> firsts_;  // nv + 1 indices in neighbours_
  std::vector<Grappa::VertexID> neighbours_;
};

}  // namespace apps
