/// Connected components in three phases (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2; the algorithm is S. Kahan's: J. Berry et al., "Software and
/// Algorithms for Graph Queries on Multithreaded Architectures", MTAAP 2007):
///   1. Parallel traversals start at unclaimed vertices, and label each vertex that they claim with
///      their root. If two traversals meet, the edge between their roots is inserted into a set.
///   2. The algorithm of Shiloach and Vishkin finds the components of the reduced graph, which
///      consists of these edges (shiloach_vishkin.cpp).
///   3. Each vertex takes the final label of its root.
///
/// Traversals start in rounds: each core divides its vertices into sections, and in each round
/// starts one traversal at the next unclaimed vertex of each section, so start vertices are far
/// apart. With few traversals, most cross edges join the same roots. With many, a graph of large
/// diameter is finished sooner.
///
/// A core claims each neighbour of its vertices only once, so traversals do not see all cross
/// edges. After all vertices are claimed, each core gets copies of the labels of all neighbours of
/// its vertices, and checks each edge once, at one of its ends.
///
/// The set dominates the cost: at the border of two traversals each edge is inserted repeatedly. In
/// the plain form, inserts into a GlobalSet are synchronous, and flat combining removes duplicates
/// in the proxy of each core. In the tuned form, the sets of all cores are merged once.

#include "apps/cc/components.hpp"
#include "apps/common/bitmap.hpp"
#include "structures/combining.hpp"
#include "structures/global_set.hpp"

#include <algorithm>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

namespace cc {
namespace {

using Grappa::Core;
namespace counters = Grappa::detail::structure_counters;

// Part of the vertices of this core.
struct Section {
  int64_t next, end;  // local indices
};

// A vertex of this core, by local index, and the root of a traversal that has reached the vertex.
struct Visit {
  int64_t place;
  VertexID root;
};

struct RootHash {
  size_t operator()(const RootPair& pair) const {
    // Roots are often multiples of a power of two, and hash tables use the lower bits.
    const uint64_t mixed = static_cast<uint64_t>(pair.low) * 0x9E3779B97F4A7C15u ^
                           static_cast<uint64_t>(pair.high) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<size_t>(mixed ^ mixed >> 32);
  }
  size_t operator()(VertexID root) const { return (*this)(RootPair{root, root}); }
};

typedef Grappa::GlobalSet<RootPair, RootHash> PairSet;

constexpr size_t kRecentPairs = 4096;

// State of a run on this core.
struct State {
  GlobalAddress<LabelGraph> g;
  const Grappa::detail::Csr* lists = nullptr;
  std::vector<Vertex*> first_vertex;   // address of the first vertex of each core
  Vertex* own = nullptr;               // first_vertex of this core
  std::vector<uint64_t> asked;         // one bit for each slot: a claim has been sent
  std::vector<Visit> own_visits;       // claims of this core's vertices that are still to be made
  std::vector<Visit> claimed;          // claimed vertices that a task of this core will expand
  void (*expand_claimed)() = nullptr;  // that task
  std::vector<Section> sections;
  int64_t started = 0;  // traversals started in this round

  void (*insert)(const RootPair&) = nullptr;  // inserts a cross edge; may suspend
  GlobalAddress<PairSet> set;
  int64_t inserts = 0;
  uint64_t merged_before = 0, known_before = 0;  // structure counters at the start of the run
  // In the tuned form: the set of this core, and the last inserted pair for each hash value. Most
  // inserts find the pair in this array, which is in the processor cache.
  tsl::robin_set<RootPair, RootHash> pairs;
  std::vector<RootPair> last = std::vector<RootPair>(kRecentPairs, RootPair{kNoLabel, kNoLabel});

