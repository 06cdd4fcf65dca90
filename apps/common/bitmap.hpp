#pragma once

/// Functions for bitmaps over slots or vertices (arrays of words), and for lists and arrays of
/// slots. Slots have 4 or 8 bytes.

#include <Grappa.hpp>

#include "apps/common/charge.hpp"
#include "structures/graph/csr/csr.hpp"
#include "system/base/compiler.hpp"

#include <memory>
#include <vector>

namespace apps {

/// Returns the word with bit `i`. Other cores may set bits of the same memory at the same time.
inline uint64_t word_of(const uint64_t* words, uint64_t i) {
  return __atomic_load_n(words + i / 64, __ATOMIC_RELAXED);
}
inline bool has_bit(const uint64_t* words, uint64_t i) {
  return (word_of(words, i) >> (i % 64) & 1) != 0;
}

/// Sets a bit. Returns false if the bit was set before. Only one core may write to a word, but
/// other cores may read it.
inline bool set_bit(uint64_t* words, uint64_t i) {
  uint64_t* const word = words + i / 64;
  const uint64_t bit = uint64_t{1} << (i % 64);
  if ((*word & bit) != 0) return false;
  __atomic_store_n(word, *word | bit, __ATOMIC_RELAXED);
  return true;
}

/// Calls `body(i)` for each set bit of the words word_at(0) to word_at(n - 1).
template <class Words, class F>
void for_each_bit(int64_t n, const Words& word_at, F body) {
  for (int64_t word = 0; word < n; ++word) {
    for (uint64_t set = word_at(word); set != 0; set &= set - 1) {
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

/// Returns the neighbours of the vertex place(i), one of `n` vertices whose lists are read in this
/// order. Such lists are scattered in memory, so the call prefetches the index of a later list, and
/// the first cache lines of another. With 3 lines, as many as a list of 32 entries of 4 bytes may
/// have, a search of a uniform graph takes 0.9 of the time with 1 line. With short lists, the other
/// lines belong to other vertices: betweenness of a road-like graph takes 1.1 of the time.
template <class Slot, size_t kLines = 1, class Place>
SlotList<Slot> scattered_list(const Grappa::detail::Csr& lists, size_t i, size_t n, Place place) {
  constexpr size_t kAhead = 8;  // not measured
  constexpr size_t kLine = 64 / sizeof(Slot);
  if (i + 2 * kAhead < n) GRAPPA_PREFETCH_TO_READ(lists.firsts() + place(i + 2 * kAhead));
  if (i + kAhead < n) {
    const Slot* const list = lists.slots<Slot>() + lists.first(place(i + kAhead));
    for (size_t line = 0; line < kLines; ++line) GRAPPA_PREFETCH_TO_READ(list + line * kLine);
  }
  return list_of<Slot>(lists, place(i));
}

/// Calls `body(place, slot)` for each open vertex of this core that has a neighbour in `set`, with
/// the slot of the first such neighbour, and closes the vertex. `open` has a bit for each local
/// index, and a zero word at its end; `set` has one for each slot, and `body` may add to it. Visits
/// the vertices of `count` words. Charges `vertex_ns` for an open vertex: lists are rarely read to
/// the end, and counting the entries costs 6 %.
template <class Slot, class F>
void for_each_adjacent(const Grappa::detail::Csr& lists, const uint64_t* set, uint64_t* open,
                       int64_t first_word, int64_t count, double vertex_ns, F body) {
  const Slot* const slots = lists.slots<Slot>();
  const uint64_t* const firsts = lists.firsts();
  int64_t visited = 0;
  for (int64_t word = first_word; word < first_word + count; ++word) {
    // Lists are read in memory order, but the hardware does not prefetch their first cache lines.
    for (uint64_t next = open[word + 1]; next != 0; next &= next - 1) {
      GRAPPA_PREFETCH_TO_READ(slots + firsts[word * 64 + 64 + __builtin_ctzll(next)]);
    }
    uint64_t joined = 0;
    visited += __builtin_popcountll(open[word]);
    for (uint64_t each = open[word]; each != 0; each &= each - 1) {
      const int64_t place = word * 64 + __builtin_ctzll(each);
      const Slot* const end = slots + firsts[place + 1];
      for (const Slot* slot = slots + firsts[place]; slot != end; ++slot) {
        if (!has_bit(set, *slot)) continue;
        body(place, *slot);
        joined |= each & -each;
        break;
      }
    }
    open[word] &= ~joined;
  }
  charge(visited, vertex_ns);
}

/// Creates Algorithm<uint32_t> or Algorithm<uint64_t>, by the type of the slots in the lists.
template <class Interface, template <class Slot> class Algorithm, class... Args>
std::unique_ptr<Interface> make_for_slots(const Grappa::detail::Csr& lists, const Args&... args) {
  if (lists.slot_bytes() == sizeof(uint32_t)) {
    return std::unique_ptr<Interface>(new Algorithm<uint32_t>(args...));
  }
  return std::unique_ptr<Interface>(new Algorithm<uint64_t>(args...));
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
