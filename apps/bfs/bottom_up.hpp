#pragma once

/// The bottom-up steps of a direction-optimising search: every unvisited vertex searches its list
/// until it finds a neighbour in the frontier. Each locale has a bitmap of the frontier, by slot,
/// and each core one of its own unvisited vertices. A step reads only these bitmaps and the lists
/// of the core, and finds the part of the next frontier that this core owns. Each locale then
/// copies its parts (slots / 8 / locales bytes) to all other locales.

#include "apps/bfs/search.hpp"
#include "apps/common/bitmap.hpp"
#include "apps/common/charge.hpp"
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
  static GlobalAddress<BottomUp> create(GlobalAddress<Csr> lists) {
    const int64_t own_words = (int64_t{1} << lists->layout().index_bits()) / 64;
    const auto frontier = Bitmap::create(own_words), next = Bitmap::create(own_words);
    return Grappa::symmetric<BottomUp>(lists, frontier, next, Bitmap::create(own_words));
  }
  static void destroy(GlobalAddress<BottomUp> bottom_up) {
    Grappa::global_free(bottom_up->bitmaps_[0]);
    Grappa::global_free(bottom_up->bitmaps_[1]);
    Grappa::global_free(bottom_up->bitmaps_[2]);
    Grappa::global_free(bottom_up);
  }

  /// Marks all vertices of this core as unvisited, before a search. A barrier must follow.
  void reset() {
    unvisited_ = with_neighbours_;
    if (visited_any_) visited_->clear();
    visited_any_ = false;
  }
  void visit(int64_t place) { unvisited_[size_t(place / 64)] &= ~(uint64_t{1} << (place % 64)); }

  /// Clears this core's part of the next frontier, before a change to bottom-up steps.
  void clear_own() { std::fill_n(next_->own(), next_->part(), 0); }
  void add_own(int64_t place) { apps::set_bit(next_->own(), uint64_t(place)); }

  /// Makes all vertices that any core has added or found the new frontier. A barrier must follow.
  /// From: a task on every core. Suspends. Messages: those of LocaleArray::share().
  void share() {
    next_->share();
    std::swap(frontier_, next_);
  }

  /// Returns the frontier of all cores, as words() words with a bit for each slot.
  const uint64_t* frontier() const { return frontier_->all(); }
  int64_t words() const { return frontier_->size(); }

  /// Records that all vertices of the frontier have been visited. The cores of a locale divide the
  /// words among them. Atomic writes would make searches 10 % slower: a neighbour that reads a word
  /// meanwhile finds old or new bits, and may use either. From: a task on every core.
  void record_visited() {
    visited_any_ = true;
    visited_->for_each_written_here([this](int64_t first, int64_t n) {
      for (int64_t word = first; word < first + n; ++word) {
        visited_->all()[word] |= frontier_->all()[word];
      }
      apps::charge(n, kWordNs);
    });
  }

  /// Returns the vertices that record_visited() has recorded in this search, with a bit for each
  /// slot, or null if it was not called. Before a barrier, other cores may still record.
  const uint64_t* visited() const { return visited_any_ ? visited_->all() : nullptr; }

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

  /// Called by create() only.
  BottomUp(GlobalAddress<Csr> lists, GlobalAddress<Bitmap> frontier, GlobalAddress<Bitmap> next,
           GlobalAddress<Bitmap> visited)
      : lists_(lists.pointer()),
        bitmaps_{frontier, next, visited},
        frontier_(frontier.pointer()),
        next_(next.pointer()),
        visited_(visited.pointer()),
        with_neighbours_(static_cast<size_t>(next_->part()) + 1, 0) {
    for (int64_t place = 0; place < lists_->vertices(); ++place) {
      if (lists_->size(place) != 0) apps::set_bit(with_neighbours_.data(), uint64_t(place));
    }
  }

 private:
  const Csr* lists_;
  static constexpr double kWordNs = 0.3;  // charged

  const GlobalAddress<Bitmap> bitmaps_[3];
  Bitmap* frontier_;
  Bitmap* next_;           // complete only after share()
  Bitmap* const visited_;  // of this locale, by earlier bottom-up steps
  bool visited_any_ = false;
  std::vector<uint64_t> unvisited_;        // vertices of this core; a zero word follows
  std::vector<uint64_t> with_neighbours_;  // the vertices of this core that have any, likewise
};

}  // namespace bfs