  // Phase 3: final labels of the roots that this core has requested.
  tsl::robin_map<VertexID, VertexID, RootHash> final_labels;
} state;

// Assigns a vertex of this core to the traversal from `root`, unless the vertex is claimed already.
void claim(Vertex& v, VertexID root) {
  if (v->label != kNoLabel) return;
  v->label = root;
  state.claimed.push_back(Visit{&v - state.own, root});
  if (state.claimed.size() == 1) Grappa::spawn(state.expand_claimed);
}

// Vertices of this core are prefetched and claimed in batches of this size.
constexpr size_t kOwnVisits = 32;

void claim_visited() {
  for (const Visit& visit : state.own_visits) claim(state.own[visit.place], visit.root);
  state.own_visits.clear();
}

// Sends claims to the neighbours of a claimed vertex of this core.
template <class Slot>
void expand(const Visit& from) {
  const Grappa::detail::VertexLayout& layout = state.lists->layout();
  uint64_t* const asked = state.asked.data();
  const VertexID root = from.root;
  for (const Slot slot : apps::list_of<Slot>(*state.lists, from.place)) {
    if (!apps::set_bit(asked, slot)) continue;
    const Core core = layout.core_of_slot(slot);
    const int64_t place = layout.place_of_slot(slot);
    Vertex* const v = state.first_vertex[static_cast<size_t>(core)] + place;
    if (core != Grappa::mycore()) {
      Grappa::delegate::call<Grappa::async>(Grappa::make_global(v, core),
                                            [root](Vertex& remote) { claim(remote, root); });
      continue;
    }
    GRAPPA_PREFETCH(v);
    state.own_visits.push_back(Visit{place, root});
    if (state.own_visits.size() == kOwnVisits) claim_visited();
  }
}

// Lists are scattered in memory: prefetch the index of a later list, then its first entry.
constexpr size_t kListsAhead = 8;

template <class Slot>
void expand_claimed() {
  const uint64_t* const firsts = state.lists->firsts();
  const Slot* const slots = state.lists->slots<Slot>();
  const std::vector<Visit>& claimed = state.claimed;
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
  state.claimed.clear();
}

// Starts a traversal in each section that has an unclaimed vertex.
void start_round() {
  state.started = 0;
  for (Section& section : state.sections) {
    while (section.next < section.end && state.own[section.next]->label != kNoLabel) ++section.next;
    if (section.next == section.end) continue;
    Vertex& root = state.own[section.next];
    claim(root, state.g->id(root));
    ++state.started;
  }
}

// Copies of the labels of all neighbours of this core's vertices, in the order of slots and without
// gaps. Two reads find a copy (G. Jacobson, "Space-efficient Static Trees and Graphs", FOCS 1989).
// The copies take at most as much memory as the lists. A label fits in the type of a slot.
template <class Slot>
struct GhostLabels {
  struct Word {
    uint64_t wanted, before;  // bits of 64 slots that have a copy; number of earlier copies
  };
  std::vector<Word> words;
  std::vector<Slot> labels;

  // Requests the labels of all slots in `asked` from the owners, asynchronously. Messages: 2 for
  // each slot of another core.
  void fetch() {
    uint64_t copies = 0;
    words.reserve(state.asked.size());
    for (const uint64_t word : state.asked) {
      words.push_back(Word{word, copies});
      copies += static_cast<uint64_t>(__builtin_popcountll(word));
    }
    labels.resize(static_cast<size_t>(copies));
    const uint64_t words_of_core = words.size() / static_cast<uint64_t>(Grappa::cores());
    Slot* copy = labels.data();
    for (uint64_t i = 0; i < words.size(); ++i) {
      const Core owner = static_cast<Core>(i / words_of_core);
      Vertex* const first =
          state.first_vertex[static_cast<size_t>(owner)] + (i % words_of_core) * 64;
      for (uint64_t each = words[i].wanted; each != 0; each &= each - 1, ++copy) {
        Vertex* const vertex = first + __builtin_ctzll(each);
        if (owner == Grappa::mycore()) {
          *copy = static_cast<Slot>((*vertex)->label);
          continue;
        }
        const GlobalAddress<Slot> answer = Grappa::make_global(copy);
        Grappa::delegate::call<Grappa::async>(
            Grappa::make_global(vertex, owner),
            [answer](Vertex& v) { Grappa::delegate::write<Grappa::async>(answer, v->label); });
      }
    }
  }

