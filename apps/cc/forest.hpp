#pragma once

/// The second half of afforest: a union-find whose trees span all cores.
///
/// Each core has the parents of its own vertices. A parent comes before its children in the order
/// of slots, which sorts by core first. A path to the root therefore never returns to a core that
/// it has left. Within a core, paths are halved during lookups. One vertex is defined to come
/// before all others: the seed of the giant component (giant.hpp).
///
/// An edge within a core is linked on that core. An edge between two cores is processed at the end
/// whose slot comes later. If the tree of this end has no parent on another core yet, the other end
/// becomes its parent, without a message. Otherwise, a message with the two vertices that must be
/// linked goes to the owner of the later one, which repeats the procedure. Much of this work is
/// done by the first cores, but the total is small unless the diameter is large.

#include "apps/cc/giant.hpp"

#include "structures/graph/csr/csr.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// A symmetric object. Each core calls the methods on its own instance. Slot: uint32_t or uint64_t.
template <class Slot>
class Forest {
 public:
  Forest(Grappa::GlobalAddress<Grappa::detail::Csr> lists, Grappa::GlobalAddress<Giant> giant);

  /// Builds the forest. `open` is the result of Giant::find(). From: a task on every core, at the
  /// same time. Suspends until all cores have finished. Messages: none if `open` is 0; otherwise a
  /// few of 8 bytes (16 if a slot has 8) for each edge between cores outside the giant component.
  void build(int64_t open);

  /// Returns the root of a vertex of this core, by local index.
  Slot root(int64_t place) const { return parent_[static_cast<size_t>(place)]; }

 private:
  // Delegates that run at the owner of a vertex.
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
    return static_cast<Grappa::Core>(uint64_t{slot} >> index_bits_);
  }
  int64_t place(Slot slot) const { return static_cast<int64_t>(slot & index_mask_); }
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

  static Forest* current_;  // the forest that build() works on

  const Grappa::detail::Csr& lists_;
  const Giant& giant_;
  const int index_bits_;
  const uint64_t index_mask_;
  const uint64_t first_slot_;  // the first slot of this core
  Slot seed_ = 0;
  std::vector<Slot> parent_;  // by local index; a root is its own parent
};

}  // namespace cc
