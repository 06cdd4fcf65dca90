#pragma once

/// The second half of afforest: a union-find whose trees reach over all cores.
///
/// Each core has the parents of its own vertices. A parent comes before its children in the order
/// of slots, which is that of cores first; so on its way to the root a path that has left a core
/// does not come back, and crosses fewer cores than there are. Within a core paths are halved as
/// they are walked. One vertex comes before all: the seed of the giant component (giant.hpp).
///
/// Edges within a core are linked there. Of an edge between two cores the end whose slot comes
/// later is in charge: if its tree has no parent on another core yet, the other end becomes that,
/// and nothing is sent. Otherwise a message takes the two that have to be linked to the owner of
/// the later one, which does the same. So much of the work is for the first cores, which is fair to
/// few cores only; little is left for them to do unless the diameter is long.

#include "apps/cc/giant.hpp"

#include "structures/graph/csr.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// A symmetric object; calls are for each core's own. Slot: uint32_t or uint64_t.
template <class Slot>
class Forest {
 public:
  Forest(Grappa::GlobalAddress<Grappa::detail::Csr> lists, Grappa::GlobalAddress<Giant> giant);

  /// From: a task on every core, after Giant::find(), at the same time. Suspends: until all cores
  /// have ended. Messages: at most some of 8 bytes (16, where slots take 8) for each edge between
  /// cores that is not in the giant component, and none if `open`, what that has returned, is 0.
  void build(int64_t open);

  /// The root of a vertex of this core.
  Slot root(int64_t place) const { return parent_[static_cast<size_t>(place)]; }

 private:
  // Delegates at the owner of a vertex.
  struct Link {
    Slot place;
    Slot other;
    void operator()() const { current_->link(static_cast<int64_t>(place), other); }
  };
  struct Ask {
    Slot place;
    Slot asker;
    void operator()() const { current_->answer(static_cast<int64_t>(place), asker); }
  };
  struct Answer {
    Slot place;
    Slot root;
    void operator()() const { current_->parent(static_cast<int64_t>(place)) = root; }
  };

  Grappa::Core core(Slot slot) const {
    return static_cast<Grappa::Core>(uint64_t{slot} >> log_places_);
  }
  int64_t place(Slot slot) const { return static_cast<int64_t>(slot & place_mask_); }
  Slot slot(int64_t place) const { return static_cast<Slot>(first_slot_ | uint64_t(place)); }
  bool is_own(Slot slot) const { return core(slot) == Grappa::mycore(); }
  bool before(Slot a, Slot b) const { return a == seed_ ? b != seed_ : b != seed_ && a < b; }
  Slot& parent(int64_t place) { return parent_[static_cast<size_t>(place)]; }

  void reset();
  int64_t top(int64_t place);
  void link(int64_t place, Slot other);
  void link_within(int64_t place);
  void link_across(int64_t place);
  void ask(int64_t place);
  void answer(int64_t place, Slot asker);
  void flatten();

  static Forest* current_;  // the one that is built

  const Grappa::detail::Csr& lists_;
  const Giant& giant_;
  const int log_places_;
  const uint64_t place_mask_;
  const uint64_t first_slot_;  // of this core
  Slot seed_ = 0;
  std::vector<Slot> parent_;  // by place; a root is its own
};

}  // namespace cc
