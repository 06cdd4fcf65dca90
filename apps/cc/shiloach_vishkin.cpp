/// Phase 2: components of the reduced graph, by Y. Shiloach, U. Vishkin, "An O(log n) Parallel
/// Connectivity Algorithm", Journal of Algorithms 3, 1982.
///
/// The vertices of the reduced graph are the roots of traversals: the vertices of the graph that
/// are their own label. The label of a root is its parent, so initially each root is a tree. A
/// round has four steps:
///   1. Shortcut: each root takes its grandparent as its parent.
///   2. Hook the root of a tree onto a smaller parent across an edge.
///   3. Hook the root of a stagnant tree, which has not changed in this round, onto any other tree
///      across an edge.
///   4. Shortcut again.
/// Rounds repeat until a round changes nothing. Step 3 keeps the number of rounds logarithmic: each
/// tree with an edge to another tree grows, or its height shrinks. A stagnant tree is a star. After
/// step 2 no edge joins two stagnant trees, so step 3 creates no cycle.
/// Each step is a loop over the edges or roots of all cores, and ends before the next step starts.

#include "apps/cc/reduced_graph.hpp"

namespace cc {
namespace {

// The state of the trees on this core. The parent of a vertex is its label.
struct Trees {
  GlobalAddress<LabelGraph> g;
  std::vector<int64_t> roots;    // local indices
  std::vector<uint8_t> touched;  // by local index of a root: the last round that changed its tree
  uint8_t round;
  int64_t changes;  // changed labels in this round
} trees;

GlobalAddress<Vertex> vertex(VertexID id) { return trees.g->vs + id; }

uint8_t& touched(const Vertex& root) {
  return trees.touched[static_cast<size_t>(&root - trees.g->vs.localize())];
}

void set_parent(Vertex& root, VertexID parent) {
  root->label = parent;
  ++trees.changes;
}

// If `parent` is the root of a tree, marks the tree as changed.
struct Touch {
  void operator()(Vertex& parent) const { touched(parent) = trees.round; }
};

// The answer to a request for a grandparent.
struct TakeGrandparent {
  VertexID grandparent;
  void operator()(Vertex& root) const {
    if (root->label == grandparent) return;
    set_parent(root, grandparent);
    Grappa::delegate::call<Grappa::async>(vertex(grandparent), Touch());
  }
};

void shortcut() {
  Grappa::on_all_cores([] {
    Vertex* const vertices = trees.g->vs.localize();
    Grappa::forall_here(0, static_cast<int64_t>(trees.roots.size()), [vertices](int64_t i) {
      Vertex& root = vertices[trees.roots[static_cast<size_t>(i)]];
      const VertexID id = trees.g->id(root);
      if (root->label == id) return;
      Grappa::delegate::call<Grappa::async>(vertex(root->label), [id](Vertex& parent) {
        Grappa::delegate::call<Grappa::async>(vertex(id), TakeGrandparent{parent->label});
      });
    });
  });
}

// Step 2, at the larger of two parents.
struct HookOntoSmaller {
  VertexID smaller;
  void operator()(Vertex& larger) const {
    if (larger->label != trees.g->id(larger)) return;
    set_parent(larger, smaller);
    touched(larger) = trees.round;
    Grappa::delegate::call<Grappa::async>(vertex(smaller), Touch());
  }
};

// Step 3, at a parent.
struct HookIfStagnant {
  VertexID other;
  void operator()(Vertex& parent) const {
    if (touched(parent) == trees.round || parent->label != trees.g->id(parent)) return;
    set_parent(parent, other);
  }
};

void hook_onto_smaller(VertexID a, VertexID b) {
  const RootPair parents = RootPair::of(a, b);
  Grappa::delegate::call<Grappa::async>(vertex(parents.high), HookOntoSmaller{parents.low});
}

void hook_stagnant(VertexID a, VertexID b) {
  Grappa::delegate::call<Grappa::async>(vertex(a), HookIfStagnant{b});
  Grappa::delegate::call<Grappa::async>(vertex(b), HookIfStagnant{a});
}

// Calls `hook` with the parents of both ends of each edge, if the parents differ.
template <void (*hook)(VertexID, VertexID)>
void for_each_edge(GlobalAddress<ReducedGraph> reduced) {
  Grappa::on_all_cores([reduced] {
    const std::vector<RootPair>& edges = reduced->edges;
    Grappa::forall_here(0, static_cast<int64_t>(edges.size()), [&edges](int64_t i) {
      const RootPair& edge = edges[static_cast<size_t>(i)];
      const VertexID high = edge.high;
      Grappa::delegate::call<Grappa::async>(vertex(edge.low), [high](Vertex& low) {
        const VertexID parent = low->label;
        Grappa::delegate::call<Grappa::async>(vertex(high), [parent](Vertex& end) {
          if (end->label != parent) hook(parent, end->label);
        });
      });
    });
  });
}

void begin(GlobalAddress<LabelGraph> g) {
  trees = Trees();
  trees.g = g;
  const int64_t n = g->csr().vertices();
  trees.touched.assign(static_cast<size_t>(n), 0);
  Vertex* const vertices = g->vs.localize();
  for (int64_t place = 0; place < n; ++place) {
    Vertex& v = vertices[place];
    if (v.nadj != 0 && v->label == g->id(v)) trees.roots.push_back(place);
  }
}

}  // namespace

int64_t shiloach_vishkin(GlobalAddress<LabelGraph> g, GlobalAddress<ReducedGraph> reduced) {
  Grappa::on_all_cores([g] { begin(g); });
  int64_t rounds = 0;
  int64_t changes;
  do {
    ++rounds;
    Grappa::call_on_all_cores([rounds] {
      trees.round = static_cast<uint8_t>(rounds);  // fewer than 2 log2(2^64) rounds
      trees.changes = 0;
    });
    shortcut();
    for_each_edge<hook_onto_smaller>(reduced);
    for_each_edge<hook_stagnant>(reduced);
    shortcut();
    changes = Grappa::sum_all_cores([] { return trees.changes; });
  } while (changes > 0);
  Grappa::call_on_all_cores([] { trees = Trees(); });
  return rounds;
}

}  // namespace cc
