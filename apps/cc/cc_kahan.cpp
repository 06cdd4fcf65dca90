/// Connected components in three phases (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2; the algorithm is S. Kahan's: J. Berry et al., "Software and
/// Algorithms for Graph Queries on Multithreaded Architectures", MTAAP 2007):
///   1. Parallel traversals start at unclaimed vertices, and label each vertex that they claim with
///      their root. If two traversals meet, the edge between their roots is inserted into a set.
///   2. The algorithm of Shiloach and Vishkin finds the components of the reduced graph, which
///      consists of these edges (shiloach_vishkin.cpp).
///   3. Each vertex takes the final label of its root.
///
/// The number of traversals in flight is limited: traversals start in rounds, and a round starts
/// after all traversals of the previous round have finished. Each core divides its vertices into as
/// many sections as it may start traversals in a round, and starts one traversal at the next
/// unclaimed vertex of each section. The start vertices of one round are therefore far apart. With
/// few traversals, most cross edges join the same roots; with many, a graph of large diameter
/// finishes sooner.
///
/// A core claims each neighbour of its vertices only once. A traversal therefore does not see all
/// cross edges; these are collected after all vertices are claimed (cross_edges.cpp).
///
/// The set dominates the cost: at the border of two traversals each edge is inserted repeatedly. In
/// the plain form, the set is a GlobalSet with synchronous inserts, and flat combining removes
/// duplicates in the proxy of each core. In the tuned form, each core builds its own set, and the
/// sets are merged once, at the end of phase 1.

#include "apps/cc/components.hpp"
#include "apps/cc/reduced_graph.hpp"
#include "structures/counters.hpp"
#include "structures/global_set.hpp"
#include "system/base/compiler.hpp"

#include <algorithm>
#include <cstddef>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
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

// Phase 1: labels each vertex of `g` with the root that has claimed the vertex (a root with
// itself), and calls `on_meeting` once for each edge between different roots. Messages: for each
// vertex of another core, each core sends at most one of 16 bytes, and the label of this vertex
// takes 2 more. Each round takes 2 for each core. Memory: on each core 3 bits for each slot, and
// one label for each neighbour of its vertices.
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

typedef Grappa::GlobalSet<RootPair, RootPairHash> PairSet;

// The set that each core builds in the tuned form.
class OwnPairs {
 public:
  void insert(const RootPair& pair) {
    RootPair& last = last_[RootPairHash()(pair) % kPlaces];
    if (last == pair) return;
    last = pair;
    pairs_.insert(pair);
  }
  const tsl::robin_set<RootPair, RootPairHash>& pairs() const { return pairs_; }

 private:
  static constexpr size_t kPlaces = 4096;

  // The most recent pair for each hash value. Most inserts hit this array in the processor cache.
  std::vector<RootPair> last_ = std::vector<RootPair>(kPlaces, RootPair{kNoLabel, kNoLabel});
  tsl::robin_set<RootPair, RootPairHash> pairs_;
};

// State of phase 1 on this core.
struct CrossEdges {
  GlobalAddress<PairSet> set;
  OwnPairs own;  // only in the tuned form
  int64_t inserts = 0;
  uint64_t merged_before = 0;  // structure counters at the start of the run
  uint64_t known_before = 0;
} cross_edges;

void begin_cross_edges(GlobalAddress<PairSet> set) {
  cross_edges = CrossEdges();
  cross_edges.set = set;
  cross_edges.merged_before = Grappa::detail::structure_counters::duplicates.value();
  cross_edges.known_before = Grappa::detail::structure_counters::known.value();
}

void insert_in_global_set(const RootPair& pair) {
  ++cross_edges.inserts;
  cross_edges.set->insert(pair);
}

void insert_in_own_set(const RootPair& pair) {
  ++cross_edges.inserts;
  cross_edges.own.insert(pair);
}

// Phase 1. In the plain form, inserts are synchronous: a task waits until the pair is in the set.
void find_cross_edges(GlobalAddress<LabelGraph> g, int64_t concurrent_roots, bool tuned) {
  traverse_all(g, concurrent_roots, tuned ? &insert_in_own_set : &insert_in_global_set);
  Grappa::on_all_cores([] {
    Grappa::finish([] {
      for (const RootPair& pair : cross_edges.own.pairs())
        cross_edges.set->insert<Grappa::async>(pair);
    });
  });
}

