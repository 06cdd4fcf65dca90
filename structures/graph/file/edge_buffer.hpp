#pragma once

/// The edges that one core collects, in chunks: growing neither copies edges nor doubles the
/// memory. Each chunk has its own pages and is unmapped when its edges have moved to the global
/// array, so the buffer shrinks as the array fills.

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

  /// Moves the next edges, 4 MiB or all that remain, to the linear array `edges` from position
  /// `start` on. Returns the number of moved edges after they have arrived. After the first call,
  /// push() must not be called. If cores call this in turns, the memory of a core hardly grows
  /// beyond the sizes before and after. From: task. Suspends. Messages: those of memcpy, for each
  /// MiB.
  int64_t move_some(GlobalAddress<TupleEdge> edges, int64_t start);

  enum : int64_t {
    kChunkEdges = 1 << 16,        // 1 MiB
    kMoveEdges = 4 * kChunkEdges  // at a time
  };

 private:
  void add_chunk();

  std::vector<TupleEdge*> chunks_;
  size_t moved_ = 0;  // chunks that have been moved and unmapped
  int64_t size_ = 0;
};

}  // namespace detail
}  // namespace Grappa
