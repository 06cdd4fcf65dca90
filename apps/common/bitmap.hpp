#pragma once

/// Functions for bitmaps over slots or vertices (arrays of words), and for lists and arrays of
/// slots.

#include <Grappa.hpp>

#include "structures/graph/csr/csr.hpp"

#include <vector>

namespace apps {

inline bool has_bit(const uint64_t* words, uint64_t i) {
  return (words[i / 64] >> (i % 64) & 1) != 0;
}

/// Sets a bit. Returns false if the bit was set before.
inline bool set_bit(uint64_t* words, uint64_t i) {
  uint64_t& word = words[i / 64];
  const uint64_t bit = uint64_t{1} << (i % 64);
  if ((word & bit) != 0) return false;
  word |= bit;
  return true;
}

/// Calls `body(i)` for each set bit of `n` words.
template <class F>
void for_each_bit(const uint64_t* words, int64_t n, F body) {
  for (int64_t word = 0; word < n; ++word) {
    for (uint64_t set = words[word]; set != 0; set &= set - 1) {
      body(word * 64 + __builtin_ctzll(set));
    }
  }
}

/// The neighbours of a vertex of this core. Slot: uint32_t or uint64_t, as in the lists.
template <class Slot>
struct SlotList {
  const Slot* first;
  const Slot* last;
  const Slot* begin() const { return first; }
  const Slot* end() const { return last; }
};
template <class Slot>
SlotList<Slot> list_of(const Grappa::detail::Csr& lists, int64_t place) {
  const Slot* const slots = lists.slots<Slot>();
  return SlotList<Slot>{slots + lists.first(place), slots + lists.first(place + 1)};
}

/// Copies `n` words of this core to the same address on each other core; the memory must be
/// symmetric. From: task. Suspends: until the copies have arrived. Messages: one copy per other
/// core.
inline void copy_to_all_cores(uint64_t* words, int64_t n) {
  Grappa::finish([words, n] {
    for (Grappa::Core step = 1; step < Grappa::cores(); ++step) {
      const auto there = static_cast<Grappa::Core>((Grappa::mycore() + step) % Grappa::cores());
      Grappa::memcpy_async(Grappa::make_global(words, there), words, n);
    }
  });
}

/// For each vertex of this core, writes the id of a slot to a linear array over all vertices, or -1
/// if the slot is Slot(-1). `slots` has a slot for each local index. From: a task on every core.
/// Suspends. Messages: one for each vertex.
template <class Slot>
void copy_ids(const Grappa::detail::Csr& lists, const std::vector<Slot>& slots,
              Grappa::GlobalAddress<Grappa::VertexID> ids) {
  const Grappa::detail::VertexLayout& layout = lists.layout();
  Grappa::forall_here(0, lists.vertices(), [&slots, &layout, ids](int64_t place) {
    const Slot slot = slots[static_cast<size_t>(place)];
    const Grappa::VertexID id = slot == static_cast<Slot>(-1) ? -1 : layout.id_of_slot(slot);
    Grappa::delegate::write<Grappa::async>(ids + layout.id(Grappa::mycore(), place), id);
  });
}

}  // namespace apps
