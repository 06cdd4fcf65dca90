#include "apps/cc/traversals.hpp"

#include <algorithm>
#include <vector>

namespace cc {
namespace {

// Vertices of this core at whose next unclaimed one a traversal of the round starts.
struct Section {
  int64_t next;  // place
  int64_t end;
};

// What this core has of the phase.
struct Phase {
  GlobalAddress<LabelGraph> g;
  const Grappa::Csr* lists = nullptr;
  OnMeeting on_meeting = nullptr;
  std::vector<Vertex*> first_vertex;  // of each core, where its vertices lie there
  std::vector<uint64_t> visited;      // a bit for each slot: by vertices of this core
  std::vector<Section> sections;
  int64_t started = 0;  // traversals of this round

  Vertex& own_vertex(int64_t place) const {
    return first_vertex[static_cast<size_t>(Grappa::mycore())][place];
  }
  GlobalAddress<Vertex> vertex(uint64_t slot) const {
    const Grappa::Core core = lists->layout().core_of_slot(slot);
    const int64_t place = lists->layout().place_of_slot(slot);
    return Grappa::make_global(first_vertex[static_cast<size_t>(core)] + place, core);
  }
  // False the first time.
  bool visit(uint64_t slot) {
    uint64_t& word = visited[slot / 64];
    const uint64_t bit = uint64_t{1} << (slot % 64);
    const bool before = (word & bit) != 0;
    word |= bit;
    return before;
  }
} phase;

void expand(Vertex& v);

// A traversal comes to a neighbour of what it has claimed.
struct Visit {
  VertexID root;

  void operator()(Vertex& v) const {
    if (v->label == root) return;
    if (v->label != kNoLabel) return phase.on_meeting(RootPair::of(v->label, root));
    v->label = root;
    expand(v);
  }
};

// Sends visits from a vertex of this core that has been claimed.
void expand(Vertex& v) {
  const int64_t place = &v - phase.first_vertex[static_cast<size_t>(Grappa::mycore())];
  const uint64_t own = phase.lists->layout().slot(Grappa::mycore(), place);
  const int64_t first = phase.lists->first(place);
  const Visit visit = {v->label};
  Grappa::forall<Grappa::async>(Grappa::adj(phase.g, v), [own, first, visit](int64_t i) {
    const uint64_t slot = phase.lists->slot(first + i);
    if (phase.visit(slot) && slot > own) return;
    Grappa::delegate::call<Grappa::async>(phase.vertex(slot), visit);
  });
}

void begin(GlobalAddress<LabelGraph> g, OnMeeting on_meeting, int64_t roots) {
  phase.g = g;
  phase.lists = &g->csr();
  phase.on_meeting = on_meeting;
  for (Grappa::Core core = 0; core < Grappa::cores(); ++core) {
    phase.first_vertex.push_back(g->vs.localize(core));
  }
  phase.visited.assign(static_cast<size_t>(phase.lists->layout().slots() / 64), 0);
  const int64_t n = phase.lists->vertices();
  for (int64_t i = 0; i < roots; ++i) {
    phase.sections.push_back(Section{n * i / roots, n * (i + 1) / roots});
  }
}

// Starts a traversal in each section that has an unclaimed vertex left.
void start_round() {
  phase.started = 0;
  for (Section& section : phase.sections) {
    while (section.next < section.end && phase.own_vertex(section.next)->label != kNoLabel) {
      ++section.next;
    }
    if (section.next == section.end) continue;
    Vertex& root = phase.own_vertex(section.next);
    root->label = phase.g->id(root);
    expand(root);
    ++phase.started;
  }
}

}  // namespace

void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, OnMeeting on_meeting) {
  const int64_t roots = std::max<int64_t>(1, concurrent_roots / Grappa::cores());
  // A vertex without neighbours meets nobody.
  Grappa::forall(g, [](VertexID id, Vertex& v) { v->label = v.nadj == 0 ? id : kNoLabel; });
  // Before the first visit comes, and after the last.
  Grappa::call_on_all_cores([g, on_meeting, roots] { begin(g, on_meeting, roots); });
  int64_t started;
  do {
    Grappa::on_all_cores([] { start_round(); });  // returns when all traversals have ended
    started = Grappa::sum_all_cores([] { return phase.started; });
  } while (started > 0);
  Grappa::call_on_all_cores([] { phase = Phase(); });
}

}  // namespace cc
