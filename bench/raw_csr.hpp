#pragma once

/// A graph in the memory of one process, as compressed sparse rows, for programs without a runtime.
/// The only dependency on Grappa is the type of an input edge.
///
/// A neighbour takes 4 bytes, and the index of a list takes 8 bytes. Every edge is in the lists of
/// both its ends. Lists are sorted by number and contain neither duplicates nor the vertex itself.

#include "bench/raw_memory.hpp"
#include "structures/graph/edge.hpp"
#include "system/base/compiler.hpp"

#include <cstdint>
#include <utility>

namespace raw {

typedef int32_t Vertex;

class Csr {
 public:
  static constexpr int64_t kMaxVertices = int64_t(1) << 30;

  /// Builds a graph of `nv` (1 to kMaxVertices) vertices from `n` edges, with `threads` threads.
  ///
  /// First the ends of edges are partitioned into blocks of vertices, then each block is sorted in
  /// the cache. Memory is not written at random addresses, and no counter is shared. Temporarily
  /// uses 16 bytes for each edge.
  Csr(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, int threads);

  /// Takes finished lists: `begin` has the start of the list of each vertex, and the number of
  /// entries at its end.
  Csr(Array<int64_t> begin, Array<Vertex> neighbours)
      : nv_(begin.size() - 1), begin_(std::move(begin)), neighbours_(std::move(neighbours)) {}

  /// Sorts every list by descending degree. Neighbours of equal degree stay sorted by number. A
  /// bottom-up search then finds vertices of high degree first.
  void order_by_degree(int threads);

  /// Returns the graph with new numbers, in the order of descending degrees. Lists are sorted by
  /// number.
  Csr relabelled_by_degree(int threads) const;

  int64_t nv() const { return nv_; }

  /// Returns the number of entries of all lists, which is twice the number of different edges.
  int64_t entries() const { return begin_[nv_]; }

  int64_t degree(Vertex v) const { return begin_[v + 1] - begin_[v]; }
  const Vertex* begin(Vertex v) const { return neighbours_.data() + begin_[v]; }
  const Vertex* end(Vertex v) const { return neighbours_.data() + begin_[v + 1]; }

  /// Prefetches for a later call of begin(v).
  void prefetch_place(Vertex v) const { GRAPPA_PREFETCH_TO_READ(begin_.data() + v); }

  /// Returns the memory of the graph.
  int64_t bytes() const {
    return (nv_ + 1) * int64_t(sizeof(int64_t)) + entries() * int64_t(sizeof(Vertex));
  }

 private:
  Csr(int64_t nv, int64_t entries) : nv_(nv), begin_(nv + 1), neighbours_(entries) {}

  int64_t nv_;
  Array<int64_t> begin_;  // nv + 1 entries: the start of the list of each vertex
  Array<Vertex> neighbours_;
};

}  // namespace raw