MeetingCounts count_cross_edges(bool tuned) {
  MeetingCounts counts = {};
  counts.inserts = Grappa::sum_all_cores([] { return cross_edges.inserts; });
  counts.merged = Grappa::sum_all_cores([tuned] {
    if (tuned) return cross_edges.inserts - static_cast<int64_t>(cross_edges.own.pairs().size());
    const uint64_t merged = Grappa::detail::structure_counters::duplicates.value();
    return static_cast<int64_t>(merged - cross_edges.merged_before);
  });
  counts.known = Grappa::sum_all_cores([tuned] {
    const uint64_t known = Grappa::detail::structure_counters::known.value();
    return tuned ? 0 : static_cast<int64_t>(known - cross_edges.known_before);
  });
  return counts;
}

// Copies the keys of the set to the reduced graph, each key on the core that owns it.
void take_edges(GlobalAddress<PairSet> set, GlobalAddress<ReducedGraph> reduced) {
  Grappa::call_on_all_cores([reduced] { reduced->edges.clear(); });
  set->forall_keys([reduced](const RootPair& pair) { reduced->edges.push_back(pair); });
}

struct RootHash {
  size_t operator()(VertexID root) const { return RootPairHash()(RootPair{root, root}); }
};

// Phase 3: final labels of the roots that this core has requested.
tsl::robin_map<VertexID, VertexID, RootHash> final_labels;

VertexID final_label(GlobalAddress<LabelGraph> g, VertexID root) {
  const auto known = final_labels.find(root);
  if (known != final_labels.end()) return known->second;
  const VertexID label =
      Grappa::delegate::call(g->vs + root, [](Vertex& its_root) { return its_root->label; });
  final_labels.insert({root, label});
  return label;
}

// Phase 3. Phase 2 has set the final label of each root, so the labels of roots are constant here.
void propagate_labels(GlobalAddress<LabelGraph> g) {
  Grappa::forall(g, [g](Vertex& v) {
    if (v.nadj != 0) v->label = final_label(g, v->label);
  });
  Grappa::call_on_all_cores([] { final_labels.clear(); });
}

class KahanComponents : public Components {
 public:
  KahanComponents(GlobalAddress<LabelGraph> g, Grappa::Combining mode, int64_t concurrent_roots,
                  bool tuned)
      : g_(g),
        mode_(mode),
        concurrent_roots_(concurrent_roots),
        tuned_(tuned),
        reduced_(Grappa::symmetric<ReducedGraph>()) {}
  ~KahanComponents() { Grappa::global_free(reduced_); }

  void run() override {
    const GlobalAddress<PairSet> set = PairSet::create(0, mode_);
    Grappa::call_on_all_cores([set] { begin_cross_edges(set); });
    find_cross_edges(g_, concurrent_roots_, tuned_);
    counts_ = count_cross_edges(tuned_);
    counts_.edges = set->size();
    take_edges(set, reduced_);
    counts_.rounds = shiloach_vishkin(g_, reduced_);
    propagate_labels(g_);
    Grappa::call_on_all_cores([] { cross_edges = CrossEdges(); });
    set->destroy();
  }

  void copy_labels(GlobalAddress<VertexID> label) override { cc::copy_labels(g_, label); }
  MeetingCounts meeting_counts() const override { return counts_; }

 private:
  const GlobalAddress<LabelGraph> g_;
  const Grappa::Combining mode_;
  const int64_t concurrent_roots_;
  const bool tuned_;
  const GlobalAddress<ReducedGraph> reduced_;
  MeetingCounts counts_ = {};
};

}  // namespace

std::unique_ptr<Components> kahan_components(GlobalAddress<LabelGraph> g, Grappa::Combining mode,
                                             int64_t concurrent_roots) {
  return std::unique_ptr<Components>(new KahanComponents(g, mode, concurrent_roots, false));
}

std::unique_ptr<Components> tuned_components(GlobalAddress<LabelGraph> g,
                                             int64_t concurrent_roots) {
  return std::unique_ptr<Components>(
      new KahanComponents(g, Grappa::Combining::Distributed, concurrent_roots, true));
}

}  // namespace cc
