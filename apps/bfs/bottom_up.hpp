#pragma once

/// The bottom-up half of a direction-optimising search: every unvisited vertex looks through its
/// neighbours until it finds one in the frontier (Beamer, Asanovic, Patterson, SC 2012).
///
/// Each core has the frontier of all cores as a bitmap over slots, and what is unvisited of its own
/// vertices as another. A step reads only these and the core's own lists, and sends nothing. What
/// it has found is the core's part of the next frontier, which goes to all others as one copy of
/// slots / 8 / cores bytes.

#include <Grappa.hpp>

#include "structures/graph/csr.hpp"

#include <cstdint>
#include <vector>

namespace bfs {

/// Vertices of this core, and the entries of their lists.
struct Found {
  int64_t vertices;
  int64_t entries;
};

/// A symmetric object; calls are for each core's own.
class BottomUp {
 public:
  /// From: task. Suspends.
  static Grappa::GlobalAddress<BottomUp> create(Grappa::GlobalAddress<Grappa::detail::Csr> lists);
  static void destroy(Grappa::GlobalAddress<BottomUp> bottom_up);

  /// Before each search: no vertex of this core is visited.
  void reset();
  void visit(int64_t place) { unvisited_[place / 64] &= ~(uint64_t{1} << (place % 64)); }

  /// Before a bottom-up step whose frontier a top-down step has found: this core's part of it.
  void clear_own();
  void add_own(int64_t place) { own(next_)[place / 64] |= uint64_t{1} << (place % 64); }

  /// Makes what all cores have added, or found, the frontier. From: a task on every core. Suspends:
  /// until the parts of this core are there; so a barrier has to follow. Messages: one copy to each
  /// other core.
  void share();

  /// True if the vertex with that slot is in the frontier.
  bool in_frontier(uint64_t slot) const { return (frontier_[slot / 64] >> (slot % 64) & 1) != 0; }
  const uint64_t* frontier() const { return frontier_; }
  int64_t words() const { return words_; }

  /// One step: calls `claim(place, slot)` for each unvisited vertex of this core that has a
  /// neighbour in the frontier, with the first such. These are visited then, and this core's part
  /// of the next frontier. Slot: uint32_t or uint64_t, as the lists have them.
  template <class Slot, class Claim>
  Found step(Claim claim);

  /// Calls `body(place)` for each vertex of this core in the frontier.
  template <class F>
  void for_each_own(F body) const;

  /// By create() only.
  BottomUp(Grappa::GlobalAddress<Grappa::detail::Csr> lists,
           Grappa::GlobalAddress<uint64_t> bitmaps);

 private:
  uint64_t* own(uint64_t* bitmap) const { return bitmap + Grappa::mycore() * own_words_; }

  template <class Slot, class Claim>
  void step_words(int64_t first, int64_t count, Claim& claim, Found* found);

  const Grappa::detail::Csr* lists_;
  Grappa::GlobalAddress<uint64_t> bitmaps_;  // of all cores
  int64_t own_words_;                        // of one core's part
  int64_t words_;                            // of all
  uint64_t* frontier_;                       // these three at the same places on every core
  uint64_t* next_;                           // complete only once it has been shared
  uint64_t* unvisited_;  // of this core: those with neighbours; a word of none behind them
  std::vector<uint64_t> with_neighbours_;  // of this core
};

template <class Slot, class Claim>
Found BottomUp::step(Claim claim) {
  Found found = {0, 0};
  Grappa::forall_here(0, own_words_, [this, &claim, &found](int64_t first, int64_t count) {
    step_words<Slot>(first, count, claim, &found);
  });
  return found;
}

template <class Slot, class Claim>
void BottomUp::step_words(int64_t first, int64_t count, Claim& claim, Found* found) {
  const Slot* const slots = lists_->slots<Slot>();
  const uint64_t* const firsts = lists_->firsts();
  uint64_t* const mine = own(next_);
  for (int64_t word = first; word < first + count; ++word) {
    // Lists are read in the order of memory, but most begin on a cache line that nobody expects.
    for (uint64_t open = unvisited_[word + 1]; open != 0; open &= open - 1) {
      __builtin_prefetch(slots + firsts[word * 64 + 64 + __builtin_ctzll(open)]);
    }
    uint64_t awake = 0;
    for (uint64_t open = unvisited_[word]; open != 0; open &= open - 1) {
      const int64_t place = word * 64 + __builtin_ctzll(open);
      const Slot* const end = slots + firsts[place + 1];
      for (const Slot* slot = slots + firsts[place]; slot != end; ++slot) {
        if (!in_frontier(*slot)) continue;
        claim(place, *slot);
        awake |= open & -open;
        found->entries += static_cast<int64_t>(firsts[place + 1] - firsts[place]);
        break;
      }
    }
    unvisited_[word] &= ~awake;
    mine[word] = awake;
    found->vertices += __builtin_popcountll(awake);
  }
}

template <class F>
void BottomUp::for_each_own(F body) const {
  const uint64_t* const mine = own(frontier_);
  for (int64_t word = 0; word < own_words_; ++word) {
    for (uint64_t set = mine[word]; set != 0; set &= set - 1) {
      body(word * 64 + __builtin_ctzll(set));
    }
  }
}

}  // namespace bfs
