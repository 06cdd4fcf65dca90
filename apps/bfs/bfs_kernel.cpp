#include "apps/bfs/bfs_kernel.hpp"

#include <vector>

namespace bfs {
namespace {

typedef SearchGraph::Vertex Vertex;

// This core's vertices of even and of odd levels: one list is expanded while the other grows.
std::vector<Vertex*> frontier[2];

// A delegate: names its parity in its type, so that a core that is still leaving a level and one
// that is already in the next agree where a vertex goes, at no cost in bytes.
template <int kNextParity>
struct Claim {
  VertexID parent;

  void operator()(Vertex& v) const {
    if (v->parent >= 0) return;
    v->parent = parent;
    frontier[kNextParity].push_back(&v);
  }
};

// Expands this core's list of one parity and empties it. Returns how many vertices that were, once
// all their neighbours have been told.
template <int kParity>
int64_t expand_level(GlobalAddress<SearchGraph> g) {
  std::vector<Vertex*>& current = frontier[kParity];
  Grappa::forall_here(int64_t(0), int64_t(current.size()), [g](int64_t i) {
    Vertex& v = *frontier[kParity][size_t(i)];
    const Claim<1 - kParity> claim = {g->id(v)};
    for (int64_t k = 0; k < v.nadj; ++k) {
      Grappa::delegate::call<Grappa::async>(g->vs + v.local_adj[k], claim);
    }
  });
  const int64_t expanded = int64_t(current.size());
  current.clear();
  return expanded;
}

}  // namespace

void search(GlobalAddress<SearchGraph> g, VertexID root) {
  Grappa::forall(g, [](Vertex& v) { v->parent = -1; });
  Grappa::delegate::call(g->vs + root, [root](Vertex& v) {
    v->parent = root;
    frontier[0].push_back(&v);
  });
  // The reduction is also the barrier between two levels. Lists are emptied before it, since a core
  // that has passed it may already be filling them.
  Grappa::on_all_cores([g] {
    int64_t expanded = 1;
    for (int level = 0; expanded > 0; ++level) {
      const int64_t here = level % 2 == 0 ? expand_level<0>(g) : expand_level<1>(g);
      expanded = Grappa::allreduce<int64_t, Grappa::collective_add<int64_t>>(here);
    }
  });
}

void copy_parents(GlobalAddress<SearchGraph> g, GlobalAddress<VertexID> parent) {
  Grappa::forall(g, [parent](VertexID id, Vertex& v) {
    const VertexID found = v->parent;
    Grappa::delegate::call<Grappa::async>(parent + id, [found](VertexID& p) { p = found; });
  });
}

}  // namespace bfs
