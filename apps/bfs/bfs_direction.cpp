/// The direction-optimising search of S. Beamer, K. Asanovic, D. Patterson, "Direction-Optimizing
/// Breadth-First Search", SC 2012.
///
/// In top-down steps the frontier is a GlobalQueue, as in bfs_queue.cpp. In bottom-up steps the
/// frontier is a bitmap on each core (bottom_up.hpp). After each step, the sums over all cores
/// determine the direction of the next step (direction_rule.hpp). If the direction changes, the
/// frontier moves from the queue to the bitmaps or back.

#include "apps/bfs/bottom_up.hpp"
#include "apps/bfs/search.hpp"
#include "structures/global_queue.hpp"

#include <utility>

namespace bfs {
namespace {

typedef SearchGraph::Vertex Vertex;
typedef SearchGraph::Edge Edge;
typedef Grappa::GlobalQueue<VertexID> Queue;

// Vertices and list entries that this core finds in the current step.
Found found;

// A delegate that asks the neighbour to accept `parent` as its parent.
struct Claim {
  GlobalAddress<SearchGraph> g;
  GlobalAddress<Queue> next;
  GlobalAddress<BottomUp> bottom_up;
  VertexID parent;
  VertexID id;

  void operator()(Vertex& neighbour) const {
    if (neighbour->parent >= 0) return;
    neighbour->parent = parent;
    bottom_up->visit(g->csr().layout().place(id));
    found.vertices += 1;
    found.entries += neighbour.nadj;
    next->push<Grappa::async>(id);
  }
};

// Stores the parents that bottom-up steps find.
struct SetParent {
  SearchGraph* g;
  Vertex* first;  // the vertices of this core
  void operator()(int64_t place, uint64_t parent) const {
    first[place]->parent = g->csr().layout().id_of_slot(parent);
  }
};

class DirectionSearch : public Search {
 public:
  DirectionSearch(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                  const DirectionOptions& options)
      : Search(g),
        options_(options),
        frontier_(Queue::create(g->nv, mode)),
        next_(Queue::create(g->nv, mode)),
        bottom_up_(BottomUp::create(g->lists())) {}
  ~DirectionSearch() {
    BottomUp::destroy(bottom_up_);
    next_->destroy();
    frontier_->destroy();
  }

  void run(VertexID root) override {
    const GlobalAddress<BottomUp> bottom_up = bottom_up_;
    Grappa::on_all_cores([bottom_up] { bottom_up->reset(); });
    Grappa::forall(g_, [](Vertex& v) { v->parent = -1; });
    Found all = begin(root);
    for (DirectionRule rule(options_, g_->nv, g_->nadj); all.vertices != 0;) {
      const bool was_bottom_up = rule.bottom_up();
      rule.advance(all.vertices, all.entries);
      if (rule.bottom_up() && !was_bottom_up) queue_to_bitmaps();
      if (!rule.bottom_up() && was_bottom_up) bitmaps_to_queue();
      all = rule.bottom_up() ? step_up() : step_down();
    }
    frontier_->clear();
  }

 private:
  Found begin(VertexID root) {
    const GlobalAddress<SearchGraph> g = g_;
    const GlobalAddress<Queue> frontier = frontier_;
    const GlobalAddress<BottomUp> bottom_up = bottom_up_;
    const int64_t entries =
        Grappa::delegate::call(g_->vs + root, [g, root, frontier, bottom_up](Vertex& v) {
          v->parent = root;
          bottom_up->visit(g->csr().layout().place(root));
          frontier->push(root);
          return int64_t{v.nadj};
        });
    return Found{1, entries};
  }

  Found step_down() {
    const GlobalAddress<SearchGraph> g = g_;
    const GlobalAddress<Queue> next = next_;
    const GlobalAddress<BottomUp> bottom_up = bottom_up_;
    Grappa::call_on_all_cores([] { found = Found{0, 0}; });
    Grappa::forall(frontier_, [g, next, bottom_up](VertexID& v) {
      const VertexID parent = v;
      Grappa::forall<Grappa::async>(Grappa::adj(g, v), [g, next, bottom_up, parent](Edge& e) {
        const Claim claim = {g, next, bottom_up, parent, e.id};
        Grappa::delegate::call<Grappa::async>(e.ga, claim);
      });
    });
    frontier_->clear();
    std::swap(frontier_, next_);
    return Grappa::reduce<Found, sum>(&found);
  }

  Found step_up() {
    const GlobalAddress<SearchGraph> g = g_;
    const GlobalAddress<BottomUp> bottom_up = bottom_up_;
    Grappa::on_all_cores([g, bottom_up] {
      const SetParent claim = {g.pointer(), g->vs.localize()};
      found = g->csr().slot_bytes() == sizeof(uint32_t) ? bottom_up->step<uint32_t>(claim)
                                                        : bottom_up->step<uint64_t>(claim);
      bottom_up->share();
    });
    return Grappa::reduce<Found, sum>(&found);
  }

  void queue_to_bitmaps() {
    const GlobalAddress<SearchGraph> g = g_;
    const GlobalAddress<BottomUp> bottom_up = bottom_up_;
    Grappa::on_all_cores([bottom_up] { bottom_up->clear_own(); });
    Grappa::forall(frontier_, [g, bottom_up](VertexID& v) {
      const int64_t place = g->csr().layout().place(v);
      Grappa::delegate::call<Grappa::async>(g->csr().layout().core(v),
                                            [bottom_up, place] { bottom_up->add_own(place); });
    });
    Grappa::on_all_cores([bottom_up] { bottom_up->share(); });
    frontier_->clear();
  }

  void bitmaps_to_queue() {
    const GlobalAddress<SearchGraph> g = g_;
    const GlobalAddress<Queue> frontier = frontier_;
    const GlobalAddress<BottomUp> bottom_up = bottom_up_;
    Grappa::on_all_cores([g, frontier, bottom_up] {
      bottom_up->for_each_own([g, frontier](int64_t place) {
        frontier->push<Grappa::async>(g->csr().layout().id(Grappa::mycore(), place));
      });
    });
  }

  const DirectionOptions options_;
  GlobalAddress<Queue> frontier_;
  GlobalAddress<Queue> next_;
  const GlobalAddress<BottomUp> bottom_up_;
};

}  // namespace

std::unique_ptr<Search> direction_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                                         const DirectionOptions& options) {
  return std::unique_ptr<Search>(new DirectionSearch(g, mode, options));
}

}  // namespace bfs
