/// Phase 2: components of the reduced graph, by algorithm S of S. Liu, R. Tarjan, "Simple
/// Concurrent Labeling Algorithms for Connected Components", SOSA 2019. A round has two steps:
///   1. Hook: for each edge between two trees, the larger root becomes a child of the smaller root.
///   2. Shortcut: each vertex takes its grandparent as its parent, until all parents are roots.
///
/// The label of a vertex is its parent, so initially each vertex is a tree. Rounds repeat until no
/// edge joins two trees. Labels only decrease, so no cycle arises. There are at most 2 log2 n + 1
/// rounds: if all neighbours of a tree have larger roots, each of them is hooked onto this tree or
/// onto a smaller root, and in the latter case this tree is hooked in the next round.
///
/// The paper of this system used the algorithm of Y. Shiloach, U. Vishkin, "An O(log n) Parallel
/// Connectivity Algorithm", Journal of Algorithms 3, 1982. That algorithm takes only two shortcuts
/// in a round. To limit the rounds, it also hooks trees onto larger roots, but only trees that the
/// round has not changed, so it has to record the changes of each tree.

#include "apps/cc/components.hpp"

#include <vector>

namespace cc {
namespace {

std::vector<Vertex*> roots;  // the vertices of the reduced graph on this core
Grappa::Reducer<int64_t, Grappa::ReducerType::Add> lowered_labels;

template <class F>
void at_vertex(GlobalAddress<Vertex> v, F body) {
  Grappa::delegate::call<Grappa::async>(v, body);
}

void lower_label(Vertex& v, VertexID label) {
  if (v->label <= label) return;
  v->label = label;
  ++lowered_labels;
}

// Returns true if a label has changed.
bool hook(const Grappa::VertexArray<Vertex>& vs, GlobalAddress<PairSet> edges) {
  lowered_labels.reset();
  edges->forall_keys([vs](const RootPair& edge) {
    const VertexID high_end = edge.high;
    at_vertex(vs + edge.low, [vs, high_end](Vertex& low) {
      const VertexID parent = low->label;
      at_vertex(vs + high_end, [vs, parent](Vertex& high) {
        if (high->label == parent) return;
        const RootPair parents = RootPair::of(high->label, parent);
        const VertexID smaller = parents.low;
        at_vertex(vs + parents.high, [smaller](Vertex& larger) { lower_label(larger, smaller); });
      });
    });
  });
  return lowered_labels > 0;
}

// Returns true if a label has changed.
bool shortcut(const Grappa::VertexArray<Vertex>& vs) {
  lowered_labels.reset();
  Grappa::on_all_cores([vs] {
    Grappa::forall_here(0, static_cast<int64_t>(roots.size()), [vs](int64_t i) {
      Vertex& root = *roots[static_cast<size_t>(i)];
      const GlobalAddress<Vertex> child = Grappa::make_global(&root);
      at_vertex(vs + root->label, [child](Vertex& parent) {
        const VertexID grandparent = parent->label;
        at_vertex(child, [grandparent](Vertex& its_child) { lower_label(its_child, grandparent); });
      });
    });
  });
  return lowered_labels > 0;
}

}  // namespace

int64_t connect_reduced_graph(GlobalAddress<LabelGraph> g, GlobalAddress<PairSet> edges) {
  Grappa::forall(g, [](VertexID id, Vertex& v) {
    if (v.nadj != 0 && v->label == id) roots.push_back(&v);
  });
  int64_t rounds = 1;
  for (; hook(g->vs, edges); ++rounds) {
    while (shortcut(g->vs)) {}
  }
  Grappa::call_on_all_cores([] { roots.clear(); });
  return rounds;
}

}  // namespace cc
