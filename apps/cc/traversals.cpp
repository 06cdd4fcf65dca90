#include "apps/cc/traversals.hpp"

#include "system/base/compiler.hpp"

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
  std::vector<uint64_t> asked;        // a bit for each slot: a claim has been sent there
  std::vector<Section> sections;
  int64_t started = 0;  // traversals of this round

  Vertex& own_vertex(int64_t place) const {
    return first_vertex[static_cast<size_t>(Grappa::mycore())][place];
  }
  GlobalAddress<Vertex> vertex(uint64_t slot) const {
    const Grappa::Core core = lists->layout().core_of_slot(slot);
    return Grappa::make_global(first_vertex[static_cast<size_t>(core)] + place(slot), core);
  }
  int64_t place(const Vertex& v) const { return &v - &own_vertex(0); }
  int64_t place(uint64_t slot) const { return lists->layout().place_of_slot(slot); }
  // True the first time.
  bool ask(uint64_t slot) {
    uint64_t& word = asked[slot / 64];
    const uint64_t bit = uint64_t{1} << (slot % 64);
    if ((word & bit) != 0) return false;
    word |= bit;
    return true;
  }
} phase;

void expand(Vertex& v);

// A traversal comes to a neighbour of what it has claimed.
struct Claim {
  VertexID root;
  void operator()(Vertex& v) const {
    if (v->label != kNoLabel) return;
    v->label = root;
    expand(v);
  }
};

// Goes on from a vertex of this core that has been claimed.
void expand(Vertex& v) {
  const Claim claim = {v->label};
  const int64_t first = phase.lists->first(phase.place(v));
  Grappa::forall<Grappa::async>(Grappa::adj(phase.g, v), [claim, first](int64_t i) {
    const uint64_t slot = phase.lists->slot(first + i);
    if (phase.ask(slot)) Grappa::delegate::call<Grappa::async>(phase.vertex(slot), claim);
  });
}

// The other end of an edge whose one end has that root.
struct Compare {
  VertexID root;
  void operator()(Vertex& v) const {
    if (v->label != root) phase.on_meeting(RootPair::of(v->label, root));
  }
};

// Neighbours that lie on this core lie anywhere there: so they are fetched some entries before.
constexpr int64_t kAhead = 16;

// Looks at the edges of vertices of this core. Of the two ends of an edge that with the larger
// place is in charge: in lists that are in the order of ids its neighbours come first, so that the
// processor guesses right.
template <class Slot>
class Comparison {
 public:
  Comparison()
      : lists_(*phase.lists),
        slots_(lists_.slots<Slot>()),
        last_(lists_.entries() - 1),
        log_places_(lists_.layout().log_places()),
        here_(static_cast<uint64_t>(Grappa::mycore())),
        own_(&phase.own_vertex(0)) {}

  void operator()(int64_t place) const {
    const uint64_t rank = rank_of(lists_.layout().slot(Grappa::mycore(), place));
    const Compare compare = {own_[place]->label};
    const int64_t end = lists_.first(place + 1);
    for (int64_t entry = lists_.first(place); entry < end; ++entry) {
      const uint64_t slot = slots_[entry];
      if (rank_of(slot) > rank) continue;
      GRAPPA_PREFETCH(own_ + place_of(slots_[std::min(entry + kAhead, last_)]));
      if (slot >> log_places_ == here_) {
        compare(own_[place_of(slot)]);
      } else {
        Grappa::delegate::call<Grappa::async>(phase.vertex(slot), compare);
      }
    }
  }

 private:
  uint64_t place_of(uint64_t slot) const { return slot & ((uint64_t{1} << log_places_) - 1); }
  uint64_t rank_of(uint64_t slot) const { return place_of(slot) << 16 | slot >> log_places_; }

  const Grappa::Csr& lists_;
  const Slot* const slots_;
  const int64_t last_;  // entry of this core
  const int log_places_;
  const uint64_t here_;
  Vertex* const own_;
};

template <class Slot>
void compare_all() {
  const Comparison<Slot> comparison;
  Grappa::forall_here(0, phase.lists->vertices(), comparison);
}

void begin(GlobalAddress<LabelGraph> g, OnMeeting on_meeting, int64_t roots) {
  phase.g = g;
  phase.lists = &g->csr();
  phase.on_meeting = on_meeting;
  for (Grappa::Core core = 0; core < Grappa::cores(); ++core) {
    phase.first_vertex.push_back(g->vs.localize(core));
  }
  phase.asked.assign(static_cast<size_t>(phase.lists->layout().slots() / 64), 0);
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
  // Before the first claim comes, and after the last meeting.
  Grappa::call_on_all_cores([g, on_meeting, roots] { begin(g, on_meeting, roots); });
  int64_t started;
  do {
    Grappa::on_all_cores([] { start_round(); });  // returns when all traversals have ended
    started = Grappa::sum_all_cores([] { return phase.started; });
  } while (started > 0);
  const bool narrow = g->csr().slot_bytes() == sizeof(uint32_t);
  Grappa::on_all_cores(narrow ? &compare_all<uint32_t> : &compare_all<uint64_t>);
  Grappa::call_on_all_cores([] { phase = Phase(); });
}

}  // namespace cc
