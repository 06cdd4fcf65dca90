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

#include "apps/cc/reduced_graph.hpp"
#include "apps/common/bitmap.hpp"
#include "structures/counters.hpp"
#include "structures/global_set.hpp"

#include <algorithm>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

namespace cc {
namespace {

namespace counters = Grappa::detail::structure_counters;

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

// State of phase 1 on this core.
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
} phase;

// Assigns a vertex of this core to the traversal from `root`, unless another traversal has claimed
// the vertex. One task of the core expands all claimed vertices.
void claim(Vertex& v, VertexID root) {
  if (v->label != kNoLabel) return;
  v->label = root;
  phase.claimed.push_back(Visit{&v - &phase.own_vertex(0), root});
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

// Sends claims to the neighbours of a claimed vertex of this core.
template <class Slot>
void expand(const Visit& from) {
  const Grappa::detail::VertexLayout& layout = phase.lists->layout();
  uint64_t* const asked = phase.asked.data();
  for (const Slot slot : apps::list_of<Slot>(*phase.lists, from.place)) {
    if (!apps::set_bit(asked, slot)) continue;
    const Grappa::Core core = layout.core_of_slot(slot);
    const int64_t place = layout.place_of_slot(slot);
    Vertex* const v = phase.first_vertex[static_cast<size_t>(core)] + place;
    if (core != Grappa::mycore()) {
      Grappa::delegate::call<Grappa::async>(Grappa::make_global(v, core), Claim{from.root});
      continue;
    }
    GRAPPA_PREFETCH(v);
    phase.own_visits.push_back(Visit{place, from.root});
    if (phase.own_visits.size() == kOwnVisits) claim_visited();
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
  do {
    Grappa::on_all_cores([] { start_round(); });  // returns when all traversals have finished
  } while (Grappa::sum_all_cores([] { return phase.started; }) > 0);
  Grappa::on_all_cores([on_meeting] { report_cross_edges(phase.g, phase.asked, on_meeting); });
  Grappa::call_on_all_cores([] { phase = Phase(); });
}

struct RootPairHash {
  size_t operator()(const RootPair& pair) const {
    // Roots are often multiples of a power of two, and hash tables use the lower bits. The upper
    // bits are therefore folded in.
    const uint64_t mixed = static_cast<uint64_t>(pair.low) * 0x9E3779B97F4A7C15u ^
                           static_cast<uint64_t>(pair.high) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<size_t>(mixed ^ mixed >> 32);
  }
};

typedef Grappa::GlobalSet<RootPair, RootPairHash> PairSet;

constexpr size_t kRecentPairs = 4096;

// The cross edges that this core has found.
struct CrossEdges {
  GlobalAddress<PairSet> set;
  int64_t inserts = 0;
  uint64_t merged_before = 0;  // structure counters at the start of the run
  uint64_t known_before = 0;
  // Only in the tuned form: the set that each core builds, and its most recent pair for each hash
  // value. Most inserts hit this array in the processor cache.
  tsl::robin_set<RootPair, RootPairHash> own;
  std::vector<RootPair> last = std::vector<RootPair>(kRecentPairs, RootPair{kNoLabel, kNoLabel});
} cross_edges;

// A task waits until the pair is in the set.
void insert_in_global_set(const RootPair& pair) {
  ++cross_edges.inserts;
  cross_edges.set->insert(pair);
}

void insert_in_own_set(const RootPair& pair) {
  ++cross_edges.inserts;
  RootPair& last = cross_edges.last[RootPairHash()(pair) % kRecentPairs];
  if (last == pair) return;
  last = pair;
  cross_edges.own.insert(pair);
}

MeetingCounts count_cross_edges(bool tuned) {
  MeetingCounts counts = {};
  counts.inserts = Grappa::sum_all_cores([] { return cross_edges.inserts; });
  counts.merged = Grappa::sum_all_cores([tuned] {
    if (tuned) return cross_edges.inserts - static_cast<int64_t>(cross_edges.own.size());
    return static_cast<int64_t>(counters::duplicates.value() - cross_edges.merged_before);
  });
  if (tuned) return counts;
  counts.known = Grappa::sum_all_cores(
      [] { return static_cast<int64_t>(counters::known.value() - cross_edges.known_before); });
  return counts;
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

class KahanComponents : public Components {
 public:
  KahanComponents(GlobalAddress<LabelGraph> g, Grappa::Combining mode, int64_t concurrent_roots,
                  bool tuned)
      : g_(g), mode_(mode), concurrent_roots_(concurrent_roots), tuned_(tuned) {}

  void run() override {
    const GlobalAddress<LabelGraph> g = g_;
    const GlobalAddress<PairSet> set = PairSet::create(0, mode_);
    Grappa::call_on_all_cores([set] {
      cross_edges = CrossEdges();
      cross_edges.set = set;
      cross_edges.merged_before = counters::duplicates.value();
      cross_edges.known_before = counters::known.value();
    });
    traverse_all(g, concurrent_roots_, tuned_ ? &insert_in_own_set : &insert_in_global_set);
    Grappa::on_all_cores([set] {
      for (const RootPair& pair : cross_edges.own) set->insert<Grappa::async>(pair);
    });
    counts_ = count_cross_edges(tuned_);
    counts_.edges = set->size();
    set->forall_keys([](const RootPair& pair) { reduced_edges.push_back(pair); });
    counts_.rounds = shiloach_vishkin(g);
    // Phase 2 has set the final label of each root, so the labels of roots are constant here.
    Grappa::forall(g, [g](Vertex& v) {
      if (v.nadj != 0) v->label = final_label(g, v->label);
    });
    Grappa::call_on_all_cores([] {
      final_labels.clear();
      cross_edges = CrossEdges();
    });
    set->destroy();
  }

  void copy_labels(GlobalAddress<VertexID> label) override { cc::copy_labels(g_, label); }
  MeetingCounts meeting_counts() const override { return counts_; }

 private:
  const GlobalAddress<LabelGraph> g_;
  const Grappa::Combining mode_;
  const int64_t concurrent_roots_;
  const bool tuned_;
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
