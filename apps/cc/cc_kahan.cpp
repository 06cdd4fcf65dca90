/// Connected components in three phases (B. Holt et al., "Flat Combining Synchronized Global Data
/// Structures", PGAS 2013, section 5.2; the algorithm is S. Kahan's: J. Berry et al., "Software and
/// Algorithms for Graph Queries on Multithreaded Architectures", MTAAP 2007):
///   1. Parallel traversals start at unclaimed vertices, and label each vertex that they claim with
///      their root. If two traversals meet, the edge between their roots is inserted into a set.
///   2. reduced_graph.cpp finds the components of the reduced graph, which has these edges.
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
#include "apps/common/neighbour_values.hpp"

#include <algorithm>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

namespace cc {
namespace {

namespace counters = Grappa::detail::structure_counters;

template <class Slot>
Slot narrow_label(const Vertex& v) {
  return static_cast<Slot>(v->label);  // a vertex fits in the type of its slot
}

/// A run on one core. Slot: uint32_t or uint64_t, as in the lists. Only one run exists at a time.
template <class Slot>
class KahanRun {
 public:
  /// `roots`: traversals in flight on this core.
  KahanRun(GlobalAddress<LabelGraph> g, GlobalAddress<PairSet> set, int64_t roots, bool tuned)
      : g_(g), lists_(g->csr()), own_(g->vs.localize()), set_(*set.pointer()), tuned_(tuned) {
    current_ = this;
    asked_.assign(static_cast<size_t>(lists_.layout().slots() / 64), 0);
    const int64_t n = lists_.vertices();
    for (int64_t i = 0; i < roots; ++i) {
      sections_.push_back(Section{n * i / roots, n * (i + 1) / roots});
    }
  }

  /// Starts a traversal in each section that has an unclaimed vertex. Returns the number of started
  /// traversals, which run in the scope of the caller.
  int64_t start_round() {
    int64_t started = 0;
    for (Section& section : sections_) {
      while (section.next < section.end && own_[section.next]->label != kNoLabel) ++section.next;
      if (section.next == section.end) continue;
      claim(section.next, g_->id(own_[section.next]));
      ++started;
    }
    return started;
  }

  /// After all traversals, inserts each cross edge once over all cores. From: a task on every core.
  void insert_cross_edges() {
    Labels labels(asked_);
    std::vector<uint64_t>().swap(asked_);  // phases 2 and 3 need this memory
    std::vector<Visit>().swap(claimed_);
    labels.template fetch<Vertex, &narrow_label<Slot>>(g_->vs);
    Grappa::forall_here(0, lists_.vertices(), [this, &labels](int64_t first, int64_t n) {
      compare_lists(labels, first, n);
    });
    for (const RootPair& pair : pairs_) set_.template insert<Grappa::async>(pair);
  }

  /// Returns the label of a root after phase 2.
  VertexID final_label(VertexID root) {
    const auto known = final_labels_.find(root);
    if (known != final_labels_.end()) return known->second;
    const VertexID label =
        Grappa::delegate::call(g_->vs + root, [](Vertex& its_root) { return its_root->label; });
    final_labels_.insert({root, label});
    return label;
  }

  int64_t inserts() const { return inserts_; }
  int64_t own_pairs() const { return static_cast<int64_t>(pairs_.size()); }

 private:
  typedef apps::NeighbourValues<Slot> Labels;

  struct Section {
    int64_t next, end;  // local indices of vertices
  };
  struct Visit {
    int64_t place;  // local index of the vertex
    VertexID root;  // of a traversal that has reached the vertex
  };

  static constexpr size_t kReached = 32, kRecentPairs = 4096;  // not measured

  // Assigns a vertex of this core to the first traversal that reaches it.
  void claim(int64_t place, VertexID root) {
    if (own_[place]->label != kNoLabel) return;
    own_[place]->label = root;
    claimed_.push_back(Visit{place, root});
    if (claimed_.size() == 1) Grappa::spawn([] { current_->expand_claimed(); });
  }

  void claim_reached() {
    for (const Visit& each : reached_) claim(each.place, each.root);
    reached_.clear();
  }

  void expand_claimed() {
    const auto place = [this](size_t i) { return claimed_[i].place; };
    for (size_t i = 0; i < claimed_.size(); ++i) {  // claimed_ grows during the loop
      expand(apps::scattered_list<Slot>(lists_, i, claimed_.size(), place), claimed_[i].root);
      if (i + 1 == claimed_.size()) claim_reached();
    }
    claimed_.clear();
  }

  void expand(apps::SlotList<Slot> neighbours, VertexID root) {
    uint64_t* const asked = asked_.data();
    for (const Slot slot : neighbours) {
      if (!apps::set_bit(asked, slot)) continue;
      const Grappa::Core core = lists_.layout().core_of_slot(slot);
      const int64_t place = lists_.layout().place_of_slot(slot);
      if (core != Grappa::mycore()) {
        Grappa::delegate::call<Grappa::async>(
            Grappa::make_global(g_->vs.localize(core) + place, core),
            [root](Vertex& v) { current_->claim(&v - current_->own_, root); });
        continue;
      }
      GRAPPA_PREFETCH(own_ + place);
      reached_.push_back(Visit{place, root});
      if (reached_.size() == kReached) claim_reached();
    }
  }

