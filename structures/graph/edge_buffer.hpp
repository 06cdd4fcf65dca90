#pragma once

/// Edges that one core collects without knowing how many will come: in chunks, so that growing
/// neither copies nor doubles the memory.

#include "structures/graph/edge.hpp"
#include "system/global/address.hpp"

#include <memory>
#include <vector>

namespace Grappa {

class EdgeBuffer {
 public:
  void push(const TupleEdge& edge) {
    if (size_ % kChunkEdges == 0) chunks_.emplace_back(new TupleEdge[kChunkEdges]);
    chunks_.back()[size_ % kChunkEdges] = edge;
    ++size_;
  }

  int64_t size() const { return size_; }

  const TupleEdge& operator[](int64_t i) const {
    return chunks_[size_t(i / kChunkEdges)][size_t(i % kChunkEdges)];
  }

  /// Writes all edges to the linear array `edges` from place `start` on, and waits for them.
  /// From: task. Suspends. Messages: one per block of four edges.
  void write_to(GlobalAddress<TupleEdge> edges, int64_t start) const;

 private:
  enum : int64_t { kChunkEdges = 1 << 16 };  // 1 MiB

  std::vector<std::unique_ptr<TupleEdge[]>> chunks_;
  int64_t size_ = 0;
};

}  // namespace Grappa
