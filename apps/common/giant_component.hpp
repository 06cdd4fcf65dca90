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
  /// dozen sweeps, each locale sends the same amount to each other locale.
  int64_t find() {
    select_seed();
    int64_t members = sum(add_seed());  // a barrier, too: each core has its part
    members_.share();
    int64_t open = sum(close_members());
    for (;;) {
      const int64_t joined = sum(sweep());  // a barrier, too: the copies have arrived
      open -= joined;
      const bool pays = joined >= members || joined >= open / kGoodPart;
      if (joined == 0 || open == 0 || !pays) return open;
      members += joined;
    }
  }

  /// The vertex where the search started: a member, if the graph has an edge.
  Slot seed() const { return seed_; }
  bool contains(Slot slot) const { return has_bit(members_.all(), slot); }

  /// Calls `body(place)` for each vertex of this core that has neighbours and is not in the set.
  template <class F>
  void for_each_open(F body) const {
    for_each_bit(open_.data(), members_.part(), body);
  }

 private:
  // A sweep is repeated if it doubles the set or adds at least 1/kGoodPart of the open vertices.
  static constexpr int64_t kGoodPart = 16;

  static constexpr double kVertexNs = 1, kWordNs = 1;

  static int64_t sum(int64_t here) {
    return Grappa::allreduce<int64_t, Grappa::collective_add>(here);
  }

  // Empties the set, opens all vertices with neighbours, and selects as the seed the first of the
  // vertices with the most neighbours.
  void select_seed() {
    members_.clear();
    std::fill(open_.begin(), open_.end(), 0);
    int64_t most = -1, best = 0;
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      const int64_t size = lists_.size(place);
      open_[static_cast<size_t>(place / 64)] |= uint64_t{size != 0} << (place % 64);
      if (size <= most) continue;
      most = size;
      best = place;
    }
    charge(lists_.vertices(), kVertexNs);
    const Slot own_best = static_cast<Slot>(lists_.layout().slot(Grappa::mycore(), best));
    const bool is_most = most == Grappa::allreduce<int64_t, Grappa::collective_max>(most);
    seed_ = Grappa::allreduce<Slot, Grappa::collective_min>(is_most ? own_best : Slot(-1));
  }

  // The owner of the seed adds the seed and its neighbours. Returns the number of added vertices.
  int64_t add_seed() {
    if (lists_.layout().core_of_slot(seed_) != Grappa::mycore()) return 0;
    const int64_t place = lists_.layout().place_of_slot(seed_);
    set_bit(members_.all(), seed_);
    for (const Slot slot : list_of<Slot>(lists_, place)) set_bit(members_.all(), slot);
    charge(lists_.size(place), kVertexNs);
    members_.scatter();
    return 1 + lists_.size(place);
  }

  // Closes the members of the set on this core. Returns the number of vertices that stay open.
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
    for_each_adjacent<Slot>(lists_, members_.all(), open_.data(), 0, members_.part(),
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
