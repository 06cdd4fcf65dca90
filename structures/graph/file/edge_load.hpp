#pragma once

/// The parts that the readers of graph files share: the memory for the edges, and its limits.

#include "structures/graph/edge.hpp"
#include "structures/graph/file/file_parts.hpp"
#include "structures/graph/file/graph_format.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/mapping.hpp"
#include "system/global/address.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

/// The edges that one core collects, while the number of edges before its part is not known. They
/// are in chunks, so the buffer grows without copying edges. It is a symmetric object.
class EdgeBuffer {
 public:
  int64_t size() const { return size_; }

  void push(const TupleEdge& edge) {
    if (size_ % kChunkEdges == 0) add_chunk();
    chunks_.back()[static_cast<size_t>(size_++ % kChunkEdges)] = edge;
  }

  /// Sets the final index of the first edge after the previous run. The other edges follow it.
  void end_run(int64_t start) {
    runs_.push_back(Run{runs_.empty() ? 0 : runs_.back().end, size_, start});
  }

  /// Moves the next kMoveEdges edges, or all remaining edges, to the linear array `edges`. All
  /// edges must be in runs. From: task. Suspends: until done. Messages: those of memcpy.
  void move_some(GlobalAddress<TupleEdge> edges);
  static constexpr int64_t kMoveEdges = 1 << 18;

 private:
  static constexpr size_t kChunkBytes = kHugePageBytes;
  static constexpr int64_t kChunkEdges = int64_t{kChunkBytes / sizeof(TupleEdge)};
  struct Unmap {
    void operator()(TupleEdge* chunk) const { unmap(chunk, kChunkBytes); }
  };
  struct Run {
    int64_t begin, end;  // edges of this buffer
    int64_t start;       // final index of the first edge
  };

  // A small file needs no huge page.
  void add_chunk() {
    void* const chunk = map_private_aligned(kChunkBytes, kHugePageBytes);
    if (!chunks_.empty()) advise_huge_pages(chunk, kChunkBytes);
    chunks_.emplace_back(static_cast<TupleEdge*>(chunk));
  }

  std::vector<std::unique_ptr<TupleEdge[], Unmap>> chunks_;
  std::vector<Run> runs_;
  size_t moving_ = 0;  // the run of the next edge to move
  int64_t moved_ = 0;
  int64_t size_ = 0;
};

/// Sent by value.
struct LoadPlan {
  GraphFormat format;
  int64_t file_bytes;
  int64_t max_vertices;  // maximum that fits in the global heap
  int64_t max_edges;
  GlobalAddress<EdgeBuffer> buffers;
  GlobalAddress<GraphPart> parts;
};

/// These functions return "" if the vertices up to `max_id`, or `nedge` edges, fit in the free
/// memory of the global heap. Otherwise they return the error message. `what` has the vertices; the
/// default is the id.
std::string check_id(VertexID max_id, const LoadPlan& plan, const std::string& what = "");
std::string check_edges(int64_t nedge);

/// Adds an edge to the buffer of this core, and updates the largest id of its part. If the graph
/// does not fit in memory, returns false and sets `problem`.
bool take_edge(const TupleEdge& edge, const LoadPlan& plan, EdgeBuffer* buffer, GraphPart* part,
               std::string* problem);

/// Ends a run on every core: the edges that were pushed after the previous run follow the `before`
/// edges of earlier runs, in the order of the cores. From:
/// task. Suspends: until done.
void end_runs(const LoadPlan& plan, int64_t before = 0);

/// Allocates the edges of the graph, and moves the edges of all buffers to them. All edges must be
/// in runs. `largest_size` is the size of the largest buffer. From: task. Suspends: until done.
void gather_edges(const LoadPlan& plan, int64_t nedge, int64_t largest_size, TupleGraph* graph);

/// Read a file on all cores. If the file has a problem, they return the first one. Otherwise, they
/// set `graph`. `fd` is the open file on this core. From: task. Suspends: until done.
FileProblem load_text(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph);
FileProblem load_gap(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph);

}}  // namespace Grappa::detail
