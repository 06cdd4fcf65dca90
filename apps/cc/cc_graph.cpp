#include "apps/cc/cc_graph.hpp"

namespace cc {

void copy_labels(GlobalAddress<LabelGraph> g, GlobalAddress<VertexID> label) {
  Grappa::forall(g, [label](VertexID id, Vertex& v) {
    Grappa::delegate::write<Grappa::async>(label + id, v->label);
  });
}

}  // namespace cc
