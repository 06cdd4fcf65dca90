#include "apps/cc/traversals.hpp"

#include "system/base/compiler.hpp"

#include <algorithm>
#include <vector>

namespace cc {
namespace {

// Part of the vertices of this core. A round starts one traversal at its first unclaimed vertex.
struct Section {
  int64_t next;  // local index
  int64_t end;
};

// A vertex of this core, and the root of a traversal that has reached the vertex.
struct Visit {
  int64_t place;
  VertexID root;
};

// State of the phase on this core.
struct Phase {
  GlobalAddress<LabelGraph> g;
  const Grappa::detail::Csr* lists = nullptr;
  std::vector<Vertex*> first_vertex;   // address of the first vertex of each core
  std::vector<uint64_t> asked;         // one bit for each slot: this core has sent a claim
  std::vector<Visit> own_visits;       // claims of this core's vertices that are still to be made
  std::vector<Visit> claimed;          // claimed vertices that a task of this core will expand
  void (*expand_claimed)() = nullptr;  // that task
  std::vector<Section> sections;
  int64_t started = 0;  // traversals started in this round

  Vertex& own_vertex(int64_t place) const {
    return first_vertex[static_cast<size_t>(Grappa::mycore())][place];
  }
  GlobalAddress<Vertex> vertex(uint64_t slot) const {
    const Grappa::Core core = lists->layout().core_of_slot(slot);
    return Grappa::make_global(first_vertex[static_cast<size_t>(core)] + place(slot), core);
  }
  int64_t place(const Vertex& v) const { return &v - &own_vertex(0); }
  int64_t place(uint64_t slot) const { return lists->layout().place_of_slot(slot); }
} phase;

// Assigns a vertex of this core to the traversal from `root`, unless another traversal has claimed
// the vertex. One task of the core expands all claimed vertices.
void claim(Vertex& v, VertexID root) {
  if (v->label != kNoLabel) return;
  v->label = root;
  phase.claimed.push_back(Visit{phase.place(v), root});
  if (phase.claimed.size() == 1) Grappa::spawn(phase.expand_claimed);
}

// A traversal claims a neighbour of a vertex that it has claimed.
struct Claim {
  VertexID root;
  void operator()(Vertex& v) const { claim(v, root); }
};

// Vertices are scattered in memory. Vertices of this core are prefetched, and claimed in batches of
// this size.
constexpr size_t kOwnVisits = 32;

void claim_visited() {
  for (const Visit& visit : phase.own_visits) claim(phase.own_vertex(visit.place), visit.root);
  phase.own_visits.clear();
}

void visit_own(const Visit& visit) {
  GRAPPA_PREFETCH(&phase.own_vertex(visit.place));
  phase.own_visits.push_back(visit);
  if (phase.own_visits.size() == kOwnVisits) claim_visited();
}

// Sends claims to the neighbours of a claimed vertex of this core.
template <class Slot>
void expand(const Visit& from) {
  const Grappa::detail::VertexLayout& layout = phase.lists->layout();
  uint64_t* const asked = phase.asked.data();
  const Slot* const end = phase.lists->slots<Slot>() + phase.lists->first(from.place + 1);
  for (const Slot* each = phase.lists->slots<Slot>() + phase.lists->first(from.place); each != end;
       ++each) {
    const uint64_t slot = *each;
    uint64_t& word = asked[slot / 64];
    const uint64_t bit = uint64_t{1} << (slot % 64);
    if ((word & bit) != 0) continue;
    word |= bit;
    if (layout.core_of_slot(slot) == Grappa::mycore()) {
      visit_own(Visit{layout.place_of_slot(slot), from.root});
    } else {
      Grappa::delegate::call<Grappa::async>(phase.vertex(slot), Claim{from.root});
    }
  }
}

// Lists are scattered in memory: prefetch the index of a later list, then its first entry.
constexpr size_t kListsAhead = 8;

template <class Slot>
void expand_claimed() {
  const uint64_t* const firsts = phase.lists->firsts();
  const Slot* const slots = phase.lists->slots<Slot>();
  const std::vector<Visit>& claimed = phase.claimed;
  for (size_t i = 0; i < claimed.size(); ++i) {  // claimed grows during the loop
    if (i + 2 * kListsAhead < claimed.size()) {
      __builtin_prefetch(firsts + claimed[i + 2 * kListsAhead].place);
    }
    if (i + kListsAhead < claimed.size()) {
      __builtin_prefetch(slots + firsts[claimed[i + kListsAhead].place]);
    }
    const Visit from = claimed[i];
    expand<Slot>(from);
    if (i + 1 == claimed.size()) claim_visited();
  }
  phase.claimed.clear();
}

void begin(GlobalAddress<LabelGraph> g, int64_t roots) {
  phase.g = g;
  phase.lists = &g->csr();
  const bool narrow = phase.lists->slot_bytes() == sizeof(uint32_t);
  phase.expand_claimed = narrow ? &expand_claimed<uint32_t> : &expand_claimed<uint64_t>;
  for (Grappa::Core core = 0; core < Grappa::cores(); ++core) {
    phase.first_vertex.push_back(g->vs.localize(core));
  }
  phase.asked.assign(static_cast<size_t>(phase.lists->layout().slots() / 64), 0);
  const int64_t n = phase.lists->vertices();
  for (int64_t i = 0; i < roots; ++i) {
    phase.sections.push_back(Section{n * i / roots, n * (i + 1) / roots});
  }
}

// Starts a traversal in each section that has an unclaimed vertex.
void start_round() {
  phase.started = 0;
  for (Section& section : phase.sections) {
    while (section.next < section.end && phase.own_vertex(section.next)->label != kNoLabel) {
      ++section.next;
    }
    if (section.next == section.end) continue;
    Vertex& root = phase.own_vertex(section.next);
    claim(root, phase.g->id(root));
    ++phase.started;
  }
}

}  // namespace

void traverse_all(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, OnMeeting on_meeting) {
  const int64_t roots = std::max<int64_t>(1, concurrent_roots / Grappa::cores());
  // A vertex without neighbours is its own component.
  Grappa::forall(g, [](VertexID id, Vertex& v) { v->label = v.nadj == 0 ? id : kNoLabel; });
  Grappa::call_on_all_cores([g, roots] { begin(g, roots); });  // before the first claim comes
  int64_t started;
  do {
    Grappa::on_all_cores([] { start_round(); });  // returns when all traversals have finished
    started = Grappa::sum_all_cores([] { return phase.started; });
  } while (started > 0);
  Grappa::on_all_cores([on_meeting] { report_cross_edges(phase.g, phase.asked, on_meeting); });
  Grappa::call_on_all_cores([] { phase = Phase(); });
}

}  // namespace cc
