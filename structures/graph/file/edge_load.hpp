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

/// An array of elements of 16 bytes in chunks, which grows without copying them.
template <class T>
class Chunks {
 public:
  static constexpr size_t kBytes = kHugePageBytes;
  static constexpr int64_t kElements = int64_t{kBytes / sizeof(T)};

  /// Appends the element with this index, which is the number of elements before it.
  void push(int64_t index, const T& element) {
    if (index % kElements == 0) add_chunk();
    chunks_.back()[static_cast<size_t>(index % kElements)] = element;
  }

  /// Copies elements of one chunk to the linear array `to`. Suspends: until done.
  void copy(int64_t first, int64_t count, GlobalAddress<T> to);

  /// Frees the chunk of this element.
  void free_chunk(int64_t index) { chunks_[static_cast<size_t>(index / kElements)].reset(); }

 private:
  struct Unmap {
    void operator()(T* chunk) const { unmap(chunk, kBytes); }
  };

  // A small file needs no huge page.
  void add_chunk() {
    void* const chunk = map_private_aligned(kBytes, kHugePageBytes);
    if (!chunks_.empty()) advise_huge_pages(chunk, kBytes);
    chunks_.emplace_back(static_cast<T*>(chunk));
  }

  std::vector<std::unique_ptr<T[], Unmap>> chunks_;
};

/// The edges that one core collects, while the number of edges before its part is not known. It is
/// a symmetric object.
class EdgeBuffer {
 public:
  int64_t size() const { return size_; }

  /// `attributes` may be null, but then for all edges.
  void push(const TupleEdge& edge, const EdgeAttributes* attributes) {
    if (attributes != nullptr) attributes_.push(size_, *attributes);
    edges_.push(size_++, edge);
  }

  /// Sets the final index of the first edge after the previous run. The other edges follow it.
  void end_run(int64_t start) {
    runs_.push_back(Run{runs_.empty() ? 0 : runs_.back().end, size_, start});
  }

  /// Moves the next kMoveEdges edges, or all remaining edges, to the array of the graph. All edges
  /// must be in runs. From: task. Suspends: until done. Messages: those of memcpy.
  void move_some(const TupleGraph& graph);
  static constexpr int64_t kMoveEdges = 1 << 18;

 private:
  struct Run {
    int64_t begin, end;  // edges of this buffer
    int64_t start;       // final index of the first edge
  };

  Chunks<TupleEdge> edges_;
  Chunks<EdgeAttributes> attributes_;
  std::vector<Run> runs_;
  size_t moving_ = 0;  // the run of the next edge to move
  int64_t moved_ = 0;
  int64_t size_ = 0;
};

/// Sent by value.
struct LoadPlan {
  GraphFormat format;
  int64_t file_bytes;
  bool keeps_attributes;
  int64_t max_vertices;  // maximum that fits in the global heap
  int64_t heap_bytes;    // free bytes of the global heap
  GlobalAddress<EdgeBuffer> buffers;
  GlobalAddress<GraphPart> parts;

  int64_t edge_bytes() const {
    return int64_t{sizeof(TupleEdge)} + (keeps_attributes ? int64_t{sizeof(EdgeAttributes)} : 0);
  }
};

/// These functions return "" if the vertices up to `max_id`, or `nedge` edges, fit in the free
/// memory of the global heap. Otherwise they return the error message. `what` has the vertices; the
/// default is the id.
std::string check_id(VertexID max_id, const LoadPlan& plan, const std::string& what = "");
std::string check_edges(int64_t nedge, const LoadPlan& plan);

/// Adds an edge to the buffer of this core, and updates the largest id of its part. The attributes
/// are used if the plan keeps them. If the graph does not fit in memory, returns false and sets
/// `problem`.
bool take_edge(const TupleEdge& edge, const EdgeAttributes& attributes, const LoadPlan& plan,
               EdgeBuffer* buffer, GraphPart* part, std::string* problem);

/// Ends a run on every core: the edges that were pushed after the previous run follow the `before`
/// edges of earlier runs, in the order of the cores. From:
/// task. Suspends: until done.
void end_runs(const LoadPlan& plan, int64_t before = 0);

/// Allocates the edges of the graph, and moves the edges of all buffers to them, with the
/// attributes that the plan keeps. All edges must be in runs. `largest_size` is the size of the
/// largest buffer. From: task. Suspends: until done.
void gather_edges(const LoadPlan& plan, int64_t nedge, int64_t largest_size, TupleGraph* graph);

/// Read a file on all cores. If the file has a problem, they return the first one. Otherwise, they
/// set `graph`. `fd` is the open file on this core. From: task. Suspends: until done.
FileProblem load_text(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph);
FileProblem load_gap(const std::string& path, int fd, const LoadPlan& load, TupleGraph* graph);

}}  // namespace Grappa::detail
