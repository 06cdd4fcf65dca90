/// The fastest search, on one node and across nodes. The search is direction-optimising, with
/// direct access to the lists of neighbours. In top-down steps, each core expands its own vertices
/// from a plain vector, and claims its own vertices without messages. A bitmap over all slots
/// records which vertices the core has claimed, so each core sends at most one claim per vertex. A
/// bitmap of each locale has the vertices that bottom-up steps have visited. Bottom-up steps are
/// those of bottom_up.hpp. No step searches for leaves (leaves.hpp). Each level ends with a
/// reduction of two numbers, from which every core computes the same next direction. Parents are
/// stored as slots.

#include "apps/bfs/bottom_up.hpp"
#include "apps/bfs/leaves.hpp"
#include "apps/common/charge.hpp"

#include <algorithm>

namespace bfs {
namespace {

/// The state of a search on one core. Slot: uint32_t or uint64_t.
template <class Slot>
class Part {
 public:
  Part(GlobalAddress<Csr> lists, GlobalAddress<BottomUp> bottom_up, GlobalAddress<Bitmap> visited,
       GlobalAddress<Leaves<Slot>> leaves)
      : lists_(*lists.pointer()),
        bottom_up_(*bottom_up.pointer()),
        visited_(*visited.pointer()),
        leaves_(*leaves.pointer()),
        parent_(static_cast<size_t>(lists_.vertices())),
        claimed_(static_cast<size_t>(bottom_up_.words())) {}

  /// From: a task on every core, at the same time. Suspends.
  Levels search(VertexID root, const DirectionOptions& options) {
    const Grappa::detail::VertexLayout& layout = lists_.layout();
    current_ = this;
    std::fill(parent_.begin(), parent_.end(), Slot{kNone});
    std::copy_n(leaves_.bits(), claimed_.size(), claimed_.begin());
    apps::charge(int64_t(parent_.size() + claimed_.size()), kFillNs);
    bottom_up_.reset();
    if (visited_any_) visited_.clear();
    visited_any_ = false;
    if (layout.core(root) == Grappa::mycore()) {
      bottom_up_.visit(layout.place(root));  // false if the root is a leaf
      reach(layout.place(root), Slot(layout.slot(root)));
    }
    DirectionRule rule(options, layout.nv(), lists_.all_entries());
    for (Found found = take_claimed(rule.decisive());;) {
      const Found all = Grappa::allreduce<Found, sum>(found);  // acts as a barrier, too
      if (all.vertices == 0) break;
      const bool was_bottom_up = rule.bottom_up();
      rule.advance(all.vertices, all.entries);
      if (rule.bottom_up() && !was_bottom_up) begin_bottom_up();
      if (!rule.bottom_up() && was_bottom_up) begin_top_down();
      found = rule.bottom_up() ? step_up() : step_down(rule.decisive());
    }
    Levels levels = rule.levels();
    if (attach_leaves(root, rule.bottom_up())) ++levels.all;
    return levels;
  }

  /// From: a task on every core. Suspends.
  void copy_parents(GlobalAddress<VertexID> parent) const {
    apps::copy_ids(lists_, parent_, parent);
  }

 private:
  static constexpr Slot kNone = static_cast<Slot>(-1);
  static constexpr double kFillNs = 0.1, kVertexNs = 8, kEntryNs = 1.6, kWordNs = 0.2;  // charged

  // Attaches the leaves of visited vertices, after the last step. Returns true if that adds a
  // level: if a vertex v of the last frontier has a leaf. If that leaf is the root, and v is no
  // leaf, then v has another neighbour, which is in no frontier, so it is a leaf, too.
  bool attach_leaves(VertexID root, bool was_bottom_up) {
    if (!leaves_.any()) return false;
    const bool joined = was_bottom_up ? bottom_up_.had_any(leaves_.joined()) : last_is_joined_;
    bottom_up_.add_visited();
    const auto at = lists_.layout().locate(root);  // may be a leaf
    if (at.core == Grappa::mycore()) bottom_up_.add_own(at.place);
    bottom_up_.share();
    const bool adds_level =
        Grappa::allreduce<bool, Grappa::collective_or>(joined);  // a barrier, too
    leaves_.attach(bottom_up_.frontier(), &parent_);
    return adds_level;
  }

