/// The simplest form of the search (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2).
///
/// The frontier is a GlobalQueue, with one task for each vertex. The task sends a claim to each
/// neighbour of its vertex. The first vertex that claims a neighbour becomes its parent, and the
/// neighbour is pushed to the queue of the next level. A level ends when all its claims have been
/// processed; then the queues change roles. The search ends when the frontier is empty.

#include "apps/bfs/search.hpp"
#include "structures/global_queue.hpp"

#include <utility>
#include <vector>

namespace bfs {
namespace {

typedef SearchGraph::Vertex Vertex;
typedef SearchGraph::Edge Edge;
typedef Grappa::GlobalQueue<VertexID> Queue;

// One bit for each vertex: this core has already sent a claim. A core claims a vertex only once.
std::vector<uint64_t> asked;

bool asks_first(VertexID v) {
  uint64_t& word = asked[static_cast<uint64_t>(v) / 64];
  const uint64_t bit = uint64_t{1} << (v % 64);
  if ((word & bit) != 0) return false;
  word |= bit;
  return true;
}

class QueueSearch : public Search {
 public:
  QueueSearch(GlobalAddress<SearchGraph> g, Grappa::Combining mode) : Search(g), mode_(mode) {}

  void run(VertexID root) override {
    const GlobalAddress<SearchGraph> g = g_;
    GlobalAddress<Queue> frontier = Queue::create(g->nv, mode_);
    GlobalAddress<Queue> next = Queue::create(g->nv, mode_);
    Grappa::on_all_cores([g] { asked.assign(static_cast<size_t>(g->nv) / 64 + 1, 0); });
    Grappa::forall(g, [](Vertex& v) { v->parent = -1; });
    Grappa::delegate::call(g->vs + root, [root, frontier](Vertex& v) {
      v->parent = root;
      frontier->push(root);
    });
    while (!frontier->empty()) {
      Grappa::forall(frontier, [g, next](VertexID& v) { expand(g, next, v); });
      frontier->clear();
      std::swap(frontier, next);
    }
    frontier->destroy();
    next->destroy();
  }

 private:
  // Claims all neighbours of a vertex of the frontier.
  static void expand(GlobalAddress<SearchGraph> g, GlobalAddress<Queue> next, VertexID parent) {
    Grappa::forall<Grappa::async>(Grappa::adj(g, parent), [next, parent](Edge& e) {
      if (!asks_first(e.id)) return;
      const VertexID id = e.id;
      Grappa::delegate::call<Grappa::async>(e.ga, [next, parent, id](Vertex& neighbour) {
        if (neighbour->parent >= 0) return;
        neighbour->parent = parent;
        next->push<Grappa::async>(id);
      });
    });
  }

  const Grappa::Combining mode_;
};

}  // namespace

std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode) {
  return std::unique_ptr<Search>(new QueueSearch(g, mode));
}

}  // namespace bfs
