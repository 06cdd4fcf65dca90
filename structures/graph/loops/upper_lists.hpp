#pragma once

/// The upper list of each vertex of a core: its neighbours of higher degree, or of equal degree and
/// higher id. So each edge is in one upper list. In a graph of m edges, no upper list has more than
/// sqrt(2 m) entries (N. Chiba, T. Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM
/// Journal on Computing 14, 1985).

#include "structures/graph/graph.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

namespace Grappa { namespace detail {

/// An entry of an upper list: the slot of a neighbour, and the data of the edge.
template <class Slot, class E, bool = std::is_empty<E>::value>
struct UpperEntry {
  Slot slot;
  E edge_data;

  UpperEntry() : slot(), edge_data() {}
  explicit UpperEntry(Slot its_slot, const E& its_data = E())
      : slot(its_slot), edge_data(its_data) {}
  const E& data() const { return edge_data; }
};
template <class Slot, class E>
struct UpperEntry<Slot, E, true> : E {  // a base, because a member would take memory
  Slot slot;

  UpperEntry() : slot() {}
  explicit UpperEntry(Slot its_slot, const E& = E()) : slot(its_slot) {}
  const E& data() const { return *this; }
};

/// Entries in huge pages, since lists are read in random order.
template <class Entry>
class MappedEntries {
 public:
  /// The kernel allocates the memory on first touch.
  explicit MappedEntries(size_t most) : bytes_(rounded(most)) {
    begin_ = static_cast<Entry*>(map_private_aligned(bytes_, kHugePageBytes));
    advise_huge_pages(begin_, bytes_);
  }
  ~MappedEntries() { unmap(begin_, bytes_); }
  MappedEntries(const MappedEntries&) = delete;
  MappedEntries& operator=(const MappedEntries&) = delete;

  /// Frees the memory of all entries but the first n.
  void shrink(size_t n) {
    const size_t kept = rounded(n);
    if (kept < bytes_) unmap(reinterpret_cast<char*>(begin_) + kept, bytes_ - kept);
    bytes_ = kept;
  }
  Entry* begin() const { return begin_; }

 private:
  static size_t rounded(size_t n) { return align_up(n * sizeof(Entry) + 1, kHugePageBytes); }

  Entry* begin_;
  size_t bytes_;
};

/// Slot: uint32_t or uint64_t, as in the lists of the graph.
template <class V, class E, class Slot>
class UpperLists {
  typedef Graph<V, E> G;

 public:
  typedef UpperEntry<Slot, E> Entry;

  /// `degrees` has the degrees of all vertices, by slot. Suspends: if a poll is due.
  UpperLists(G& g, const uint32_t* degrees) : entries_(static_cast<size_t>(g.csr().entries())) {
    const Csr& lists = g.csr();
    firsts_.reserve(static_cast<size_t>(lists.vertices()) + 1);
    Entry* const entries = entries_.begin();
    size_t n = 0;
    for (int64_t place = 0; place < lists.vertices(); ++place) {
      const size_t first = n;
      firsts_.push_back(first);
      const uint32_t degree = static_cast<uint32_t>(lists.size(place));
      const VertexID v = lists.layout().id(mycore(), place);
      const auto add = [entries, degrees, degree, v, &n](int64_t, typename G::Edge& e) {
        const uint32_t other = degrees[e.slot];
        ::new (static_cast<void*>(entries + n)) Entry(static_cast<Slot>(e.slot), e.data);
        n += other > degree || (other == degree && e.id > v);
      };
      g.for_entries(lists.first(place), degree, add);
      if (!std::is_empty<E>::value) {  // for find()
        std::sort(entries + first, entries + n,
                  [](const Entry& one, const Entry& other) { return one.slot < other.slot; });
      }
      longest_ = std::max(longest_, n - first);
      if (place % 256 == 0) yield_if_due();
    }
    firsts_.push_back(n);
    entries_.shrink(n);
    charge_ns(static_cast<uint64_t>(static_cast<double>(lists.entries()) * kEntryNs));
  }

  int64_t vertices() const { return static_cast<int64_t>(firsts_.size()) - 1; }
  size_t longest() const { return longest_; }  // length of the longest list

  /// The upper list of the vertex of this core with the local index `place`. Its entries are in the
  /// order of slots if edges have data.
  const Entry* begin(int64_t place) const {
    return entries_.begin() + firsts_[static_cast<size_t>(place)];
  }
  const Entry* end(int64_t place) const { return begin(place + 1); }

  /// Prefetches for begin(place).
  void prefetch_first(int64_t place) const {
    GRAPPA_PREFETCH_TO_READ(firsts_.data() + static_cast<size_t>(place));
  }
  /// Prefetches the first entries of the list.
  void prefetch(int64_t place) const {
    constexpr int64_t kMostLines = 4;  // the hardware prefetches the rest; not measured
    const char* line = reinterpret_cast<const char*>(begin(place));
    const char* const last = reinterpret_cast<const char*>(end(place));
    for (int64_t n = 0; n < kMostLines && line < last; ++n, line += kCacheLineBytes) {
      GRAPPA_PREFETCH_TO_READ(line);
    }
  }

 private:
  static constexpr double kEntryNs = 2;  // charged in simulations

  std::vector<size_t> firsts_;  // by local index, and the end
  MappedEntries<Entry> entries_;
  size_t longest_ = 0;
};

}}  // namespace Grappa::detail
