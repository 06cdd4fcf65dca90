#include "apps/common/plain_graph.hpp"

#include <Grappa.hpp>

#include <algorithm>

namespace apps {

using Grappa::TupleEdge;
using Grappa::VertexID;

PlainGraph::PlainGraph(const Grappa::TupleGraph& tuples)
    : firsts_(static_cast<size_t>(tuples.nv) + 1) {
  std::vector<TupleEdge> edges(static_cast<size_t>(tuples.nedge));
  Grappa::memcpy(edges.data(), tuples.edges, tuples.nedge);
  for (const TupleEdge& edge : edges) {
    ++firsts_[static_cast<size_t>(edge.v0)];
    ++firsts_[static_cast<size_t>(edge.v1)];
  }
  int64_t next = 0;
  for (int64_t& first : firsts_) {
    next += first;
    first = next;  // the end of the list: entries are added from the end
  }
  neighbours_.resize(static_cast<size_t>(next));
  for (const TupleEdge& edge : edges) {
    neighbours_[static_cast<size_t>(--firsts_[static_cast<size_t>(edge.v0)])] = edge.v1;
    neighbours_[static_cast<size_t>(--firsts_[static_cast<size_t>(edge.v1)])] = edge.v0;
  }
  auto kept = neighbours_.begin();
  for (VertexID v = 0; v < tuples.nv; ++v) {
    const auto begin = neighbours_.begin() + firsts_[static_cast<size_t>(v)];
    auto end = neighbours_.begin() + firsts_[static_cast<size_t>(v) + 1];
    std::sort(begin, end);
    end = std::remove(begin, std::unique(begin, end), v);
    firsts_[static_cast<size_t>(v)] = kept - neighbours_.begin();
    kept = std::move(begin, end, kept);
  }
  firsts_.back() = kept - neighbours_.begin();
  neighbours_.erase(kept, neighbours_.end());
}

}  // namespace apps
