#pragma once

/// Most of the largest component of an undirected graph, as a set of vertices that every locale
/// knows. Most edges of the component are never read.
///
/// The search starts at the vertex with the most neighbours. In a sweep, each core visits its
/// vertices outside of the set. A vertex joins the set as soon as it finds a neighbour in the set,
/// so later vertices of the locale can already find the new member in the same sweep. After a
/// sweep, the locales exchange their parts of the set. The search stops when a sweep adds too few
/// vertices, or when few vertices remain. (A similar start, with a search by levels: G. Slota, S.
/// Rajamanickam, K. Madduri, "BFS and Coloring-based Parallel Algorithms for Strongly Connected
/// Components and Related Problems", IPDPS 2014.)

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
  /// seed sends slots / 8 / locales bytes to each other locale. Then, and after each of at most a
  /// few dozen sweeps but the last, each locale sends the same amount to each other locale.
  /// Collectives: two, and one for each sweep; if there are several locales, one more for each.
  int64_t find() {
    int64_t members = 1 + std::min(select_seed(), most_of_seed());
    add_seed();
    Grappa::barrier();  // each core has its part
    if (Grappa::locales() > 1) {
      members_.share();
      Grappa::barrier();  // the copies have arrived
    }
    int64_t open_here = close_members();
    for (;;) {
      const int64_t joined_here = sweep();
      open_here -= joined_here;
      const Counts all = Grappa::allreduce<Counts, &plus>(Counts{joined_here, open_here});
      knows_all_ = Grappa::locales() == 1 || all.joined == 0;
      const bool ends = leaves_few(all.open);
      if (!ends && !knows_all_) {
        members_.share();
        Grappa::barrier();
        knows_all_ = true;
      }
      const bool pays = all.joined >= members || all.joined >= all.open / kGoodPart;
      if (ends || all.joined == 0 || !pays) return all.open;
      members += all.joined;
    }
  }

  /// The vertex where the search started: a member, if the graph has an edge.
  Slot seed() const { return seed_; }
  bool contains(Slot slot) const { return has_bit(members_.all(), slot); }

  /// True if contains() is right for each vertex. Otherwise, it is false for the members of other
  /// locales that have joined in the last sweep.
  bool knows_all() const { return knows_all_; }

  /// A bit for each local index. After find(), no core writes to it until the next find().
  const uint64_t* own_members() const { return members_.own(); }

  /// Calls `body(place)` for each vertex of this core that has neighbours and is not in the set.
  template <class F>
  void for_each_open(F body) const {
    for_each_bit(
        members_.part(), [this](int64_t word) { return open_[size_t(word)]; }, body);
  }

 private:
  // A sweep is repeated if it doubles the set or adds at least 1/kGoodPart of the open vertices.
  static constexpr int64_t kGoodPart = 16;

  // One core adds the neighbours of the seed, and the others wait. So it adds at most this multiple
  // of the slots of a core. On 1,024 cores and a Kronecker graph of scale 22, find() and the rest
  // of the algorithm take 1.25 times as long without the limit, which is 65,536 neighbours there.
  static constexpr int64_t kSeedPart = 16;

  // An open vertex that is left to messages costs as much as these bytes of the set. Not measured.
  static constexpr int64_t kOpenBytes = 64;

  static constexpr double kVertexNs = 1, kWordNs = 1;
  static constexpr double kAdjacentNs = 10;  // charged for an open vertex of a sweep

  int64_t most_of_seed() const { return kSeedPart * 64 * members_.part(); }

  // With several locales, messages for few open vertices take less time than another exchange.
  bool leaves_few(int64_t open) const {
    const int64_t bytes = members_.size() * static_cast<int64_t>(sizeof(uint64_t));
    return open == 0 || (Grappa::locales() > 1 && open * kOpenBytes < bytes);
  }

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

  // The owner of the seed adds the seed and the first of its neighbours. The other cores wait, so
  // the owner may write to their words, too.
  void add_seed() {
    if (lists_.layout().core_of_slot(seed_) != Grappa::mycore()) return;
    uint64_t* const all = members_.all();
    all[seed_ / 64] |= uint64_t{1} << seed_ % 64;
    const SlotList<Slot> list = list_of<Slot>(lists_, lists_.layout().place_of_slot(seed_));
    const int64_t n = std::min<int64_t>(list.last - list.first, most_of_seed());
    for (const Slot* slot = list.first; slot != list.first + n; ++slot) {
      all[*slot / 64] |= uint64_t{1} << *slot % 64;
    }
    charge(n, kVertexNs);
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
    return joined;
  }

  const Grappa::detail::Csr& lists_;
  Bitmap& members_;
  std::vector<uint64_t> open_;  // other vertices with neighbours, by local index; a 0 word follows
  Slot seed_ = 0;
  bool knows_all_ = true;
};

}  // namespace apps
