/// Phase 2: components of the reduced graph, by Y. Shiloach, U. Vishkin, "An O(log n) Parallel
/// Connectivity Algorithm", Journal of Algorithms 3, 1982.
///
/// The label of a root is its parent, so initially each root is a tree. A round has four steps:
///   1. Shortcut: each root takes its grandparent as its parent.
///   2. Hook the root of a tree onto a smaller parent across an edge.
///   3. Hook the root of a stagnant tree, which has not changed in this round, onto any other tree.
///   4. Shortcut again.
/// Rounds repeat until a round changes nothing. Step 3 keeps the number of rounds logarithmic: each
/// tree with an edge to another tree grows, or its height shrinks. A stagnant tree is a star. After
/// step 2 no edge joins two stagnant trees, so step 3 creates no cycle. Each step ends on all cores
/// before the next step starts.

#include "apps/cc/components.hpp"

#include <algorithm>

namespace cc {

std::vector<RootPair> reduced_edges;

namespace {

// The state of the trees on this core. The parent of a vertex is its label.
struct Trees {
  GlobalAddress<LabelGraph> g;
  Vertex* own;                   // the first vertex of this core
  std::vector<Vertex*> roots;    // the roots of this core
  std::vector<uint8_t> touched;  // last round that changed the tree of a root, by local index
  uint8_t round;
  int64_t changes;  // changed labels in this round
} trees;

template <class F>
void visit(VertexID v, F body) {
  Grappa::delegate::call<Grappa::async>(trees.g->vs + v, body);
}

uint8_t& touched(const Vertex& root) {
  return trees.touched[static_cast<size_t>(&root - trees.own)];
}

// If `id` is the root of a tree, marks the tree as changed.
void touch(VertexID id) {
  visit(id, [](Vertex& parent) { touched(parent) = trees.round; });
}

void set_parent(Vertex& root, VertexID parent) {
  root->label = parent;
  ++trees.changes;
}

void shortcut() {
  Grappa::on_all_cores([] {
    Grappa::forall_here(0, static_cast<int64_t>(trees.roots.size()), [](int64_t i) {
      const Vertex& root = *trees.roots[static_cast<size_t>(i)];
      const VertexID id = trees.g->id(root);
      if (root->label == id) return;
      visit(root->label, [id](Vertex& parent) {
        const VertexID grandparent = parent->label;
        visit(id, [grandparent](Vertex& child) {
          if (child->label == grandparent) return;
          set_parent(child, grandparent);
          touch(grandparent);
        });
      });
    });
  });
}

// Runs step 2 at the larger of two parents.
void hook_onto_smaller(VertexID a, VertexID b) {
  const VertexID smaller = std::min(a, b);
  visit(std::max(a, b), [smaller](Vertex& larger) {
    if (larger->label != trees.g->id(larger)) return;
    set_parent(larger, smaller);
    touched(larger) = trees.round;
    touch(smaller);
  });
}

// Runs step 3 at both parents.
void hook_stagnant(VertexID a, VertexID b) {
  for (const RootPair& ends : {RootPair{a, b}, RootPair{b, a}}) {
    const VertexID other = ends.high;
    visit(ends.low, [other](Vertex& parent) {
      if (touched(parent) == trees.round || parent->label != trees.g->id(parent)) return;
      set_parent(parent, other);
    });
  }
}

// Calls `hook` with the parents of both ends of each edge, if the parents differ.
template <void (*hook)(VertexID, VertexID)>
void for_each_edge() {
  Grappa::on_all_cores([] {
    Grappa::forall_here(0, static_cast<int64_t>(reduced_edges.size()), [](int64_t i) {
      const RootPair edge = reduced_edges[static_cast<size_t>(i)];
      visit(edge.low, [edge](Vertex& low) {
        const VertexID parent = low->label;
        visit(edge.high, [parent](Vertex& high) {
          if (high->label != parent) hook(parent, high->label);
        });
      });
    });
  });
}

}  // namespace

int64_t shiloach_vishkin(GlobalAddress<LabelGraph> g) {
  Grappa::on_all_cores([g] {
    const int64_t n = g->csr().vertices();
    trees = Trees{g, g->vs.localize(), {}, std::vector<uint8_t>(static_cast<size_t>(n)), 0, 0};
    for (Vertex* v = trees.own; v != trees.own + n; ++v) {
      if (v->nadj != 0 && (*v)->label == g->id(*v)) trees.roots.push_back(v);
    }
  });
  int64_t rounds = 0;
  do {
    ++rounds;
    Grappa::call_on_all_cores([rounds] {
      trees.round = static_cast<uint8_t>(rounds);  // fewer than 2 log2(2^64) rounds
      trees.changes = 0;
    });
    shortcut();
    for_each_edge<hook_onto_smaller>();
    for_each_edge<hook_stagnant>();
    shortcut();
  } while (Grappa::sum_all_cores([] { return trees.changes; }) > 0);
  Grappa::call_on_all_cores([] {
    trees = Trees();
    reduced_edges.clear();
  });
  return rounds;
}

}  // namespace cc
