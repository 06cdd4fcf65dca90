#include "apps/bfs/bfs_queue.hpp"

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

void search(GlobalAddress<SearchGraph> g, VertexID root, Grappa::Combining mode) {
  GlobalAddress<Queue> frontier = Queue::create(g->nv, mode);
  GlobalAddress<Queue> next = Queue::create(g->nv, mode);
  Grappa::on_all_cores([g] { asked.assign(static_cast<size_t>(g->nv) / 64 + 1, 0); });
  Grappa::forall(g, [](Vertex& v) { v->parent = -1; });
  Grappa::delegate::call(g->vs + root, [root, frontier](Vertex& v) {
    v->parent = root;
    frontier->push(root);
  });
  while (!frontier->empty()) {
    Grappa::forall(frontier, [g, next](VertexID& v) {
      const VertexID parent = v;
      Grappa::forall<Grappa::async>(Grappa::adj(g, v), [next, parent](Edge& e) {
        if (!asks_first(e.id)) return;
        const VertexID id = e.id;
        Grappa::delegate::call<Grappa::async>(e.ga, [next, parent, id](Vertex& neighbour) {
          if (neighbour->parent >= 0) return;
          neighbour->parent = parent;
          next->push<Grappa::async>(id);
        });
      });
    });
    frontier->clear();
    std::swap(frontier, next);
  }
  frontier->destroy();
  next->destroy();
}

class QueueSearch : public Search {
 public:
  QueueSearch(GlobalAddress<SearchGraph> g, Grappa::Combining mode) : g_(g), mode_(mode) {}

  void run(VertexID root) override { search(g_, root, mode_); }
  void copy_parents(GlobalAddress<VertexID> parent) override { bfs::copy_parents(g_, parent); }

 private:
  const GlobalAddress<SearchGraph> g_;
  const Grappa::Combining mode_;
};

}  // namespace

std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode) {
  return std::unique_ptr<Search>(new QueueSearch(g, mode));
}

}  // namespace bfs