  // Compares both ends of each edge from `n` vertices of this core to neighbours of lower id.
  void compare_lists(const Labels& labels, int64_t first_place, int64_t n) {
    const Grappa::detail::VertexLayout& layout = lists_.layout();
    auto reader = labels.reader(
        [this](const typename Labels::Entry* ends, size_t size) { compare(ends, size); });
    for (int64_t place = first_place; place < first_place + n; ++place) {
      const VertexID id = layout.id(Grappa::mycore(), place);
      const VertexID root = own_[place]->label;
      for (const Slot slot : apps::list_of<Slot>(lists_, place)) {
        if (layout.id_of_slot(slot) > id) break;  // lists are sorted by id
        reader.add(slot, root);
      }
    }
    reader.flush();
  }

  // The result of a comparison of labels is not predictable, so the code has no branch for it.
  void compare(const typename Labels::Entry* ends, size_t size) {
    RootPair met[Labels::kBatch];
    size_t cross_edges = 0;
    for (size_t i = 0; i < size; ++i) {
      const VertexID root = ends[i].tag, other = static_cast<VertexID>(ends[i].value);
      met[cross_edges] = RootPair::of(root, other);
      cross_edges += root != other;
    }
    for (size_t i = 0; i < cross_edges; ++i) insert(met[i]);
  }

  void insert(const RootPair& pair) {
    ++inserts_;
    if (!tuned_) {
      set_.insert(pair);
      return;
    }
    RootPair& recent = recent_[RootHash()(pair) % kRecentPairs];
    if (recent == pair) return;
    recent = pair;
    pairs_.insert(pair);
  }

  static KahanRun* current_;

  const GlobalAddress<LabelGraph> g_;
  const Grappa::detail::Csr& lists_;
  Vertex* const own_;  // the first vertex of this core
  std::vector<Section> sections_;
  std::vector<uint64_t> asked_;  // one bit for each slot: this core has sent a visit
  std::vector<Visit> reached_;   // vertices of this core that have been prefetched, not claimed
  std::vector<Visit> claimed_;   // claimed vertices that a task of this core will expand

  PairSet& set_;
  const bool tuned_;
  int64_t inserts_ = 0;
  // In the tuned form: the set of this core, and the last inserted pair for each hash value. Most
  // inserts find the pair in this array, which is in the processor cache.
  tsl::robin_set<RootPair, RootHash> pairs_;
  std::vector<RootPair> recent_ = std::vector<RootPair>(kRecentPairs, RootPair{kNoLabel, kNoLabel});

  tsl::robin_map<VertexID, VertexID, RootHash> final_labels_;  // of roots that this core has read
};

template <class Slot>
KahanRun<Slot>* KahanRun<Slot>::current_ = nullptr;

int64_t total(const Grappa::detail::Counter& counter) {
  const auto here = &counter;  // a global variable has the same address on every core
  return Grappa::sum_all_cores([here] { return static_cast<int64_t>(here->value()); });
}

template <class Slot>
class KahanComponents : public Components {
 public:
  KahanComponents(GlobalAddress<LabelGraph> g, const KahanOptions& options)
      : g_(g), options_(options) {}

  void run() override {
    const GlobalAddress<PairSet> set = PairSet::create(0, options_.combining);
    const int64_t roots = std::max<int64_t>(1, options_.concurrent_roots / Grappa::cores());
    const auto run = Grappa::symmetric<KahanRun<Slot>>(g_, set, roots, options_.tuned);
    const int64_t merged_before = total(counters::duplicates);
    const int64_t known_before = total(counters::known);
    // A vertex without neighbours is its own component.
    Grappa::forall(g_, [](VertexID id, Vertex& v) { v->label = v.nadj == 0 ? id : kNoLabel; });
    // A round ends when all of its traversals have finished.
    while (Grappa::sum_all_cores([run] { return run->start_round(); }) > 0) {}
    Grappa::on_all_cores([run] { run->insert_cross_edges(); });
    counts_.inserts = Grappa::sum_all_cores([run] { return run->inserts(); });
    if (options_.tuned) {
      counts_.merged = counts_.inserts - Grappa::sum_all_cores([run] { return run->own_pairs(); });
    } else {
      counts_.merged = total(counters::duplicates) - merged_before;
      counts_.known = total(counters::known) - known_before;
    }
    counts_.edges = set->size();
    counts_.rounds = connect_reduced_graph(g_, set);
    // Phase 2 has set the final label of each root, so the labels of roots are constant here.
    Grappa::forall(g_, [run](Vertex& v) {
      if (v.nadj != 0) v->label = run->final_label(v->label);
    });
    Grappa::global_free(run);
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
  const KahanOptions options_;
  MeetingCounts counts_ = {};
};

}  // namespace

std::unique_ptr<Components> kahan_components(GlobalAddress<LabelGraph> g,
                                             const KahanOptions& options) {
  return apps::make_for_slots<Components, KahanComponents>(g->csr(), g, options);
}

}  // namespace cc
