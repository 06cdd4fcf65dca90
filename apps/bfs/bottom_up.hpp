#pragma once

/// The bottom-up steps of a direction-optimising search: every unvisited vertex searches its list
/// until it finds a neighbour in the frontier. Each locale has a bitmap of the frontier, by slot,
/// and each core one of its own unvisited vertices. A step reads only these bitmaps and the lists
/// of the core, and finds the part of the next frontier that this core owns. Each locale then
/// copies its parts (slots / 8 / locales bytes) to all other locales.

#include "apps/bfs/search.hpp"
#include "apps/common/bitmap.hpp"
#include "system/parallel/locale_array.hpp"

#include <algorithm>

namespace bfs {

using Grappa::detail::Csr;
typedef Grappa::detail::LocaleArray<uint64_t> Bitmap;

inline Found sum(const Found& a, const Found& b) {
  return Found{a.vertices + b.vertices, a.entries + b.entries};
}

/// A symmetric object. Each core calls the methods on its own instance.
class BottomUp {
 public:
  /// The candidates, whose lists the steps search, have at least `fewest` neighbours, 1 or more.
  static GlobalAddress<BottomUp> create(GlobalAddress<Csr> lists, int64_t fewest) {
    const auto frontier = create_bitmap(lists), next = create_bitmap(lists);
    return Grappa::symmetric<BottomUp>(lists, frontier, next, fewest);
  }
  /// Creates a bitmap with a bit for each slot.
  static GlobalAddress<Bitmap> create_bitmap(GlobalAddress<Csr> lists) {
    return Bitmap::create((int64_t{1} << lists->layout().index_bits()) / 64);
  }
  static void destroy(GlobalAddress<BottomUp> bottom_up) {
    Grappa::global_free(bottom_up->bitmaps_[0]);
    Grappa::global_free(bottom_up->bitmaps_[1]);
    Grappa::global_free(bottom_up);
  }

  /// Marks the candidates of this core as unvisited, before a search.
  void reset() { unvisited_ = candidates_; }

  /// Marks a vertex of this core as visited. Returns false if it is not a candidate, or was
  /// visited before.
  bool visit(int64_t place) {
    uint64_t* const word = &unvisited_[size_t(place / 64)];
    const uint64_t bit = uint64_t{1} << (place % 64);
    if ((*word & bit) == 0) return false;
    *word ^= bit;
    return true;
  }

  /// Clears this core's part of the next frontier, before a change to bottom-up steps.
  void clear_own() { std::fill_n(next_->own(), next_->part(), 0); }
  void add_own(int64_t place) { apps::set_bit(next_->own(), uint64_t(place)); }

  /// Makes the visited candidates of this core its part of the next frontier.
  void add_visited() {
    uint64_t* const mine = next_->own();
    for (int64_t word = 0; word < next_->part(); ++word) {
      mine[word] = candidates_[size_t(word)] & ~unvisited_[size_t(word)];
    }
  }

  /// Makes all vertices that any core has added or found the new frontier. A barrier must follow.
  /// From: a task on every core. Suspends. Messages: those of LocaleArray::share().
  void share() {
    next_->share();
    std::swap(frontier_, next_);
  }

  /// Returns the frontier of all cores, as words() words with a bit for each slot.
  const uint64_t* frontier() const { return frontier_->all(); }
  int64_t words() const { return frontier_->size(); }

  /// Runs a step. Calls `claim(place, slot)` for each unvisited vertex of this core that has a
  /// neighbour in the frontier, with the slot of the first such neighbour, and moves the vertex to
  /// the next frontier. Slot: uint32_t or uint64_t, as in the lists.
  template <class Slot, class Claim>
  Found step(Claim claim) {
    Found found = {0, 0};
    uint64_t* const mine = next_->own();
    const int64_t words = next_->part();
    Grappa::forall_here(0, words, [this, mine, &claim, &found](int64_t first, int64_t count) {
      std::fill_n(mine + first, count, 0);
      apps::for_each_adjacent<Slot>(*lists_, frontier(), unvisited_.data(), first, count,
                                    kAdjacentNs,
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
    apps::for_each_bit(frontier_->own(), frontier_->part(), body);
  }

  /// Returns true if a vertex of this core was in the frontier of the last step, and is in `set`,
  /// which has a bit for each local index.
  bool had_any(const uint64_t* set) const {
    for (int64_t word = 0; word < next_->part(); ++word) {
      if ((next_->own()[word] & set[word]) != 0) return true;
    }
    return false;
  }

  /// Called by create() only.
  BottomUp(GlobalAddress<Csr> lists, GlobalAddress<Bitmap> frontier, GlobalAddress<Bitmap> next,
           int64_t fewest)
      : lists_(lists.pointer()),
        bitmaps_{frontier, next},
        frontier_(frontier.pointer()),
        next_(next.pointer()),
        candidates_(static_cast<size_t>(next_->part()) + 1, 0) {
    for (int64_t place = 0; place < lists_->vertices(); ++place) {
      if (lists_->size(place) >= fewest) apps::set_bit(candidates_.data(), uint64_t(place));
    }
  }

 private:
  static constexpr double kAdjacentNs = 20;  // charged for an unvisited vertex

  const Csr* lists_;
  const GlobalAddress<Bitmap> bitmaps_[2];
  Bitmap* frontier_;
  Bitmap* next_;  // complete only after share()
  // Bits by local index, and a zero word.
  std::vector<uint64_t> unvisited_;  // candidates
  std::vector<uint64_t> candidates_;
};

}  // namespace bfs