  const Slot& of(uint64_t slot) const {
    const Word& word = words[slot / 64];
    const uint64_t lower = (uint64_t{1} << (slot % 64)) - 1;
    return labels[static_cast<size_t>(word.before) +
                  static_cast<size_t>(__builtin_popcountll(word.wanted & lower))];
  }
};

struct HalfEdge {
  uint64_t slot;
  VertexID root;  // the root of the end that this core owns
};

constexpr size_t kBatch = 64;

// All labels of a batch are prefetched before the first label is read. The result of a comparison
// of labels is not predictable, so the code has no branch for it.
template <class Slot>
void compare(const GhostLabels<Slot>& ghosts, const HalfEdge* batch, size_t size) {
  for (size_t i = 0; i < size; ++i) __builtin_prefetch(&ghosts.of(batch[i].slot));
  RootPair met[kBatch];
  size_t cross_edges = 0;
  for (size_t i = 0; i < size; ++i) {
    const VertexID other = static_cast<VertexID>(ghosts.of(batch[i].slot));
    met[cross_edges] = RootPair::of(other, batch[i].root);
    cross_edges += other != batch[i].root;
  }
  for (size_t i = 0; i < cross_edges; ++i) state.insert(met[i]);
}

// Compares the labels of both ends of each edge from `n` vertices of this core to neighbours of
// lower rank. Such neighbours come first in sorted lists, so this branch is predictable.
template <class Slot>
void compare_lists(const GhostLabels<Slot>& ghosts, int64_t first_place, int64_t n) {
  const Grappa::detail::Csr& lists = *state.lists;
  const Slot* const slots = lists.slots<Slot>();
  const Vertex* const own = state.own;
  const int index_bits = lists.layout().index_bits();
  const auto rank_of = [index_bits](uint64_t slot) {
    return (slot & ((uint64_t{1} << index_bits) - 1)) << 16 | slot >> index_bits;
  };
  HalfEdge batch[kBatch];
  size_t size = 0;
  for (int64_t place = first_place; place < first_place + n; ++place) {
    const uint64_t rank = rank_of(lists.layout().slot(Grappa::mycore(), place));
    const VertexID root = own[place]->label;
    const int64_t end = lists.first(place + 1);
    for (int64_t entry = lists.first(place); entry < end; ++entry) {
      const uint64_t slot = slots[entry];
      if (rank_of(slot) > rank) continue;
      __builtin_prefetch(&ghosts.words[slot / 64]);
      batch[size] = HalfEdge{slot, root};
      if (++size < kBatch) continue;
      compare(ghosts, batch, size);
      size = 0;
    }
  }
  compare(ghosts, batch, size);
}

// Calls `state.insert` for cross edges. Over all cores, each cross edge is inserted once.
template <class Slot>
void insert_cross_edges() {
  GhostLabels<Slot> ghosts;
  Grappa::finish([&ghosts] { ghosts.fetch(); });
  Grappa::forall_here(0, state.lists->vertices(),
                      [&ghosts](int64_t first, int64_t n) { compare_lists(ghosts, first, n); });
}

void insert_in_global_set(const RootPair& pair) {
  ++state.inserts;
  state.set->insert(pair);
}

void insert_in_own_set(const RootPair& pair) {
  ++state.inserts;
  RootPair& last = state.last[RootHash()(pair) % kRecentPairs];
  if (last == pair) return;
  last = pair;
  state.pairs.insert(pair);
}

VertexID final_label(VertexID root) {
  const auto known = state.final_labels.find(root);
  if (known != state.final_labels.end()) return known->second;
  const VertexID label =
      Grappa::delegate::call(state.g->vs + root, [](Vertex& its_root) { return its_root->label; });
  state.final_labels.insert({root, label});
  return label;
}

// Initializes the state before the first claim arrives. `roots`: traversals in flight on this core.
void begin(GlobalAddress<LabelGraph> g, GlobalAddress<PairSet> set, int64_t roots, bool tuned) {
  state.g = g;
  state.lists = &g->csr();
  state.own = g->vs.localize();
  for (Core core = 0; core < Grappa::cores(); ++core) {
    state.first_vertex.push_back(g->vs.localize(core));
  }
  state.asked.assign(static_cast<size_t>(state.lists->layout().slots() / 64), 0);
  const bool narrow = state.lists->slot_bytes() == sizeof(uint32_t);
  state.expand_claimed = narrow ? &expand_claimed<uint32_t> : &expand_claimed<uint64_t>;
  const int64_t n = state.lists->vertices();
  for (int64_t i = 0; i < roots; ++i) {
    state.sections.push_back(Section{n * i / roots, n * (i + 1) / roots});
  }
  state.insert = tuned ? &insert_in_own_set : &insert_in_global_set;
  state.set = set;
  state.merged_before = counters::duplicates.value();
  state.known_before = counters::known.value();
}

MeetingCounts count_inserts(bool tuned) {
  MeetingCounts counts = {};
  counts.inserts = Grappa::sum_all_cores([] { return state.inserts; });
  counts.merged = Grappa::sum_all_cores([tuned] {
    if (tuned) return state.inserts - static_cast<int64_t>(state.pairs.size());
    return static_cast<int64_t>(counters::duplicates.value() - state.merged_before);
  });
  if (tuned) return counts;
  counts.known = Grappa::sum_all_cores(
      [] { return static_cast<int64_t>(counters::known.value() - state.known_before); });
  return counts;
}

class KahanComponents : public Components {
 public:
  KahanComponents(GlobalAddress<LabelGraph> g, Grappa::Combining mode, int64_t roots, bool tuned)
      : g_(g), mode_(mode), roots_(roots), tuned_(tuned) {}

