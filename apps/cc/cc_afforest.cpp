/// The fastest algorithm, on one node and across nodes. The idea is from M. Sutton, T. Ben-Nun, A.
/// Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling", IPDPS 2018:
/// find most of the giant component from few edges, and then process only edges of other vertices.
/// The published Afforest links a sample of the edges in one shared array of parents. Here, cores
/// share no array, so sweeps are used, which share only one bit for each vertex.
///   1. Sweeps over bitmaps find most of the largest component (giant_component.hpp).
///   2. A union-find over all cores processes the other vertices.
///
/// In the union-find, each core has the parents of its own vertices. A parent comes before its
/// children in the order of slots, which sorts by core first. A path to the root therefore never
/// returns to a core that it has left. The seed of the giant component is defined to come first. An
/// edge within a core is linked there. An edge between two cores is processed at the end whose slot
/// comes later, or at both ends if cores do not know all members of the giant component. If the
/// tree of this end has no parent on another core yet, the other end becomes its parent, without a
/// message. Otherwise, a message with the two vertices to link is sent to the owner of the later
/// vertex, which repeats the procedure.

#include "apps/cc/components.hpp"
#include "apps/common/charge.hpp"
#include "apps/common/giant_component.hpp"

namespace cc {
namespace {

using Grappa::detail::Csr;

/// The state of one core. Slot: uint32_t or uint64_t, as in the lists.
template <class Slot>
class Forest {
 public:
  typedef typename apps::GiantComponent<Slot>::Bitmap Bitmap;

  /// `members` has a bit for each slot.
  Forest(GlobalAddress<Csr> lists, GlobalAddress<Bitmap> members)
      : lists_(*lists.pointer()),
        layout_(lists_.layout()),
        first_slot_(static_cast<Slot>(layout_.slot(Grappa::mycore(), 0))),
        giant_(lists_, members.pointer()),
        parent_(static_cast<size_t>(lists_.vertices())) {}

  /// From: a task on every core, at the same time. Suspends until all cores have finished.
  void build() {
    const int64_t open = giant_.find();
    reset();
    if (open == 0) return;
    giant_.for_each_open(
        [this](int64_t place) { link_neighbours(place, first_slot_, slot(place)); });
    Grappa::barrier();  // no core sends a message before all forests are initialized
    const Slot end = giant_.knows_all() ? first_slot_ : static_cast<Slot>(-1);
    Grappa::finish([this, end] {
      giant_.for_each_open([this, end](int64_t place) { link_neighbours(place, 0, end); });
    });
    Grappa::barrier();
    Grappa::finish([this] { giant_.for_each_open([this](int64_t place) { ask(place); }); });
    giant_.for_each_open([this](int64_t place) { parent(place) = parent(top(place)); });
  }

  /// From: a task on every core. Suspends.
  void copy_labels(GlobalAddress<VertexID> label) const { apps::copy_ids(lists_, parent_, label); }

 private:
  int64_t place(Slot slot) const { return layout_.place_of_slot(slot); }
  Slot slot(int64_t place) const { return first_slot_ | static_cast<Slot>(place); }
  bool is_own(Slot slot) const { return layout_.core_of_slot(slot) == Grappa::mycore(); }
  bool before(Slot a, Slot b) const { return a == seed() ? b != seed() : b != seed() && a < b; }
  Slot seed() const { return giant_.seed(); }
  void set_parent(int64_t place, Slot slot) { parent(place) = slot; }
  Slot& parent(int64_t place) { return parent_[static_cast<size_t>(place)]; }

  // Calls `method` at the owner of a vertex of another core, with the local index of the vertex.
  template <void (Forest::*method)(int64_t, Slot)>
  void send(Slot vertex, Slot other) const {
    Grappa::delegate::call<Grappa::async>(layout_.core_of_slot(vertex), [vertex, other] {
      (current_->*method)(current_->place(vertex), other);
    });
  }

  static constexpr double kVertexNs = 1.2, kEntryNs = 3;

  // Initially, the seed is the parent of giant component members. All other vertices are roots.
  void reset() {
    current_ = this;
    const uint64_t* const members = giant_.own_members();
    Slot* const parents = parent_.data();
    const Slot seed = this->seed(), first = first_slot_;
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      const bool is_member = (members[place / 64] >> (place % 64) & 1) != 0;
      parents[place] = is_member ? seed : first | static_cast<Slot>(place);
    }
    apps::charge(lists_.vertices(), kVertexNs);
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

  // Links a vertex with the giant component, and with its neighbours from `first` to `last` - 1.
  void link_neighbours(int64_t place, Slot first, Slot last) {
    const apps::SlotList<Slot> neighbours = apps::list_of<Slot>(lists_, place);
    apps::charge(1 + neighbours.last - neighbours.first, kEntryNs);
    for (const Slot each : neighbours) {
      if (giant_.contains(each)) {
        link(place, seed());
      } else if (first <= each && each < last) {
        link(place, each);
      }
    }
  }

  // Requests the root of a tree whose root is on another core.
  void ask(int64_t place) {
    const Slot above = parent(place);
    if (!is_own(above) && above != seed()) send<&Forest::answer>(above, slot(place));
  }

  void answer(int64_t place, Slot asker) {
    const Slot above = parent(top(place));
    if (is_own(above) || above == seed()) {
      send<&Forest::set_parent>(asker, above);
    } else {
      send<&Forest::answer>(above, asker);
    }
  }

  static Forest* current_;  // the forest that build() works on

  const Csr& lists_;
  const Grappa::detail::VertexLayout& layout_;
  const Slot first_slot_;  // the first slot of this core
  apps::GiantComponent<Slot> giant_;
  std::vector<Slot> parent_;  // parents by local index; a root is its own parent
};

template <class Slot>
Forest<Slot>* Forest<Slot>::current_ = nullptr;

template <class Slot>
class AfforestComponents : public Components {
 public:
  explicit AfforestComponents(GlobalAddress<LabelGraph> g)
      : members_(apps::GiantComponent<Slot>::create_members(g->csr())),
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
  const GlobalAddress<typename Forest<Slot>::Bitmap> members_;
  const GlobalAddress<Forest<Slot>> forest_;
};

}  // namespace

std::unique_ptr<Components> afforest_components(GlobalAddress<LabelGraph> g) {
  return apps::make_for_slots<Components, AfforestComponents>(g->csr(), g);
}

}  // namespace cc
