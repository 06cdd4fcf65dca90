/// The simplest form of the search (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2).
///
/// The frontier is a GlobalQueue, with one task for each vertex, which sends a claim to each of its
/// neighbours. The first vertex that claims a neighbour becomes its parent, and the neighbour is
/// pushed to the queue of the next level. When all claims are processed, the two queues are
/// swapped. The search ends when a level claims no vertex.
///
/// direction_search also takes bottom-up steps (bottom_up.hpp). If the direction changes, the
/// frontier moves from the queue to the bitmaps or back.

#include "apps/bfs/bottom_up.hpp"
#include "apps/common/charge.hpp"
#include "structures/global_queue.hpp"

namespace bfs {
namespace {

typedef SearchGraph::Vertex Vertex;
typedef SearchGraph::Edge Edge;
typedef Grappa::GlobalQueue<VertexID> Queue;

// The state of the search on this core.
struct State {
  GlobalAddress<SearchGraph> g;
  GlobalAddress<Queue> frontier;      // the frontier of the current top-down step
  GlobalAddress<Queue> next;          // the vertices claimed in this step or the last step
  GlobalAddress<BottomUp> bottom_up;  // null if all steps are top-down
  Found found;                        // found by this core in the current step
} state;

// One bit for each vertex. If the bit is set, this core has sent a claim, and sends no other claim.
std::vector<uint64_t> asked;

constexpr double kEntryNs = 5, kClaimNs = 55;

// Asks a vertex to accept `parent` as its parent.
void claim(GlobalAddress<Vertex> vertex, VertexID id, VertexID parent) {
  Grappa::delegate::call<Grappa::async>(vertex, [id, parent](Vertex& v) {
    apps::charge(1, kClaimNs);
    if (v->parent >= 0) return;
    v->parent = parent;
    state.found = sum(state.found, Found{1, v.nadj, 0});
    if (state.bottom_up) state.bottom_up->visit(state.g->csr().layout().place(id));
    state.next->push<Grappa::async>(id);
  });
}

void step_down() {
  Grappa::call_on_all_cores([] {
    std::swap(state.frontier, state.next);
    state.found = Found{0, 0, 0};
  });
  Grappa::forall(state.frontier, [](VertexID& v) {
    const VertexID parent = v;
    Grappa::forall<Grappa::async>(Grappa::adj(state.g, parent), [parent](Edge& e) {
      apps::charge(1, kEntryNs);
      if (apps::set_bit(asked.data(), uint64_t(e.id))) claim(e.ga, e.id, parent);
    });
  });
  state.frontier->clear();
}

void step_up() {
  Grappa::on_all_cores([] {
    Vertex* const first = state.g->vs.localize();
    const auto set_parent = [first](int64_t place, uint64_t parent) {
      first[place]->parent = state.g->csr().layout().id_of_slot(parent);
    };
    state.found = state.g->csr().slot_bytes() == sizeof(uint32_t)
                      ? state.bottom_up->step<uint32_t>(set_parent)
                      : state.bottom_up->step<uint64_t>(set_parent);
  });
}

void queue_to_bitmaps() {
  Grappa::on_all_cores([] { state.bottom_up->share(); });
  state.next->clear();
}

void bitmaps_to_queue() {
  Grappa::on_all_cores([] {
    state.bottom_up->for_each_found([](int64_t place) {
      state.next->push<Grappa::async>(state.g->csr().layout().id(Grappa::mycore(), place));
    });
  });
}

class QueueSearch : public Search {
 public:
  QueueSearch(GlobalAddress<SearchGraph> g, Grappa::Combining mode, const DirectionOptions& options)
      : options_(options), start_() {
    start_.g = g;
    start_.frontier = Queue::create(g->nv, mode);
    start_.next = Queue::create(g->nv, mode);
    if (options.alpha > 0) start_.bottom_up = BottomUp::create(g->lists(), 1);
  }
  ~QueueSearch() {
    if (start_.bottom_up) BottomUp::destroy(start_.bottom_up);
    start_.next->destroy();
    start_.frontier->destroy();
  }

  Levels run(VertexID root) override {
    const State start = start_;
    Grappa::on_all_cores([start, root] {
      state = start;
      asked.assign(static_cast<size_t>(state.g->nv) / 64 + 1, 0);
      const auto at = state.g->csr().layout().locate(root);
      if (state.bottom_up) state.bottom_up->reset(at.core == Grappa::mycore() ? at.place : -1);
    });
    Grappa::forall(start.g, [](Vertex& v) { v->parent = -1; });
    Grappa::finish([start, root] { claim(start.g->vs + root, root, root); });
    DirectionRule rule(options_, start.g->nv, start.g->nadj);
    for (Found all; (all = Grappa::reduce<Found, sum>(&state.found)).vertices != 0;) {
      const bool was_bottom_up = rule.bottom_up();
      rule.advance(all.vertices, all.entries);
      if (rule.bottom_up() && !was_bottom_up) queue_to_bitmaps();
      if (!rule.bottom_up() && was_bottom_up) bitmaps_to_queue();
      rule.bottom_up() ? step_up() : step_down();
    }
    return rule.levels();
  }

  void copy_parents(GlobalAddress<VertexID> parent) override {
    Grappa::forall(start_.g, [parent](VertexID id, Vertex& v) {
      Grappa::delegate::write<Grappa::async>(parent + id, v->parent);
    });
  }

 private:
  const DirectionOptions options_;
  State start_;  // the state at the start of each search
};

}  // namespace

std::unique_ptr<Search> queue_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode) {
  return direction_search(g, mode, DirectionOptions{0, 1});  // all steps are top-down
}

std::unique_ptr<Search> direction_search(GlobalAddress<SearchGraph> g, Grappa::Combining mode,
                                         const DirectionOptions& options) {
  return std::unique_ptr<Search>(new QueueSearch(g, mode, options));
}

}  // namespace bfs