  // Makes the claimed vertices the frontier. No core may send claims during the call. The length of
  // each list costs a cache miss. So if the first lists have more than `decisive` entries, the
  // others are not read, and their mean length is assumed to be that of the first ones.
  Found take_claimed(double decisive) {
    // If this core has claimed a vertex, its frontier was not the last one.
    const auto is_joined = [this](Slot place) { return apps::has_bit(leaves_.joined(), place); };
    last_is_joined_ = next_.empty() && std::any_of(frontier_.begin(), frontier_.end(), is_joined);
    frontier_.swap(next_);
    next_.clear();
    Found found = {static_cast<int64_t>(frontier_.size()), 0};
    size_t counted = 0;
    for (; counted < frontier_.size() && double(found.entries) <= decisive; ++counted) {
      found.entries += lists_.size(static_cast<int64_t>(frontier_[counted]));
    }
    if (0 < counted && counted < frontier_.size()) {
      const double mean = double(found.entries) / double(counted);
      found.entries = int64_t(mean * double(found.vertices));
    }
    return found;
  }

  // Claims a vertex of this core. Reads the bitmap of unvisited vertices, which the cache holds,
  // and neither the parents nor the length of the list.
  void claim(int64_t place, Slot parent) {
    if (bottom_up_.visit(place)) reach(place, parent);
  }

  void reach(int64_t place, Slot parent) {
    parent_[static_cast<size_t>(place)] = parent;
    next_.push_back(static_cast<Slot>(place));
  }

  // Claims the neighbours of a vertex. The filter of claimed vertices has no branches, because
  // processors cannot predict them in graphs without hubs.
  void expand(Slot self, apps::SlotList<Slot> neighbours) {
    constexpr ptrdiff_t kBlock = 64;  // not measured
    uint64_t* const claimed = claimed_.data();
    const uint64_t* const visited = visited_any_ ? visited_.all() : claimed;
    for (const Slot* at = neighbours.first; at != neighbours.last;) {
      Slot unclaimed[kBlock];
      size_t n = 0;
      const Slot* const end = at + std::min(kBlock, neighbours.last - at);
      for (; at != end; ++at) {
        uint64_t* const word = claimed + *at / 64;
        const uint64_t bit = uint64_t{1} << (*at % 64);
        unclaimed[n] = *at;
        n += ((*word | apps::word_of(visited, *at)) & bit) == 0;
        *word |= bit;
      }
      for (size_t i = 0; i < n; ++i) claim_anywhere(unclaimed[i], self);
    }
  }

  void claim_anywhere(Slot slot, Slot parent) {
    const Grappa::detail::VertexLayout& layout = lists_.layout();
    const Grappa::Core owner = layout.core_of_slot(slot);
    const Slot place = static_cast<Slot>(layout.place_of_slot(slot));
    if (owner == Grappa::mycore()) {
      claim(static_cast<int64_t>(place), parent);
    } else {
      Grappa::delegate::call<Grappa::async>(
          owner, [place, parent] { current_->claim(static_cast<int64_t>(place), parent); });
    }
  }

  // Returns when all claims of all cores are complete.
  Found step_down(double decisive) {
    const auto place = [this](size_t i) { return static_cast<int64_t>(frontier_[i]); };
    const auto n = static_cast<int64_t>(frontier_.size());
    Grappa::forall_here(0, n, [this, place, n](int64_t index) {
      const size_t i = static_cast<size_t>(index);
      const auto neighbours =
          apps::scattered_list<Slot, 3>(lists_, i, static_cast<size_t>(n), place);
      expand(static_cast<Slot>(lists_.layout().slot(Grappa::mycore(), place(i))), neighbours);
      apps::charge(neighbours.last - neighbours.first, kEntryNs);
    });
    apps::charge(n, kVertexNs);
    Grappa::barrier();
    return take_claimed(decisive);
  }

