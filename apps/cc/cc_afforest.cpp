/// The fastest algorithm, on one node and across nodes. The idea is from M. Sutton, T. Ben-Nun, A.
/// Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018:
/// find most of the giant component from few edges, and then process only edges of other vertices.
/// The published Afforest links a sample of the edges in one shared array of parents. Here, cores
/// share no array, so sweeps are used, which share only one bit for each vertex.
///
/// 1. Sweeps find most of the largest component, as a bitmap on each core. The search starts at the
/// vertex with the most neighbours. In a sweep, each core visits its vertices outside of the set. A
/// vertex joins the set as soon as it finds a neighbour in the set, so later vertices of the same
/// sweep can already find the new member. After a sweep, the cores exchange their parts of the
/// bitmap. The search stops when a sweep adds too few vertices. Most edges of a large component are
/// never read. (A similar start, with a search by levels: G. Slota, S. Rajamanickam, K. Madduri,
/// "BFS and Coloring-based Parallel Algorithms for Strongly Connected Components and Related
/// Problems", IPDPS 2014.)
///
/// 2. A union-find over all cores processes the other vertices; each core has the parents of its
/// own. A parent comes before its children in the order of slots, which sorts by core first. A path
/// to the root therefore never returns to a core that it has left. The seed of the giant component
/// is defined to come first. An edge within a core is linked there. An edge between two cores is
/// processed at the end whose slot comes later. If the tree of this end has no parent on another
/// core yet, the other end becomes its parent, without a message. Otherwise, a message with the two
/// vertices to link is sent to the owner of the later vertex, which repeats the procedure.

#include "apps/cc/components.hpp"
#include "apps/common/bitmap.hpp"

#include <algorithm>

namespace cc {
namespace {

using Grappa::Core;
using Grappa::detail::Csr;

// A vertex and the number of its neighbours.
struct Candidate {
  int64_t neighbours;
  uint64_t slot;
};

Candidate larger(const Candidate& a, const Candidate& b) {
  if (a.neighbours != b.neighbours) return a.neighbours > b.neighbours ? a : b;
  return a.slot < b.slot ? a : b;
}

// The vertices that have joined in a sweep, and those that are still open.
struct Joined {
  int64_t members, open;
};

Joined sum(const Joined& a, const Joined& b) {
  return Joined{a.members + b.members, a.open + b.open};
}

// A sweep is repeated if it doubles the set or adds at least 1/kGoodPart of the remaining vertices.
constexpr int64_t kGoodPart = 16;

/// The state of one core. Slot: uint32_t or uint64_t, as in the lists.
template <class Slot>
class Forest {
 public:
  /// `members` is a bitmap by slot.
  Forest(GlobalAddress<Csr> lists, GlobalAddress<uint64_t> members)
      : lists_(*lists.pointer()),
        index_bits_(lists_.layout().index_bits()),
        index_mask_((uint64_t{1} << index_bits_) - 1),
        first_slot_(lists_.layout().slot(Grappa::mycore(), 0)),
        own_words_((int64_t{1} << index_bits_) / 64),
        members_(members.pointer()),
        open_(static_cast<size_t>(own_words_) + 1),
        parent_(static_cast<size_t>(lists_.vertices())) {}

  /// From: a task on every core, at the same time. Suspends until all cores have finished.
  void build() {
    const int64_t open = find_giant();
    reset();
    if (open == 0) return;
    for_each_open([this](int64_t place) { link_within(place); });
    Grappa::barrier();  // no core sends a message before all forests are initialized
    Grappa::finish([this] { for_each_open([this](int64_t place) { link_across(place); }); });
    Grappa::barrier();
    Grappa::finish([this] { for_each_open([this](int64_t place) { ask(place); }); });
    for_each_open([this](int64_t place) { parent(place) = parent(top(place)); });
  }

  /// From: a task on every core. Suspends.
  void copy_labels(GlobalAddress<VertexID> label) const { apps::copy_ids(lists_, parent_, label); }

 private:
  Core core(Slot slot) const { return static_cast<Core>(uint64_t{slot} >> index_bits_); }
  int64_t place(Slot slot) const { return static_cast<int64_t>(slot & index_mask_); }
  Slot slot(int64_t place) const { return static_cast<Slot>(first_slot_ | uint64_t(place)); }
  bool is_own(Slot slot) const { return core(slot) == Grappa::mycore(); }
  bool before(Slot a, Slot b) const { return a == seed_ ? b != seed_ : b != seed_ && a < b; }
  bool in_giant(Slot slot) const { return apps::has_bit(members_, slot); }
  void set_parent(int64_t place, Slot slot) { parent(place) = slot; }
  Slot& parent(int64_t place) { return parent_[static_cast<size_t>(place)]; }
  apps::SlotList<Slot> list(int64_t place) const { return apps::list_of<Slot>(lists_, place); }

  template <class F>
  void for_each_open(F body) const {
    apps::for_each_bit(open_.data(), own_words_, body);
  }

  // Calls `method` at the owner of a vertex of another core, with the local index of the vertex.
  template <void (Forest::*method)(int64_t, Slot)>
  void send(Slot vertex, Slot other) const {
    const Slot place = vertex & static_cast<Slot>(index_mask_);
    Grappa::delegate::call<Grappa::async>(
        core(vertex), [place, other] { (current_->*method)(static_cast<int64_t>(place), other); });
  }

  // Runs step 1. Returns the number of vertices that have neighbours and are not in the set.
  int64_t find_giant() {
    uint64_t* const own = members_ + Grappa::mycore() * own_words_;
    open_all();
    int64_t members = Grappa::allreduce<int64_t, Grappa::collective_add>(add_seed());
    for (;;) {
      const Joined joined = sweep(own);
      apps::copy_to_all_cores(own, own_words_);
      const Joined all = Grappa::allreduce<Joined, sum>(joined);  // a barrier for the copies, too
      const bool pays = all.members >= members || all.members >= all.open / kGoodPart;
      if (all.members == 0 || all.open == 0 || !pays) return all.open;
      members += all.members;
    }
  }

