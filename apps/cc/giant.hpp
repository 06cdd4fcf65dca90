#pragma once

/// The first half of afforest: most of the largest component, as a bitmap.
///
/// The search starts at the vertex with the most neighbours, which is normally in the largest
/// component, and stops when a sweep adds too few vertices. The search does not proceed by levels.
/// In a sweep, each core visits its vertices outside of the set. A vertex joins the set as soon as
/// it finds a neighbour in the set, so later vertices of the same sweep can already find it. After
/// a sweep, the cores exchange their parts of the bitmap, one bit for each vertex. Most edges of a
/// large component are never read. (A similar start, with a search by levels: G. Slota, S.
/// Rajamanickam, K. Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected
/// Components and Related Problems", IPDPS 2014.)

#include <Grappa.hpp>

#include "structures/graph/csr/csr.hpp"

#include <cstdint>
#include <vector>

namespace cc {

/// A symmetric object. Each core calls the methods on its own instance.
class Giant {
 public:
  /// From: task. Suspends.
  static Grappa::GlobalAddress<Giant> create(Grappa::GlobalAddress<Grappa::detail::Csr> lists);
  static void destroy(Grappa::GlobalAddress<Giant> giant);

  /// Computes the set. Returns the number of vertices, over all cores, that have neighbours and are
  /// not in the set. Slot: uint32_t or uint64_t, as in the lists.
  /// From: a task on every core, at the same time. Suspends. Messages: slots / 8 / cores bytes to
  /// each other core for each sweep, of which there are at most a few dozen, and `cores` times as
  /// much for the seed.
  template <class Slot>
  int64_t find();

  bool has(uint64_t slot) const { return (members_[slot / 64] >> (slot % 64) & 1) != 0; }

  /// The slot of the seed, which is in the set if the graph has an edge.
  uint64_t seed() const { return seed_; }

  /// Calls `body(index)` for each vertex that has neighbours and is not in the set. `index` is
  /// local.
  template <class F>
  void for_each_open(F body) const;

  /// Only for create().
  Giant(Grappa::GlobalAddress<Grappa::detail::Csr> lists, Grappa::GlobalAddress<uint64_t> bitmaps);

 private:
  struct Joined {
    int64_t members;  // vertices that have joined in a sweep
    int64_t open;     // vertices that have neighbours and are not in the set
  };
  static Joined sum(const Joined& a, const Joined& b);

  uint64_t* own() const { return members_ + Grappa::mycore() * own_words_; }
  void begin();
  template <class Slot>
  int64_t add_seed();
  template <class Slot>
  bool joins(int64_t place) const;
  template <class Slot>
  Joined sweep();
  void share(const uint64_t* words, int64_t n) const;

  const Grappa::detail::Csr& lists_;
  Grappa::GlobalAddress<uint64_t> bitmaps_;  // over all cores
  const int64_t own_words_;                  // words of the part of one core
  uint64_t* const members_;                  // by slot; at the same address on every core
  std::vector<uint64_t> open_;               // of this core, by local index; plus a zero word
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