  void run() override {
    const GlobalAddress<LabelGraph> g = g_;
    const GlobalAddress<PairSet> set = PairSet::create(0, mode_);
    const int64_t roots = std::max<int64_t>(1, roots_ / Grappa::cores());
    const bool tuned = tuned_;
    // A vertex without neighbours is its own component.
    Grappa::forall(g, [](VertexID id, Vertex& v) { v->label = v.nadj == 0 ? id : kNoLabel; });
    Grappa::call_on_all_cores([g, set, roots, tuned] { begin(g, set, roots, tuned); });
    do {
      Grappa::on_all_cores([] { start_round(); });  // returns when all traversals have finished
    } while (Grappa::sum_all_cores([] { return state.started; }) > 0);
    const bool narrow = g->csr().slot_bytes() == sizeof(uint32_t);
    Grappa::on_all_cores([narrow] {
      narrow ? insert_cross_edges<uint32_t>() : insert_cross_edges<uint64_t>();
      std::vector<uint64_t>().swap(state.asked);  // phases 2 and 3 need this memory
      std::vector<Visit>().swap(state.claimed);
    });
    Grappa::on_all_cores([set] {
      for (const RootPair& pair : state.pairs) set->insert<Grappa::async>(pair);
    });
    counts_ = count_inserts(tuned);
    counts_.edges = set->size();
    set->forall_keys([](const RootPair& pair) { reduced_edges.push_back(pair); });
    counts_.rounds = shiloach_vishkin(g);
    // Phase 2 has set the final label of each root, so the labels of roots are constant here.
    Grappa::forall(g, [](Vertex& v) {
      if (v.nadj != 0) v->label = final_label(v->label);
    });
    Grappa::call_on_all_cores([] { state = State(); });
    set->destroy();
  }

  void copy_labels(GlobalAddress<VertexID> label) override {
    Grappa::forall(g_, [label](VertexID id, Vertex& v) {
      Grappa::delegate::write<Grappa::async>(label + id, v->label);
    });
  }
  MeetingCounts meeting_counts() const override { return counts_; }

 private:
  const GlobalAddress<LabelGraph> g_;
  const Grappa::Combining mode_;
  const int64_t roots_;  // traversals in flight, over all cores
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
