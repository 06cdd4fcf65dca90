#pragma once

/// A graph in the memory of one process, as compressed sparse rows: what a program without a
/// runtime has for a graph. Of Grappa it has nothing but the form of an input edge.
///
/// Neighbours are 4 bytes, places of lists 8. Every edge is in the lists of both its ends. Lists
/// are sorted by number and have neither repeated neighbours nor the vertex itself.

#include "bench/raw_memory.hpp"
#include "structures/graph/edge.hpp"

#include <cstdint>

namespace raw {

typedef int32_t Vertex;

class Csr {
 public:
  static constexpr int64_t kMaxVertices = int64_t(1) << 30;

  /// Builds a graph of `nv` (1 .. kMaxVertices) vertices from `n` edges, with so many threads.
  ///
  /// First the ends of edges are partitioned into blocks of vertices, then each block's are sorted
  /// in cache: so that no write to memory is to a random place, and no counter is shared. Takes
  /// 16 bytes an edge meanwhile.
  Csr(int64_t nv, const Grappa::TupleEdge* edges, int64_t n, int threads);

  /// Puts every list in the order of the neighbours' degrees, falling; equal ones stay in the order
  /// of their numbers. A search from below then meets hubs first.
  void order_by_degree(int threads);

  int64_t nv() const { return nv_; }

  /// Of all lists together: twice the number of different edges.
  int64_t entries() const { return begin_[nv_]; }

  int64_t degree(Vertex v) const { return begin_[v + 1] - begin_[v]; }
  const Vertex* begin(Vertex v) const { return neighbours_.data() + begin_[v]; }
  const Vertex* end(Vertex v) const { return neighbours_.data() + begin_[v + 1]; }

  /// For a call of begin(v) to come.
  void prefetch_place(Vertex v) const { __builtin_prefetch(begin_.data() + v); }

  /// Of memory that the graph keeps.
  int64_t bytes() const {
    return (nv_ + 1) * int64_t(sizeof(int64_t)) + entries() * int64_t(sizeof(Vertex));
  }

 private:
  int64_t nv_;
  Array<int64_t> begin_;  // nv + 1: where the list of each vertex begins
  Array<Vertex> neighbours_;
};

}  // namespace raw
