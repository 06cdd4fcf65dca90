#pragma once

/// Edges that one core collects without knowing how many will come: in chunks, so that growing
/// neither copies nor doubles the memory. A chunk is pages of its own, so that the kernel has them
/// back as soon as its edges have moved to the global array: what the array takes, this gives.

#include "structures/graph/edge.hpp"
#include "system/global/address.hpp"

#include <vector>

namespace Grappa {
namespace detail {

class EdgeBuffer {
 public:
  EdgeBuffer() = default;
  ~EdgeBuffer();
  EdgeBuffer(const EdgeBuffer&) = delete;
  EdgeBuffer& operator=(const EdgeBuffer&) = delete;

  void push(const TupleEdge& edge) {
    if (size_ % kChunkEdges == 0) add_chunk();
    chunks_.back()[size_ % kChunkEdges] = edge;
    ++size_;
  }

  int64_t size() const { return size_; }

  /// Moves the first edges that are left, 4 MiB of them or all, to the linear array `edges` from
  /// place `start` on, waits for them, and returns how many they are. None may be pushed any more.
  /// Cores that take turns at it have little more at any time than at the beginning or the end.
  /// From: task. Suspends. Messages: those of memcpy, for each MiB.
  int64_t move_some(GlobalAddress<TupleEdge> edges, int64_t start);

  enum : int64_t {
    kChunkEdges = 1 << 16,        // 1 MiB
    kMoveEdges = 4 * kChunkEdges  // at a time
  };

 private:
  void add_chunk();

  std::vector<TupleEdge*> chunks_;
  size_t moved_ = 0;  // chunks, which are gone
  int64_t size_ = 0;
};

}  // namespace detail
}  // namespace Grappa
