#include "apps/kcore/kcore.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <vector>

namespace kcore {
namespace {

using Grappa::GlobalAddress;
typedef CoreGraph::Vertex Vertex;
typedef CoreGraph::Edge Edge;

constexpr uint32_t kNone = UINT32_MAX;

// Vertices of this core: not peeled before this level; peeled in this round; in the next round.
std::vector<Vertex*> remaining, peeled, next;

void lose_neighbour(Vertex& v, uint32_t k) {
  if (v->degree <= k) return;  // peeled before
  if (--v->degree == k) next.push_back(&v);
}

void peel(GlobalAddress<CoreGraph> g, Vertex& v, uint32_t k) {
  v->core = k;
  Grappa::serial_for(adj(g, v), [k](Edge& e) {
    Grappa::delegate::call<Grappa::async>(e.ga, [k](Vertex& w) { lose_neighbour(w, k); });
  });
}

// Removes the vertices of level k, which are all peeled. Returns the next level of all cores.
uint32_t next_level(int64_t k) {
  remaining.erase(std::remove_if(remaining.begin(), remaining.end(),
                                 [k](const Vertex* v) { return (*v)->degree <= k; }),
                  remaining.end());
  uint32_t least = kNone;
  for (const Vertex* v : remaining) least = std::min(least, (*v)->degree);
  return Grappa::allreduce<uint32_t, Grappa::collective_min>(least);
}

// From: a task on every core, at the same time.
void find_cores_here(GlobalAddress<CoreGraph> g) {
  remaining.clear();
  for (Vertex& v : g->own_vertices()) {
    v.data = State{v.nadj, 0};
    remaining.push_back(&v);
  }
  for (uint32_t k = next_level(-1); k != kNone; k = next_level(k)) {
    for (Vertex* v : remaining) {
      if ((*v)->degree == k) peeled.push_back(v);
    }
    Grappa::barrier();  // before the first message of this level arrives
    while (Grappa::allreduce<int64_t, Grappa::collective_add>(int64_t(peeled.size())) > 0) {
      Grappa::forall_here(0, int64_t(peeled.size()),
                          [g, k](int64_t i) { peel(g, *peeled[size_t(i)], k); });
      Grappa::barrier();  // all messages have arrived
      peeled.swap(next);
      next.clear();
    }
  }
}

}  // namespace

void find_cores(GlobalAddress<CoreGraph> g) {
  GRAPPA_CHECK(!g->directed) << "the cores of a directed graph: lists have out-neighbours only";
  Grappa::on_all_cores([g] { find_cores_here(g); });
}

}  // namespace kcore
