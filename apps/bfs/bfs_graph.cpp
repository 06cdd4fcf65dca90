#include "apps/bfs/bfs_graph.hpp"

namespace bfs {

void copy_parents(GlobalAddress<SearchGraph> g, GlobalAddress<VertexID> parent) {
  Grappa::forall(g, [parent](VertexID id, SearchGraph::Vertex& v) {
    const VertexID found = v->parent;
    Grappa::delegate::call<Grappa::async>(parent + id, [found](VertexID& p) { p = found; });
  });
}

}  // namespace bfs
