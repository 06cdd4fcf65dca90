#pragma once

/// The first half of afforest: most of the largest component, as a set of bits.
///
/// A search that starts at the vertex with the most neighbours, which as a rule is in the largest
/// component, and that gives up where it no longer pays. It does not go by levels. Each core sweeps
/// through its vertices that are not in the set: each looks through its neighbours until it finds
/// one that is, and joins at once, so that those behind it in the same sweep find it. After a sweep
/// the cores tell each other who has joined, a bit for each vertex. So most edges of a large
/// component are never looked at (G. Slota, S. Rajamanickam, K. Madduri, "BFS and Coloring-based
/// Parallel Algorithms for Strongly Connected Components and Related Problems", IPDPS 2014, begin
/// components alike, with a search by levels).

#include <Grappa.hpp>

#include "structures/graph/csr.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// A symmetric object; calls are for each core's own.
class Giant {
 public:
  /// From: task. Suspends.
  static Grappa::GlobalAddress<Giant> create(Grappa::GlobalAddress<Grappa::detail::Csr> lists);
  static void destroy(Grappa::GlobalAddress<Giant> giant);

  /// Finds the set anew. Slot: uint32_t or uint64_t, as the lists have them. Returns how many
  /// vertices of all cores have neighbours and are not in it.
  /// From: a task on every core, at the same time. Suspends. Messages: slots / 8 / cores bytes to
  /// each other core for each of at most a few dozen sweeps, the first time as many as there are
  /// cores.
  template <class Slot>
  int64_t find();

  bool has(uint64_t slot) const { return (members_[slot / 64] >> (slot % 64) & 1) != 0; }

  /// The slot where the search began: in the set, if there is an edge at all.
  uint64_t seed() const { return seed_; }

  /// Calls `body(place)` for each vertex of this core that has neighbours and is not in the set.
  template <class F>
  void for_each_open(F body) const;

  /// By create() only.
  Giant(Grappa::GlobalAddress<Grappa::detail::Csr> lists, Grappa::GlobalAddress<uint64_t> bitmaps);

 private:
  struct Joined {
    int64_t members;  // that have joined in a sweep
    int64_t open;     // that are left
  };
  static Joined sum(const Joined& a, const Joined& b);

  uint64_t* own() const { return members_ + Grappa::mycore() * own_words_; }
  void begin();
  template <class Slot>
  int64_t plant();
  template <class Slot>
  bool joins(int64_t place) const;
  template <class Slot>
  Joined sweep();
  void share(const uint64_t* words, int64_t n) const;

  const Grappa::detail::Csr& lists_;
  Grappa::GlobalAddress<uint64_t> bitmaps_;  // of all cores
  const int64_t own_words_;                  // of one core's part
  uint64_t* const members_;                  // by slot; at the same place on every core
  std::vector<uint64_t> open_;               // of this core, by place; a word of none behind them
  uint64_t seed_ = 0;
};

template <class F>
void Giant::for_each_open(F body) const {
  for (int64_t word = 0; word < own_words_; ++word) {
    for (uint64_t open = open_[static_cast<size_t>(word)]; open != 0; open &= open - 1) {
      body(word * 64 + __builtin_ctzll(open));
    }
  }
}

}  // namespace cc
