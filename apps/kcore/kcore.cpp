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

// The vertices of one core.
class Part {
 public:
  explicit Part(GlobalAddress<CoreGraph> g) : g_(g) {
    const size_t n = size_t(g->csr().vertices());
    remaining_.reserve(n);
    peeled_.reserve(n);
    next_.reserve(n);
    for (Vertex& v : g->own_vertices()) {
      v.data = State{v.nadj, 0};
      remaining_.push_back(&v);
    }
    current_ = this;
  }

  // From: a task on every core, at the same time.
  void find_cores() {
    for (uint32_t k = next_level(-1); k != kNone; k = next_level(k)) {
      for (Vertex* v : remaining_) {
        if ((*v)->degree == k) peeled_.push_back(v);
      }
      Grappa::barrier();  // before the first message of this level arrives
      while (Grappa::allreduce<int64_t, Grappa::collective_add>(int64_t(peeled_.size())) > 0) {
        Grappa::forall_here(0, int64_t(peeled_.size()),
                            [this, k](int64_t i) { peel(*peeled_[size_t(i)], k); });
        Grappa::barrier();  // all messages have arrived
        peeled_.swap(next_);
        next_.clear();
      }
    }
  }

 private:
  // Removes the vertices of level k, which are all peeled. Returns the next level of all cores.
  uint32_t next_level(int64_t k) {
    remaining_.erase(std::remove_if(remaining_.begin(), remaining_.end(),
                                    [k](const Vertex* v) { return (*v)->degree <= k; }),
                     remaining_.end());
    uint32_t least = kNone;
    for (const Vertex* v : remaining_) least = std::min(least, (*v)->degree);
    return Grappa::allreduce<uint32_t, Grappa::collective_min>(least);
  }

  void peel(Vertex& v, uint32_t k) {
    v->core = k;
    Grappa::serial_for(adj(g_, v), [k](Edge& e) {
      Grappa::delegate::call<Grappa::async>(e.ga,
                                            [k](Vertex& w) { current_->lose_neighbour(w, k); });
    });
  }

  void lose_neighbour(Vertex& v, uint32_t k) {
    if (v->degree <= k) return;  // peeled before
    if (--v->degree == k) next_.push_back(&v);
  }

  static Part* current_;  // the object of this core

  const GlobalAddress<CoreGraph> g_;
  std::vector<Vertex*> remaining_;  // not peeled before this level
  std::vector<Vertex*> peeled_;     // in this round
  std::vector<Vertex*> next_;       // peeled in the next round
};

Part* Part::current_ = nullptr;

}  // namespace

void find_cores(GlobalAddress<CoreGraph> g) {
  GRAPPA_CHECK(!g->directed) << "the cores of a directed graph: lists have out-neighbours only";
  Grappa::on_all_cores([g] { Part(g).find_cores(); });
}

}  // namespace kcore
