#include "structures/graph/file/edge_load.hpp"

#include "structures/graph/graph_bytes.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/on_all_cores.hpp"

#include <algorithm>
#include <cmath>

namespace Grappa::detail {

template <class T>
void Chunks<T>::copy(int64_t first, int64_t count, GlobalAddress<T> to) {
  memcpy(to, chunks_[static_cast<size_t>(first / kElements)].get() + first % kElements, count);
}

void EdgeBuffer::move_some(const TupleGraph& graph) {
  constexpr int64_t kChunkEdges = Chunks<TupleEdge>::kElements;
  const int64_t end = std::min(moved_ + kMoveEdges, size_);
  while (moved_ < end) {
    const Run& run = runs_[moving_];
    if (moved_ == run.end) {
      ++moving_;
      continue;
    }
    const int64_t first = moved_, to = run.start + first - run.begin;
    const int64_t count =
        std::min(std::min(end, run.end) - first, kChunkEdges - first % kChunkEdges);
    edges_.copy(first, count, graph.edges + to);
    if (graph.attributes) attributes_.copy(first, count, graph.attributes + to);
    moved_ += count;
    if (moved_ % kChunkEdges != 0 && moved_ != size_) continue;
    edges_.free_chunk(first);
    if (graph.attributes) attributes_.free_chunk(first);
  }
}

std::string check_id(VertexID max_id, const LoadPlan& plan, const std::string& what) {
  if (max_id < plan.max_vertices) return "";
  const double needed = double(kSmallestVertexBytes) * (double(max_id) + 1);
  return (what.empty() ? "vertex id " + std::to_string(max_id) : what) + " needs " +
         human_bytes(needed) + " for the vertices; " + human_bytes(double(heap_bytes_free())) +
         " of the global heap are free";
}

std::string check_edges(int64_t nedge, const LoadPlan& plan) {
  // An array takes equal shares of whole blocks on all cores.
  const double row = double(block_size) * cores();
  const double array = std::ceil(tuple_bytes_needed(nedge) / row) * row;
  const double needed = plan.keeps_attributes ? 2 * array : array;
  const double available = double(heap_bytes_free());
  if (needed <= available) return "";
  return std::to_string(nedge) + " edges need " + human_bytes(needed) + "; " +
         human_bytes(available) + " of the global heap are free";
}

bool take_edge(const TupleEdge& edge, const EdgeAttributes& attributes, const LoadPlan& plan,
               EdgeBuffer* buffer, GraphPart* part, std::string* problem) {
  const VertexID high = std::max(edge.v0, edge.v1);
  const int64_t nedge = buffer->size() + 1;
  if (high >= plan.max_vertices || nedge * plan.edge_bytes() > plan.heap_bytes) {
    *problem = high >= plan.max_vertices ? check_id(high, plan) : check_edges(nedge, plan);
    return false;
  }
  buffer->push(edge, plan.keeps_attributes ? &attributes : nullptr);
  part->max_id = std::max(part->max_id, high);
  return true;
}

void end_runs(const LoadPlan& plan, int64_t before) {
  on_all_cores([plan, before] { plan.buffers->end_run(before + plan.parts->start); });
}

// The buffer of a core shrinks while its part of the array is filled.
void gather_edges(const LoadPlan& plan, int64_t nedge, int64_t largest_size, TupleGraph* graph) {
  graph->nedge = nedge;
  graph->edges = global_alloc<TupleEdge>(std::max<int64_t>(nedge, 1));
  if (plan.keeps_attributes) {
    graph->attributes = global_alloc<EdgeAttributes>(std::max<int64_t>(nedge, 1));
  }
  const TupleGraph to = *graph;
  for (int64_t moved = 0; moved < largest_size; moved += EdgeBuffer::kMoveEdges) {
    on_all_cores([to, plan] { plan.buffers->move_some(to); });
  }
}

}  // namespace Grappa::detail
