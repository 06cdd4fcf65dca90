#pragma once

/// One core's part of a file that all cores read or write in parallel, and the totals.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/open_file.hpp"
#include "system/global/address.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {
namespace detail {

/// The edges that one core collects, in chunks: growing neither copies edges nor doubles the
/// memory. Each chunk has its own pages and is unmapped when its edges have moved to the global
/// array, so the buffer shrinks as the array fills.
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

struct GraphPart {
  EdgeBuffer edges;      // only for text files
  int64_t size = 0;      // edges that were read, or bytes that will be written
  int64_t start = 0;     // sum of the sizes of the parts before this one
  VertexID max_id = -1;  // largest id of the edges
  FileProblem problem;
};

struct PartTotals {
  int64_t size = 0;
  int64_t largest_size = 0;  // size of the largest part
  VertexID max_id = -1;
  FileProblem problem;  // the first problem in the file
};

/// Adds up the parts in the order of the cores, and sets their starts. `parts` is symmetric.
/// From: task. Suspends. Messages: 2 for each other core, and a few if there is a problem.
PartTotals sum_parts(GlobalAddress<GraphPart> parts);

/// Characters in the memory of one core, which any core can copy.
struct RemoteText {
  explicit RemoteText(const std::string& text)
      : first(make_global(text.data())), size(static_cast<int64_t>(text.size())) {}

  /// From: task. Suspends. Messages: those of memcpy.
  std::string fetch() const;

  GlobalAddress<const char> first;
  int64_t size;
};

/// Calls `body(path, part)` on every core, then adds up the parts. From: task. Suspends.
template <class F>
PartTotals on_all_parts(GlobalAddress<GraphPart> parts, const std::string& path, F body) {
  const RemoteText path_here(path);
  on_all_cores([parts, path_here, body] { body(path_here.fetch(), parts.operator->()); });
  return sum_parts(parts);
}

/// The first item of core `k`, if `n` items are distributed evenly over all cores, in order.
inline int64_t share_begin(int64_t n, int64_t k) {
  const int64_t p = cores();
  return n / p * k + n % p * k / p;
}

/// Checks that `fd` is open and has `bytes` bytes, as on the calling core of the read: all cores
/// must see the same, unchanged file. On failure, returns false and sets `problem`, at offset
/// `begin`.
bool same_file(int fd, int64_t bytes, int64_t begin, FileProblem* problem);

}  // namespace detail
}  // namespace Grappa
