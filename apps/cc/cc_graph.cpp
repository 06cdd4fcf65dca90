#include "apps/cc/cc_graph.hpp"

namespace cc {

double bytes_at_rest(GlobalAddress<LabelGraph> g) {
  const int64_t lists =
      Grappa::sum_all_cores([g] { return static_cast<int64_t>(g->csr().bytes()); });
  return double(lists) + double(sizeof(Vertex)) * double(g->nv);
}

void copy_labels(GlobalAddress<LabelGraph> g, GlobalAddress<VertexID> label) {
  Grappa::forall(g, [label](VertexID id, Vertex& v) {
    Grappa::delegate::write<Grappa::async>(label + id, v->label);
  });
}

}  // namespace cc