  // After this call on all cores, every core has the frontier as a bitmap.
  Found step_up() {
    record_visited();
    Slot* const parents = parent_.data();
    const Found found =
        bottom_up_.step<Slot>([parents](int64_t place, Slot parent) { parents[place] = parent; });
    bottom_up_.share();
    return found;
  }

  void begin_bottom_up() {
    bottom_up_.clear_own();
    for (const Slot place : frontier_) bottom_up_.add_own(static_cast<int64_t>(place));
    bottom_up_.share();
    Grappa::barrier();
  }

  void begin_top_down() {
    record_visited();
    frontier_.clear();
    bottom_up_.for_each_own([this](int64_t place) { frontier_.push_back(Slot(place)); });
  }

  // Adds the frontier to the visited vertices. The cores of a locale divide the words among them. A
  // neighbour that reads a word meanwhile finds old or new bits, and may use either. Atomic writes
  // would make searches 10 % slower.
  void record_visited() {
    visited_any_ = true;
    const uint64_t* const frontier = bottom_up_.frontier();
    uint64_t* const visited = visited_.all();
    visited_.for_each_written_here([frontier, visited](int64_t first, int64_t n) {
      for (int64_t word = first; word < first + n; ++word) visited[word] |= frontier[word];
      apps::charge(n, kWordNs);
    });
  }

  static Part* current_;  // the object of the current search

  const Csr& lists_;
  BottomUp& bottom_up_;
  Bitmap& visited_;  // by bottom-up steps of this search
  const Leaves<Slot>& leaves_;
  bool visited_any_ = false;       // otherwise, visited_ is empty
  std::vector<Slot> parent_;       // parents by local index
  std::vector<uint64_t> claimed_;  // bits by slot: this core sends no claim to a marked slot
  std::vector<Slot> frontier_;     // local indices; only for top-down steps
  std::vector<Slot> next_;
  bool last_is_joined_ = false;  // a vertex of the last top-down frontier has a leaf
};

template <class Slot>
Part<Slot>* Part<Slot>::current_ = nullptr;

template <class Slot>
class TunedSearch : public Search {
 public:
  TunedSearch(GlobalAddress<SearchGraph> g, const DirectionOptions& options)
      : options_(options),
        bottom_up_(BottomUp::create(g->lists(), 2)),
        visited_(BottomUp::create_bitmap(g->lists())),
        leaves_(Leaves<Slot>::create(g->lists())),
        part_(Grappa::symmetric<Part<Slot>>(g->lists(), bottom_up_, visited_, leaves_)) {}
  ~TunedSearch() {
    Grappa::global_free(part_);
    Leaves<Slot>::destroy(leaves_);
    Grappa::global_free(visited_);
    BottomUp::destroy(bottom_up_);
  }

  Levels run(VertexID root) override {
    const GlobalAddress<Part<Slot>> part = part_;
    const DirectionOptions options = options_;
    Levels levels;
    const GlobalAddress<Levels> result = Grappa::make_global(&levels);
    Grappa::on_all_cores([part, root, options, result] {
      const Levels here = part->search(root, options);
      if (result.core() == Grappa::mycore()) *result.pointer() = here;
    });
    return levels;
  }

  void copy_parents(GlobalAddress<VertexID> parent) override {
    const GlobalAddress<Part<Slot>> part = part_;
    Grappa::on_all_cores([part, parent] { part->copy_parents(parent); });
  }

 private:
  const DirectionOptions options_;
  const GlobalAddress<BottomUp> bottom_up_;
  const GlobalAddress<Bitmap> visited_;
  const GlobalAddress<Leaves<Slot>> leaves_;
  const GlobalAddress<Part<Slot>> part_;
};

}  // namespace

std::unique_ptr<Search> tuned_search(GlobalAddress<SearchGraph> g,
                                     const DirectionOptions& options) {
  return apps::make_for_slots<Search, TunedSearch>(g->csr(), g, options);
}

}  // namespace bfs
