#pragma once

/// The bottom-up steps of a direction-optimising search: every unvisited vertex searches its list
/// until it finds a visited neighbour. That neighbour is in the frontier, because all candidates
/// that are neighbours of earlier frontiers have been visited. Each locale has a bitmap of the
/// visited vertices, by slot, and each core one of its own unvisited vertices. A step reads only
/// these bitmaps and the lists of the core, and finds the part of the next frontier that this core
/// owns. Each locale then copies its parts (slots / 8 / locales bytes) to all other locales.

#include "apps/bfs/search.hpp"
#include "apps/common/bitmap.hpp"
#include "system/parallel/locale_array.hpp"

#include <algorithm>

namespace bfs {

using Grappa::detail::Csr;
typedef Grappa::detail::LocaleArray<uint64_t> Bitmap;

inline Found sum(const Found& a, const Found& b) {
  return Found{a.vertices + b.vertices, a.entries + b.entries, a.with_leaves + b.with_leaves};
}

/// A symmetric object. Each core calls the methods on its own instance.
class BottomUp {
 public:
  /// The candidates, whose lists the steps search, have at least `fewest` neighbours, 1 or more.
  static GlobalAddress<BottomUp> create(GlobalAddress<Csr> lists, int64_t fewest) {
    const auto visited = create_bitmap(lists), next = create_bitmap(lists);
    return Grappa::symmetric<BottomUp>(lists, visited, next, fewest);
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

  /// Starts a search. Marks only the root as visited. `root` is its local index, or -1 if another
  /// core owns it.
  void reset(int64_t root) {
    unvisited_ = candidates_;
    visit(root_ = root);
    shared_ = false;
  }

  /// Marks a vertex of this core as visited. Returns false if it is not a candidate, or was
  /// visited before.
  bool visit(int64_t place) {
    if (place < 0) return false;
    uint64_t* const word = &unvisited_[size_t(place / 64)];
    const uint64_t bit = uint64_t{1} << (place % 64);
    if ((*word & bit) == 0) return false;
    *word ^= bit;
    return true;
  }

  /// Copies the visited vertices of this core to all locales. A barrier must follow. From: a task
  /// on every core. Suspends. Messages: those of LocaleArray::share().
  void share() {
    for (int64_t word = 0; word < next_->part(); ++word) next_->own()[word] = visited_word(word);
    share_next();
  }

  /// Returns true if the cores have called share() in this search.
  bool shared() const { return shared_; }

  /// Returns the visited vertices of all cores, when they last called share() or step(), as words()
  /// words with a bit for each slot.
  const uint64_t* visited() const { return visited_->all(); }
  int64_t words() const { return visited_->size(); }

  /// Runs a step, after share(). Calls `claim(place, slot)` for each unvisited vertex of this core
  /// that has a visited neighbour, with the slot of the first such neighbour, and shares the newly
  /// visited vertices as share() does. Slot: uint32_t or uint64_t, as in the lists.
  template <class Slot, class Claim>
  Found step(Claim claim) {
    Found found = {0, 0, 0};
    uint64_t* const mine = next_->own();
    Grappa::forall_here(
        0, next_->part(), [this, mine, &claim, &found](int64_t first, int64_t count) {
          std::copy_n(visited_->own() + first, count, mine + first);
          apps::for_each_adjacent<Slot>(*lists_, visited(), unvisited_.data(), first, count,
                                        kAdjacentNs,
                                        [this, mine, &claim, &found](int64_t place, Slot slot) {
                                          claim(place, slot);
                                          apps::set_bit(mine, uint64_t(place));
                                          ++found.vertices;
                                          found.entries += lists_->size(place);
                                        });
        });
    share_next();
    return found;
  }

  /// Calls `body(place)` with the local index of each vertex that the last step of this core found.
  template <class F>
  void for_each_found(F body) const {
    apps::for_each_bit(
        next_->part(), [this](int64_t word) { return found_word(word); }, body);
  }

  /// Returns true if the last step of this core found a vertex that is in `set`, which has a bit
  /// for each local index.
  bool found_any(const uint64_t* set) const {
    for (int64_t word = 0; word < next_->part(); ++word) {
      if ((found_word(word) & set[word]) != 0) return true;
    }
    return false;
  }

  /// Calls `body(place)` with the local index of each visited vertex of this core that is not yet
  /// in visited() of the other cores.
  template <class F>
  void for_each_unshared(F body) const {
    const uint64_t* const shared = shared_ ? visited_->own() : nullptr;
    const auto unshared_word = [this, shared](int64_t word) {
      return shared == nullptr ? visited_word(word) : visited_word(word) & ~shared[word];
    };
    apps::for_each_bit(next_->part(), unshared_word, body);
  }

  /// Called by create() only.
  BottomUp(GlobalAddress<Csr> lists, GlobalAddress<Bitmap> visited, GlobalAddress<Bitmap> next,
           int64_t fewest)
      : lists_(lists.pointer()),
        bitmaps_{visited, next},
        visited_(visited.pointer()),
        next_(next.pointer()),
        candidates_(static_cast<size_t>(next_->part()) + 1, 0) {
    for (int64_t place = 0; place < lists_->vertices(); ++place) {
      if (lists_->size(place) >= fewest) apps::set_bit(candidates_.data(), uint64_t(place));
    }
  }

 private:
  static constexpr double kAdjacentNs = 20;  // charged for an unvisited vertex

  uint64_t visited_word(int64_t word) const {
    const uint64_t all = candidates_[size_t(word)] & ~unvisited_[size_t(word)];
    return root_ >= 0 && root_ / 64 == word ? all | uint64_t{1} << (root_ % 64) : all;
  }

  uint64_t found_word(int64_t word) const { return visited_->own()[word] & ~next_->own()[word]; }

  void share_next() {
    next_->share();
    std::swap(visited_, next_);
    shared_ = true;
  }

  const Csr* lists_;
  const GlobalAddress<Bitmap> bitmaps_[2];
  Bitmap* visited_;
  Bitmap* next_;  // between two steps, it contains the previous visited_
  bool shared_ = false;
  int64_t root_ = -1;  // may be a vertex that is no candidate
  // Bits by local index, and a zero word.
  std::vector<uint64_t> unvisited_;  // candidates
  std::vector<uint64_t> candidates_;
};

}  // namespace bfs
