#include "apps/cc/cc_kahan.hpp"

#include "apps/cc/shiloach_vishkin.hpp"
#include "apps/cc/traversals.hpp"
#include "structures/counters.hpp"
#include "structures/global_set.hpp"

#include <tsl/robin_set.h>

namespace cc {
namespace {

typedef Grappa::GlobalSet<RootPair, RootPairHash> PairSet;
typedef tsl::robin_set<RootPair, RootPairHash> LocalPairSet;

// What a core has of a run.
struct Meetings {
  GlobalAddress<PairSet> set;
  LocalPairSet own;  // of the tuned form
  int64_t inserts = 0;
  uint64_t merged_before = 0;  // what the counters of the structures showed
  uint64_t known_before = 0;

  void begin(GlobalAddress<PairSet> its_set) {
    set = its_set;
    own.clear();
    inserts = 0;
    merged_before = Grappa::structure_counters::duplicates.value();
    known_before = Grappa::structure_counters::known.value();
  }
} meetings;

// Synchronous: the next pair goes in when the set says that the one before is in.
void insert_in_global_set(const RootPair* met, int64_t count) {
  meetings.inserts += count;
  for (int64_t i = 0; i < count; ++i) meetings.set->insert(met[i]);
}

void insert_in_own_set(const RootPair* met, int64_t count) {
  meetings.inserts += count;
  for (int64_t i = 0; i < count; ++i) meetings.own.insert(met[i]);
}

void merge_own_sets() {
  Grappa::on_all_cores([] {
    Grappa::finish([] {
      for (const RootPair& pair : meetings.own) meetings.set->insert<Grappa::async>(pair);
    });
  });
}

MeetingCounts count_meetings(bool tuned) {
  MeetingCounts counts = {};
  counts.inserts = Grappa::sum_all_cores([] { return meetings.inserts; });
  counts.merged = Grappa::sum_all_cores([tuned] {
    if (tuned) return meetings.inserts - static_cast<int64_t>(meetings.own.size());
    const uint64_t merged = Grappa::structure_counters::duplicates.value();
    return static_cast<int64_t>(merged - meetings.merged_before);
  });
  counts.known = Grappa::sum_all_cores([tuned] {
    const uint64_t known = Grappa::structure_counters::known.value();
    return tuned ? 0 : static_cast<int64_t>(known - meetings.known_before);
  });
  return counts;
}

// Each key of the set on the core that has it.
void take_edges(GlobalAddress<PairSet> set, GlobalAddress<ReducedGraph> reduced) {
  Grappa::call_on_all_cores([reduced] { reduced->edges.clear(); });
  set->forall_keys([reduced](const RootPair& pair) { reduced->edges.push_back(pair); });
}

// Phase 3. Roots do not change any more.
void propagate_labels(GlobalAddress<LabelGraph> g) {
  Grappa::forall(g, [g](Vertex& v) {
    if (v.nadj == 0) return;
    const GlobalAddress<Vertex> root = g->vs + v->label;
    v->label = Grappa::delegate::call(root, [](Vertex& its_root) { return its_root->label; });
  });
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
    Grappa::call_on_all_cores([set] { meetings.begin(set); });
    traverse_all(g_, concurrent_roots_, tuned_ ? &insert_in_own_set : &insert_in_global_set);
    if (tuned_) merge_own_sets();
    counts_ = count_meetings(tuned_);
    counts_.edges = set->size();
    take_edges(set, reduced_);
    counts_.rounds = shiloach_vishkin(g_, reduced_);
    propagate_labels(g_);
    Grappa::call_on_all_cores([] { meetings.begin(GlobalAddress<PairSet>()); });
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
