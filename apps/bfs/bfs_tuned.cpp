/// The fastest search, on one node and across nodes. The search is direction-optimising, with
/// direct access to the lists of neighbours. In top-down steps, each core expands its own vertices
/// from a plain vector, and claims its own vertices without messages. A bitmap over all slots
/// records which vertices the core has claimed, so each core sends at most one claim per vertex.
/// After bottom-up steps, it also reads their bitmap of visited vertices. Bottom-up steps are those
/// of bottom_up.hpp. No step searches for leaves (leaves.hpp). Each level ends with a
/// reduction of three numbers, from which every core computes the same next direction. Parents are
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
  Part(GlobalAddress<Csr> lists, GlobalAddress<BottomUp> bottom_up,
       GlobalAddress<Leaves<Slot>> leaves)
      : lists_(*lists.pointer()),
        bottom_up_(*bottom_up.pointer()),
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
    const bool is_mine = layout.core(root) == Grappa::mycore();
    bottom_up_.reset(is_mine ? layout.place(root) : -1);
    if (is_mine) reach(layout.place(root), Slot(layout.slot(root)));
    DirectionRule rule(options, layout.nv(), lists_.all_entries());
    unshared_ = 0;
    Found found = take_claimed(rule.decisive()), all;
    for (;;) {
      all = Grappa::allreduce<Found, sum>(found);  // acts as a barrier, too
      if (all.vertices == 0) break;
      const bool was_bottom_up = rule.bottom_up();
      if (!was_bottom_up) {
        unshared_ += rule.decisive() < 0 ? lists_.all_entries() : all.entries;
      }
      rule.advance(all.vertices, all.entries);
      if (rule.bottom_up() && !was_bottom_up) begin_bottom_up();
      if (!rule.bottom_up() && was_bottom_up) begin_top_down();
      found = rule.bottom_up() ? step_up(was_bottom_up) : step_down(rule.decisive());
    }
    Levels levels = rule.levels();
    // Leaves of the last frontier add one level. If the root is the only leaf of its neighbour v,
    // and v is no leaf, then v has another neighbour. No frontier contains that neighbour, so it is
    // a leaf, too.
    if (all.with_leaves != 0) ++levels.all;
    if (leaves_.any()) attach_leaves();
    return levels;
  }

  /// From: a task on every core. Suspends.
  void copy_parents(GlobalAddress<VertexID> parent) const {
    apps::copy_ids(lists_, parent_, parent);
  }

 private:
  static constexpr Slot kNone = static_cast<Slot>(-1);
  static constexpr double kFillNs = 0.1, kVertexNs = 8, kEntryNs = 1.6;  // charged

  // Attaches the leaves of visited vertices, after the last step. If the vertices that are not
  // shared yet have few neighbours, messages to their leaves have fewer bytes than the bitmap.
  void attach_leaves() {
    if (unshared_ > bottom_up_.words()) {  // about 64 bits for a message; not measured
      bottom_up_.share();
      Grappa::barrier();
    } else {
      Grappa::finish([this] {
        bottom_up_.for_each_unshared([this](int64_t place) { reach_leaves_of(place); });
      });
    }
    if (bottom_up_.shared()) leaves_.attach(bottom_up_.visited(), &parent_);
  }

  void reach_leaves_of(int64_t vertex) {
    if (!apps::has_bit(leaves_.joined(), uint64_t(vertex))) return;
    const Grappa::detail::VertexLayout& layout = lists_.layout();
    const Slot parent = static_cast<Slot>(layout.slot(Grappa::mycore(), vertex));
    for (const Slot slot : apps::list_of<Slot>(lists_, vertex)) {
      if (!apps::has_bit(leaves_.bits(), slot)) continue;
      const Slot place = static_cast<Slot>(layout.place_of_slot(slot));
      const auto attach = [place, parent] {
        Slot* const own = &current_->parent_[place];
        if (*own == Slot{kNone}) *own = parent;  // otherwise, the leaf is the root
      };
      Grappa::delegate::call<Grappa::async>(layout.core_of_slot(slot), Grappa::unchecked(attach));
    }
  }

  // Makes the claimed vertices the frontier. No core may send claims during the call. The length of
  // each list costs a cache miss. So if the first lists have more than `decisive` entries, the
  // others are not read, and their mean length is assumed to be that of the first ones.
  Found take_claimed(double decisive) {
    const bool with_leaves = next_.empty() && frontier_has_leaves();
    frontier_.swap(next_);
    next_.clear();
    Found found = {static_cast<int64_t>(frontier_.size()), 0, with_leaves};
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
    const uint64_t* const visited = bottom_up_.shared() ? bottom_up_.visited() : claimed;
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
      const auto claim_there = [place, parent] {
        current_->claim(static_cast<int64_t>(place), parent);
      };
      // Two slots may look like an address of this core.
      Grappa::delegate::call<Grappa::async>(owner, Grappa::unchecked(claim_there));
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

  bool frontier_has_leaves() const {
    return std::any_of(frontier_.begin(), frontier_.end(),
                       [this](Slot place) { return apps::has_bit(leaves_.joined(), place); });
  }

  Found step_up(bool was_bottom_up) {
    const bool with_leaves =
        was_bottom_up ? bottom_up_.found_any(leaves_.joined()) : frontier_has_leaves();
    Slot* const parents = parent_.data();
    Found found =
        bottom_up_.step<Slot>([parents](int64_t place, Slot parent) { parents[place] = parent; });
    found.with_leaves = with_leaves;
    return found;
  }

  void begin_bottom_up() {
    bottom_up_.share();
    unshared_ = 0;
    Grappa::barrier();
  }

  void begin_top_down() {
    frontier_.clear();
    bottom_up_.for_each_found([this](int64_t place) { frontier_.push_back(Slot(place)); });
  }

  static Part* current_;  // the object of the current search

  const Csr& lists_;
  BottomUp& bottom_up_;
  const Leaves<Slot>& leaves_;
  std::vector<Slot> parent_;       // parents by local index
  std::vector<uint64_t> claimed_;  // bits by slot: this core sends no claim to a marked slot
  std::vector<Slot> frontier_;     // local indices; only for top-down steps
  std::vector<Slot> next_;
  // Entries in the lists of the visited vertices, of all cores, that bottom_up_.visited() may not
  // contain.
  int64_t unshared_ = 0;
};

template <class Slot>
Part<Slot>* Part<Slot>::current_ = nullptr;

template <class Slot>
class TunedSearch : public Search {
 public:
  TunedSearch(GlobalAddress<SearchGraph> g, const DirectionOptions& options)
      : options_(options),
        bottom_up_(BottomUp::create(g->lists(), 2)),
        leaves_(Leaves<Slot>::create(g->lists())),
        part_(Grappa::symmetric<Part<Slot>>(g->lists(), bottom_up_, leaves_)) {}
  ~TunedSearch() {
    Grappa::global_free(part_);
    Leaves<Slot>::destroy(leaves_);
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
  const GlobalAddress<Leaves<Slot>> leaves_;
  const GlobalAddress<Part<Slot>> part_;
};

}  // namespace

std::unique_ptr<Search> tuned_search(GlobalAddress<SearchGraph> g,
                                     const DirectionOptions& options) {
  return apps::make_for_slots<Search, TunedSearch>(g->csr(), g, options);
}

}  // namespace bfs
