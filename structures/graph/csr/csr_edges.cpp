#include "structures/graph/csr_edges.hpp"

#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <vector>

namespace Grappa {
namespace {

constexpr size_t kFlushEdges = 1 << 16;     // 1 MiB
constexpr int64_t kVerticesPerLook = 1024;  // between two network polls

// Calls visit(edge) for each edge of this core; visit may suspend.
template <class Visit>
void for_each_edge(const detail::Csr& mine, bool directed, Visit visit) {
  for (int64_t place = 0; place < mine.vertices(); ++place) {
    const VertexID v = mine.layout().id(mycore(), place);
    for (int64_t entry = mine.first(place); entry < mine.first(place + 1); ++entry) {
      const VertexID neighbour = mine.layout().id_of_slot(mine.slot(entry));
      if (directed || v < neighbour) visit(TupleEdge{v, neighbour});
    }
    if (place % kVerticesPerLook == 0) detail::scheduler().yield_if_due();
  }
}

void write_edges(const detail::Csr& mine, bool directed, GlobalAddress<TupleEdge> to) {
  std::vector<TupleEdge> piece;
  const auto flush = [&piece, &to] {
    memcpy(to, piece.data(), int64_t(piece.size()));
    to += int64_t(piece.size());
    piece.clear();
  };
  for_each_edge(mine, directed, [&piece, &flush](const TupleEdge& edge) {
    piece.push_back(edge);
    if (piece.size() == kFlushEdges) flush();
  });
  flush();
}

}  // namespace

TupleGraph edges_of(GlobalAddress<detail::Csr> csr, bool directed) {
  // On each core: the number of its edges, later the position of its first edge in the list.
  const GlobalAddress<int64_t> place = symmetric<int64_t>(int64_t{0});
  on_all_cores([csr, directed, place] {
    int64_t* const count = place.pointer();
    for_each_edge(*csr.pointer(), directed, [count](const TupleEdge&) { ++*count; });
  });
  TupleGraph graph;
  graph.nv = csr->layout().nv();
  for (Core c = 0; c < cores(); ++c) {
    const int64_t before = graph.nedge;
    graph.nedge += delegate::call(c, [place, before] {
      const int64_t count = *place.pointer();
      *place.pointer() = before;
      return count;
    });
  }
  graph.edges = global_alloc<TupleEdge>(std::max<int64_t>(graph.nedge, 1));
  const GlobalAddress<TupleEdge> edges = graph.edges;
  on_all_cores([csr, directed, place, edges] {
    write_edges(*csr.pointer(), directed, edges + *place.pointer());
  });
  global_free(place);
  return graph;
}

}  // namespace Grappa
