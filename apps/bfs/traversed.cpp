#include "apps/bfs/traversed.hpp"

namespace bfs {
namespace {

Traversed traversed;  // on this core

}  // namespace

GlobalAddress<int64_t> count_first_ends(const TupleGraph& graph) {
  const auto counts = Grappa::global_alloc<int64_t>(graph.nv);
  Grappa::memset(counts, 0, graph.nv);
  Grappa::forall(graph.edges, graph.nedge, [counts](TupleGraph::Edge& e) {
    Grappa::delegate::increment<Grappa::async>(counts + e.v0, 1);
  });
  return counts;
}

Traversed count_traversed(int64_t nv, GlobalAddress<VertexID> parent,
                          GlobalAddress<int64_t> first_ends) {
  Grappa::call_on_all_cores([] { traversed = Traversed{0, 0}; });
  Grappa::forall(parent, nv, [first_ends](int64_t v, VertexID& p) {
    if (p == -1) return;
    ++traversed.reached;
    // Two linear arrays of the same element size: both elements of a vertex are on the same core.
    traversed.edges += *(first_ends + v).pointer();
  });
  return Traversed{Grappa::sum_all_cores([] { return traversed.reached; }),
                   Grappa::sum_all_cores([] { return traversed.edges; })};
}

}  // namespace bfs