  // Empties the set, marks all vertices with neighbours as open, and selects the seed.
  void open_all() {
    std::fill_n(members_, own_words_ * Grappa::cores(), 0);
    std::fill(open_.begin(), open_.end(), 0);
    Candidate best = {0, 0};
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      const int64_t size = lists_.size(place);
      open_[static_cast<size_t>(place / 64)] |= uint64_t{size != 0} << (place % 64);
      if (size > best.neighbours) best = Candidate{size, slot(place)};
    }
    seed_ = static_cast<Slot>(Grappa::allreduce<Candidate, larger>(best).slot);
  }

  // The owner of the seed adds the seed and its neighbours. Returns the number of added vertices.
  int64_t add_seed() {
    if (!is_own(seed_)) return 0;
    apps::set_bit(members_, seed_);
    for (const Slot slot : list(place(seed_))) apps::set_bit(members_, slot);
    apps::copy_to_all_cores(members_, own_words_ * Grappa::cores());
    return 1 + lists_.size(place(seed_));
  }

  Joined sweep(uint64_t* own) {
    for (int64_t word = 0; word < own_words_; ++word) open_[size_t(word)] &= ~own[word];
    Joined joined = {0, 0};
    apps::for_each_adjacent<Slot>(lists_, members_, open_.data(), 0, own_words_,
                                  [own, &joined](int64_t place, Slot) {
                                    apps::set_bit(own, uint64_t(place));
                                    ++joined.members;
                                  });
    for (const uint64_t word : open_) joined.open += __builtin_popcountll(word);
    return joined;
  }

  // Initially, the seed is the parent of giant component members. All other vertices are roots.
  void reset() {
    current_ = this;
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      const Slot own = slot(place);
      parent(place) = in_giant(own) ? seed_ : own;
    }
  }

  // Returns the last vertex of this core on the path to the root. Halves the path.
  int64_t top(int64_t place) {
    for (;;) {
      const Slot above = parent(place);
      if (!is_own(above) || above == slot(place)) return place;
      const Slot next = parent(this->place(above));
      if (!is_own(next) || next == above) return this->place(above);
      parent(place) = next;
      place = this->place(next);
    }
  }

  // Links the components of a vertex of this core and of a vertex of any core.
  void link(int64_t place, Slot other) {
    for (;;) {
      const int64_t highest = top(place);
      Slot& above = parent(highest);
      if (above == other) return;
      if (above == slot(highest) && before(other, above)) {
        above = other;
        return;
      }
      // The later vertex becomes a child of the other. If it has a parent, link the parent instead.
      const bool other_is_later = before(above, other);
      const Slot later = other_is_later ? other : above;
      other = other_is_later ? above : other;
      if (!is_own(later)) return send<&Forest::link>(later, other);
      place = this->place(later);
    }
  }

  void link_within(int64_t place) {
    const Slot own = slot(place);
    for (const Slot each : list(place)) {
      if (in_giant(each)) {
        link(place, seed_);
      } else if (each < own && is_own(each)) {
        link(place, each);
      }
    }
  }

  void link_across(int64_t place) {
    for (const Slot each : list(place)) {
      if (each < first_slot_ && !in_giant(each)) link(place, each);
    }
  }

  // Requests the root of a tree whose root is on another core.
  void ask(int64_t place) {
    const Slot above = parent(place);
    if (!is_own(above) && above != seed_) send<&Forest::answer>(above, slot(place));
  }

  void answer(int64_t place, Slot asker) {
    const Slot above = parent(top(place));
    if (is_own(above) || above == seed_) {
      send<&Forest::set_parent>(asker, above);
    } else {
      send<&Forest::answer>(above, asker);
    }
  }

  static Forest* current_;  // the forest that build() works on

  const Csr& lists_;
  const int index_bits_;
  const uint64_t index_mask_;
  const uint64_t first_slot_;   // the first slot of this core
  const int64_t own_words_;     // number of words of the part of a bitmap that belongs to one core
  uint64_t* const members_;     // the giant component, of all cores
  std::vector<uint64_t> open_;  // other vertices with neighbours, by local index; a 0 word follows
  Slot seed_ = 0;               // a giant component member, if the graph has an edge
  std::vector<Slot> parent_;    // parents by local index; a root is its own parent
};

template <class Slot>
Forest<Slot>* Forest<Slot>::current_ = nullptr;

template <class Slot>
class AfforestComponents : public Components {
 public:
  explicit AfforestComponents(GlobalAddress<LabelGraph> g)
      : members_(Grappa::symmetric_global_alloc<uint64_t>(int64_t(g->csr().layout().slots() / 64))),
        forest_(Grappa::symmetric<Forest<Slot>>(g->lists(), members_)) {}
  ~AfforestComponents() {
    Grappa::global_free(forest_);
    Grappa::global_free(members_);
  }

  void run() override {
    const GlobalAddress<Forest<Slot>> forest = forest_;
    Grappa::on_all_cores([forest] { forest->build(); });
  }

  void copy_labels(GlobalAddress<VertexID> label) override {
    const GlobalAddress<Forest<Slot>> forest = forest_;
    Grappa::on_all_cores([forest, label] { forest->copy_labels(label); });
  }

 private:
  const GlobalAddress<uint64_t> members_;
  const GlobalAddress<Forest<Slot>> forest_;
};

}  // namespace

std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g) {
  return apps::make_for_slots<Components, AfforestComponents>(g->csr(), g);
}

}  // namespace cc
