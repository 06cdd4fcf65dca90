#include "apps/bfs/bfs_graph.hpp"

namespace bfs {

double bytes_at_rest(GlobalAddress<SearchGraph> g) {
  const int64_t lists =
      Grappa::sum_all_cores([g] { return static_cast<int64_t>(g->csr().bytes()); });
  return double(lists) + double(sizeof(SearchGraph::Vertex)) * double(g->nv);
}

void copy_parents(GlobalAddress<SearchGraph> g, GlobalAddress<VertexID> parent) {
  Grappa::forall(g, [parent](VertexID id, SearchGraph::Vertex& v) {
    const VertexID found = v->parent;
    Grappa::delegate::call<Grappa::async>(parent + id, [found](VertexID& p) { p = found; });
  });
}

}  // namespace bfs
