#include "apps/cc/giant.hpp"

#include <algorithm>

namespace cc {

using Grappa::Core;
using Grappa::GlobalAddress;
using Grappa::detail::Csr;

namespace {

// A vertex and the number of its neighbours.
struct Candidate {
  int64_t neighbours;
  uint64_t slot;
};

Candidate larger(const Candidate& a, const Candidate& b) {
  if (a.neighbours != b.neighbours) return a.neighbours > b.neighbours ? a : b;
  return a.slot < b.slot ? a : b;
}

// A sweep pays off if it doubles the set or adds at least 1/kGoodPart of the remaining vertices.
constexpr int64_t kGoodPart = 16;

}  // namespace

GlobalAddress<Giant> Giant::create(GlobalAddress<Csr> lists) {
  const auto bitmaps =
      Grappa::symmetric_global_alloc<uint64_t>(int64_t(lists->layout().slots() / 64));
  return Grappa::symmetric<Giant>(lists, bitmaps);
}

void Giant::destroy(GlobalAddress<Giant> giant) {
  Grappa::global_free(giant->bitmaps_);
  Grappa::global_free(giant);
}

Giant::Giant(GlobalAddress<Csr> lists, GlobalAddress<uint64_t> bitmaps)
    : lists_(*lists.pointer()),
      bitmaps_(bitmaps),
      own_words_((int64_t{1} << lists_.layout().index_bits()) / 64),
      members_(bitmaps.pointer()),
      open_(static_cast<size_t>(own_words_) + 1) {}

Giant::Joined Giant::sum(const Joined& a, const Joined& b) {
  return Joined{a.members + b.members, a.open + b.open};
}

// Empties the set, marks all vertices with neighbours as open, and selects the seed.
void Giant::begin() {
  std::fill_n(members_, own_words_ * Grappa::cores(), 0);
  std::fill(open_.begin(), open_.end(), 0);
  Candidate best = {0, 0};
  for (int64_t place = 0; place < lists_.vertices(); ++place) {
    const int64_t size = lists_.size(place);
    open_[static_cast<size_t>(place / 64)] |= uint64_t{size != 0} << (place % 64);
    if (size > best.neighbours) {
      best = Candidate{size, lists_.layout().slot(Grappa::mycore(), place)};
    }
  }
  seed_ = Grappa::allreduce<Candidate, larger>(best).slot;
}

// Copies part of this core's bitmap to all other cores. Returns when all copies have arrived.
void Giant::share(const uint64_t* words, int64_t n) const {
  Grappa::finish([words, n] {
    for (Core step = 1; step < Grappa::cores(); ++step) {
      const Core there = static_cast<Core>((Grappa::mycore() + step) % Grappa::cores());
      Grappa::memcpy_async(Grappa::make_global(const_cast<uint64_t*>(words), there), words, n);
    }
  });
}

// The owner of the seed adds the seed and its neighbours. Returns the number of added vertices.
template <class Slot>
int64_t Giant::add_seed() {
  const Grappa::detail::VertexLayout& layout = lists_.layout();
  if (layout.core_of_slot(seed_) != Grappa::mycore()) return 0;
  const int64_t place = layout.place_of_slot(seed_);
  members_[seed_ / 64] |= uint64_t{1} << (seed_ % 64);
  for (int64_t entry = lists_.first(place); entry < lists_.first(place + 1); ++entry) {
    const Slot slot = lists_.slots<Slot>()[entry];
    members_[slot / 64] |= uint64_t{1} << (slot % 64);
  }
  share(members_, own_words_ * Grappa::cores());
  return 1 + lists_.size(place);
}

template <class Slot>
bool Giant::joins(int64_t place) const {
  const Slot* const end = lists_.slots<Slot>() + lists_.first(place + 1);
  for (const Slot* slot = lists_.slots<Slot>() + lists_.first(place); slot != end; ++slot) {
    if (has(*slot)) return true;
  }
  return false;
}

template <class Slot>
Giant::Joined Giant::sweep() {
  const Slot* const slots = lists_.slots<Slot>();
  const uint64_t* const firsts = lists_.firsts();
  uint64_t* const mine = own();
  Joined joined = {0, 0};
  open_[0] &= ~mine[0];
  for (int64_t word = 0; word < own_words_; ++word) {
    uint64_t& open = open_[static_cast<size_t>(word)];
    uint64_t& next = open_[static_cast<size_t>(word + 1)];
    if (word + 1 < own_words_) next &= ~mine[word + 1];
    // Lists are read in memory order, but the hardware does not prefetch their first cache lines.
    for (uint64_t ahead = next; ahead != 0; ahead &= ahead - 1) {
      __builtin_prefetch(slots + firsts[word * 64 + 64 + __builtin_ctzll(ahead)]);
    }
    for (uint64_t each = open; each != 0; each &= each - 1) {
      const uint64_t bit = each & -each;
      if (!joins<Slot>(word * 64 + __builtin_ctzll(each))) continue;
      mine[word] |= bit;
      open &= ~bit;
      ++joined.members;
    }
    joined.open += __builtin_popcountll(open);
  }
  return joined;
}

template <class Slot>
int64_t Giant::find() {
  begin();
  int64_t members = Grappa::allreduce<int64_t, Grappa::collective_add>(add_seed<Slot>());
  for (;;) {
    const Joined joined = sweep<Slot>();
    share(own(), own_words_);
    const Joined all = Grappa::allreduce<Joined, sum>(joined);  // also a barrier after share()
    const bool pays = all.members >= members || all.members >= all.open / kGoodPart;
    if (all.members == 0 || all.open == 0 || !pays) return all.open;
    members += all.members;
  }
}

template int64_t Giant::find<uint32_t>();
template int64_t Giant::find<uint64_t>();

}  // namespace cc
