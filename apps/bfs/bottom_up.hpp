#pragma once

/// The bottom-up steps of a direction-optimising search: every unvisited vertex searches its list
/// until it finds a neighbour in the frontier. Each core has two bitmaps: the frontier of all
/// cores, by slot, and its own unvisited vertices. A step reads only these bitmaps and the lists of
/// the core, and finds the part of the next frontier that this core owns. Each core then copies its
/// part (slots / 8 / cores bytes) to all other cores.

#include "apps/bfs/search.hpp"
#include "apps/common/bitmap.hpp"

#include <algorithm>

namespace bfs {

using Grappa::detail::Csr;

inline Found sum(const Found& a, const Found& b) {
  return Found{a.vertices + b.vertices, a.entries + b.entries};
}

/// A symmetric object. Each core calls the methods on its own instance.
class BottomUp {
 public:
  static GlobalAddress<BottomUp> create(GlobalAddress<Csr> lists) {
    const auto bitmaps = Grappa::symmetric_global_alloc<uint64_t>(
        kBitmaps * int64_t(lists->layout().slots() / 64) + 1);
    return Grappa::symmetric<BottomUp>(lists, bitmaps);
  }
  static void destroy(GlobalAddress<BottomUp> bottom_up) {
    Grappa::global_free(bottom_up->bitmaps_);
    Grappa::global_free(bottom_up);
  }

  /// Marks all vertices of this core as unvisited, before a search.
  void reset() { std::copy(with_neighbours_.begin(), with_neighbours_.end(), unvisited_); }
  void visit(int64_t place) { unvisited_[place / 64] &= ~(uint64_t{1} << (place % 64)); }

  /// Clears this core's part of the next frontier, before a change to bottom-up steps.
  void clear_own() { std::fill_n(own(next_), own_words_, 0); }
  void add_own(int64_t place) { apps::set_bit(own(next_), uint64_t(place)); }

  /// Makes all vertices that any core has added or found the new frontier. A barrier must follow.
  /// From: a task on every core. Suspends. Messages: one copy to each other core.
  void share() {
    apps::copy_to_all_cores(own(next_), own_words_);
    std::swap(frontier_, next_);
  }

  /// Returns the frontier of all cores, as words() words with a bit for each slot.
  const uint64_t* frontier() const { return frontier_; }
  int64_t words() const { return own_words_ * Grappa::cores(); }

  /// Runs a step. Calls `claim(place, slot)` for each unvisited vertex of this core that has a
  /// neighbour in the frontier, with the slot of the first such neighbour, and moves the vertex to
  /// the next frontier. Slot: uint32_t or uint64_t, as in the lists.
  template <class Slot, class Claim>
  Found step(Claim claim) {
    Found found = {0, 0};
    uint64_t* const mine = own(next_);
    Grappa::forall_here(0, own_words_, [this, mine, &claim, &found](int64_t first, int64_t count) {
      std::fill_n(mine + first, count, 0);
      apps::for_each_adjacent<Slot>(*lists_, frontier_, unvisited_, first, count,
                                    [this, mine, &claim, &found](int64_t place, Slot slot) {
                                      claim(place, slot);
                                      apps::set_bit(mine, uint64_t(place));
                                      ++found.vertices;
                                      found.entries += lists_->size(place);
                                    });
    });
    return found;
  }

  /// Calls `body(place)` with the local index of each vertex of this core in the frontier.
  template <class F>
  void for_each_own(F body) const {
    apps::for_each_bit(own(frontier_), own_words_, body);
  }

  /// Called by create() only.
  BottomUp(GlobalAddress<Csr> lists, GlobalAddress<uint64_t> bitmaps)
      : lists_(lists.pointer()),
        bitmaps_(bitmaps),
        own_words_((int64_t{1} << lists_->layout().index_bits()) / 64),
        frontier_(bitmaps.pointer()),
        next_(frontier_ + words()),
        unvisited_(next_ + words()),
        with_neighbours_(static_cast<size_t>(own_words_), 0) {
    std::fill_n(frontier_, kBitmaps * words() + 1, 0);
    for (int64_t place = 0; place < lists_->vertices(); ++place) {
      if (lists_->size(place) != 0) apps::set_bit(with_neighbours_.data(), uint64_t(place));
    }
  }

 private:
  static constexpr int64_t kBitmaps = 3;

  uint64_t* own(uint64_t* bitmap) const { return bitmap + Grappa::mycore() * own_words_; }

  const Csr* lists_;
  GlobalAddress<uint64_t> bitmaps_;  // over all cores
  int64_t own_words_;                // words of the part of one core
  uint64_t* frontier_;               // has the same address on every core, like next_
  uint64_t* next_;                   // complete only after share()
  uint64_t* unvisited_;  // vertices of this core that have neighbours; a zero word follows
  std::vector<uint64_t> with_neighbours_;  // the vertices of this core that have any
};

}  // namespace bfs
