#include "apps/cc/cc_kahan.hpp"

#include "apps/cc/shiloach_vishkin.hpp"
#include "apps/cc/traversals.hpp"
#include "structures/counters.hpp"
#include "structures/global_set.hpp"

#include <cstddef>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <vector>

namespace cc {
namespace {

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
  MeetingCounts meeting_counts() override { return counts_; }

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
