#pragma once

/// Most of the largest component of an undirected graph, as a set of vertices that every locale
/// knows. Most edges of the component are never read.
///
/// The search starts at the vertex with the most neighbours. In a sweep, each core visits its
/// vertices outside of the set. A vertex joins the set as soon as it finds a neighbour in the set,
/// so later vertices of the locale can already find the new member in the same sweep. After a
/// sweep, the locales exchange their parts of the set. The search stops when a sweep adds too few
/// vertices. (A similar start, with a search by levels: G. Slota, S. Rajamanickam, K. Madduri, "BFS
/// and Coloring-based Parallel Algorithms for Strongly Connected Components and Related Problems",
/// IPDPS 2014.)

#include "apps/common/bitmap.hpp"
#include "system/parallel/locale_array.hpp"

#include <algorithm>

namespace apps {

/// The set on one core. Slot: uint32_t or uint64_t, as in the lists.
template <class Slot>
class GiantComponent {
 public:
  typedef Grappa::detail::LocaleArray<uint64_t> Bitmap;

  /// `members` has a bit for each slot. Both must outlive the object.
  GiantComponent(const Grappa::detail::Csr& lists, Bitmap* members)
      : lists_(lists), members_(*members), open_(static_cast<size_t>(members->part()) + 1) {}

  static Grappa::GlobalAddress<Bitmap> create_members(const Grappa::detail::Csr& lists) {
    return Bitmap::create((int64_t{1} << lists.layout().index_bits()) / 64);
  }

  /// Finds the set. Returns the number of vertices on all cores that have neighbours and are not in
  /// the set. From: a task on every core, at the same time. Suspends. Messages: the core of the
  /// seed sends slots / 8 / locales bytes to each other locale. Then, and in each of at most a few
  /// dozen sweeps, each locale sends the same amount to each other locale. Collectives: two, three
  /// if there are several locales, and one for each sweep.
  int64_t find() {
    int64_t members = 1 + select_seed();
    add_seed();
    Grappa::barrier();  // each core has its part
    members_.share();
    int64_t open_here = close_members();
    if (Grappa::locales() > 1) Grappa::barrier();  // the copies have arrived
    for (;;) {
      const int64_t joined_here = sweep();
      open_here -= joined_here;
      // A barrier, too: the copies have arrived.
      const Counts all = Grappa::allreduce<Counts, &plus>(Counts{joined_here, open_here});
      const bool pays = all.joined >= members || all.joined >= all.open / kGoodPart;
      if (all.joined == 0 || all.open == 0 || !pays) return all.open;
      members += all.joined;
    }
  }

  /// The vertex where the search started: a member, if the graph has an edge.
  Slot seed() const { return seed_; }
  bool contains(Slot slot) const { return has_bit(members_.all(), slot); }

  /// A bit for each local index. After find(), no core writes to it until the next find().
  const uint64_t* own_members() const { return members_.own(); }

  /// Calls `body(place)` for each vertex of this core that has neighbours and is not in the set.
  template <class F>
  void for_each_open(F body) const {
    for_each_bit(open_.data(), members_.part(), body);
  }

 private:
  // A sweep is repeated if it doubles the set or adds at least 1/kGoodPart of the open vertices.
  static constexpr int64_t kGoodPart = 16;

  static constexpr double kVertexNs = 1, kWordNs = 1;
  static constexpr double kAdjacentNs = 10;  // charged for an open vertex of a sweep

  struct Counts {  // of vertices
    int64_t joined, open;
  };
  static Counts plus(const Counts& a, const Counts& b) {
    return Counts{a.joined + b.joined, a.open + b.open};
  }

  struct Candidate {  // for the seed
    int64_t neighbours;
    Slot slot;
  };
  static Candidate better(const Candidate& a, const Candidate& b) {
    if (a.neighbours != b.neighbours) return a.neighbours > b.neighbours ? a : b;
    return a.slot < b.slot ? a : b;
  }

  // Empties the set, opens all vertices with neighbours, and selects as the seed the first of the
  // vertices with the most neighbours. Returns the number of its neighbours.
  int64_t select_seed() {
    members_.clear();
    int64_t most = -1, best = 0;
    for (int64_t word = 0; word < members_.part(); ++word) {
      const int64_t first = word * 64, last = std::min(first + 64, lists_.vertices());
      uint64_t open = 0;  // in a register: in memory, each bit would wait for the bit before
      for (int64_t place = first; place < last; ++place) {
        const int64_t size = lists_.size(place);
        open |= uint64_t{size != 0} << (place - first);
        if (size <= most) continue;
        most = size;
        best = place;
      }
      open_[static_cast<size_t>(word)] = open;
    }
    charge(lists_.vertices(), kVertexNs);
    const Slot own_best = static_cast<Slot>(lists_.layout().slot(Grappa::mycore(), best));
    const Candidate seed = Grappa::allreduce<Candidate, &better>(Candidate{most, own_best});
    seed_ = seed.slot;
    return seed.neighbours;
  }

  // The owner of the seed adds the seed and its neighbours. The other cores wait, so the owner may
  // write to their words, too.
  void add_seed() {
    if (lists_.layout().core_of_slot(seed_) != Grappa::mycore()) return;
    const int64_t place = lists_.layout().place_of_slot(seed_);
    uint64_t* const all = members_.all();
    all[seed_ / 64] |= uint64_t{1} << seed_ % 64;
    for (const Slot slot : list_of<Slot>(lists_, place)) all[slot / 64] |= uint64_t{1} << slot % 64;
    charge(lists_.size(place), kVertexNs);
    members_.scatter();
  }

  // Closes the members of the set on this core. Returns the number of vertices of this core that
  // stay open.
  int64_t close_members() {
    int64_t open = 0;
    for (size_t word = 0; word < size_t(members_.part()); ++word) {
      open_[word] &= ~members_.own()[word];
      open += __builtin_popcountll(open_[word]);
    }
    charge(members_.part(), kWordNs);
    return open;
  }

  // Returns the number of vertices of this core that have joined the set.
  int64_t sweep() {
    uint64_t* const own = members_.own();
    int64_t joined = 0;
    for_each_adjacent<Slot>(lists_, members_.all(), open_.data(), 0, members_.part(), kAdjacentNs,
                            [own, &joined](int64_t place, Slot) {
                              set_bit(own, uint64_t(place));
                              ++joined;
                            });
    members_.share();
    return joined;
  }

  const Grappa::detail::Csr& lists_;
  Bitmap& members_;
  std::vector<uint64_t> open_;  // other vertices with neighbours, by local index; a 0 word follows
  Slot seed_ = 0;
};

}  // namespace apps
