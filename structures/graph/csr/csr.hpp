#pragma once

/// The lists of neighbours of a graph, as compressed sparse rows. Each core has one array with the
/// lists of all vertices that the core owns, in order.
///
/// An entry is the slot of a neighbour (VertexLayout). It has 32 bits if all slots fit, otherwise
/// 64. Self-loops and repeated edges are dropped, as Graph500 allows. Each list is sorted by the
/// ids or the degrees of the neighbours, so it is the same on any number of cores.
///
/// A Csr is built in one pass over the edges. For each endpoint of an edge, a message of 8 bytes
/// (16 if slots have 64 bits) is sent to the owner of the vertex, which sorts the entries
/// (EntryBuckets). The memory of sorted entries is freed while the lists grow.

#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/csr/vertex_layout.hpp"
#include "structures/graph/tuple_graph.hpp"
#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace Grappa { namespace detail {

/// The entries that all cores receive to build or to save a graph. The job has at most one of these
/// objects. From: task. Suspends: the constructor, while another task has one.
template <class Id>
class EntrySort {
 public:
  /// Local indices are below `places`, and neighbours below `nv`.
  EntrySort(int64_t places, int64_t nv);
  ~EntrySort();
  EntrySort(const EntrySort&) = delete;
  EntrySort& operator=(const EntrySort&) = delete;

  static EntryBuckets<Id>* here;  // the entries that this core has received

  /// From: task. Suspends: while no message buffer is free. Messages: 1 if `to` is another core.
  static void send(Core to, Id place, VertexID neighbour) {
    const ListEntry<Id> entry = {place, static_cast<Id>(neighbour)};
    if (to == mycore()) return here->add(entry);
    const auto arrive = [entry] { here->add(entry); };
    delegate::call<async>(to, unchecked(arrive));  // two 32-bit ids may look like an address
  }
};

extern template class EntrySort<uint32_t>;
extern template class EntrySort<uint64_t>;

enum class SlotWidth { kAutomatic, k64 };

template <class Id>
class OwnLists;

/// The lists of one core. A Csr is a symmetric object.
class Csr {
 public:
  /// What create() does with the memory of the edges.
  enum class EdgeMemory { kKept, kConsumed };

  /// Builds the lists of all neighbours, or of out-neighbours if `directed` is true. `layout` is
  /// the layout of the array of vertices. destroy() destroys it. If the edges are consumed, their
  /// memory is freed while they are read, in pieces of a huge page; the array stays allocated, with
  /// undefined contents. Aborts if out of memory. From: task. Suspends: until done, also while
  /// another task builds a graph. Messages: 1 for each entry of another core.
  static GlobalAddress<Csr> create(const TupleGraph& tuples, bool directed,
                                   const VertexLayout& layout,
                                   SlotWidth width = SlotWidth::kAutomatic,
                                   EdgeMemory memory = EdgeMemory::kKept);

  /// Builds the same lists for another layout. The contract is that of create.
  static GlobalAddress<Csr> create_from(GlobalAddress<Csr> from, const VertexLayout& layout);

  /// Returns true if slots take 32 bits.
  static bool has_narrow_slots(const VertexLayout& layout, SlotWidth width) {
    return width == SlotWidth::kAutomatic && layout.fits_in_32_bits();
  }

  /// Builds the lists from the entries that `edges(visit)` passes to `visit(vertex, neighbour)` on
  /// any core before `edges` returns. Drops duplicate entries. The contract is that of create.
  template <class Edges>
  static GlobalAddress<Csr> build(const VertexLayout& layout, SlotWidth width, const Edges& edges) {
    return has_narrow_slots(layout, width) ? build_slots<uint32_t>(layout, edges)
                                           : build_slots<uint64_t>(layout, edges);
  }

  /// Takes the lists that all cores have read (own_lists.hpp), in their order, and frees them. Each
  /// list must be ascending and must be in the lists of one core only. `step` is the name of this
  /// step. From: task. Suspends: until done. Messages: 1 for each 4 KiB of lengths or entries of a
  /// list of another core, and up to 2 more for each pair of cores.
  template <class Id>
  static GlobalAddress<Csr> from_lists(const VertexLayout& layout, SlotWidth width,
                                       GlobalAddress<OwnLists<Id>> lists);

  /// Sorts every list by the degrees of the neighbours, in descending order. In bottom-up steps of
  /// a breadth-first search, a search for a neighbour in the frontier then ends earlier. Degrees
  /// that differ by less than a tenth may count as equal, and neighbours of equal degree stay in
  /// their order. In a directed graph, the degree is the length of the list. From: task. Suspends:
  /// until done. Messages: each core sends 1 byte for each of its vertices to each other core.
  /// Memory: on each core, one byte for each slot during the call.
  static void order_by_degree(GlobalAddress<Csr> csr);

  /// From: task, once. Suspends: until all cores have finished.
  static void destroy(GlobalAddress<Csr> csr);

  const VertexLayout& layout() const { return layout_; }

  /// The number of vertices of this core, of entries of their lists, and of entries of all cores.
  int64_t vertices() const { return vertices_; }
  int64_t entries() const { return first(vertices_); }
  int64_t all_entries() const { return all_entries_; }

  /// The entries of the vertex at `place` are first(place) ... first(place + 1) - 1.
  int64_t first(int64_t place) const { return static_cast<int64_t>(first_[place]); }
  const uint64_t* firsts() const { return first_; }
  int64_t size(int64_t place) const { return first(place + 1) - first(place); }

  /// Returns an entry of `neighbour` in the list of the vertex at `place`, or -1 if the list does
  /// not have the neighbour. The list must be in the order of the ids.
  int64_t find(int64_t place, VertexID neighbour) const;

  uint64_t slot(int64_t entry) const {
    return slot_bytes_ == 4 ? static_cast<const uint32_t*>(slots_)[entry]
                            : static_cast<const uint64_t*>(slots_)[entry];
  }
  const char* address(int64_t entry) const {
    return static_cast<const char*>(slots_) + entry * static_cast<int64_t>(slot_bytes_);
  }

  /// Calls visit(v, neighbour) for the entries of the vertex v at `place`.
  template <class Visit>
  void for_each_entry(int64_t place, const Visit& visit) const {
    const VertexID v = layout_.id(mycore(), place);
    for (int64_t entry = first(place); entry < first(place + 1); ++entry) {
      visit(v, layout_.id_of_slot(slot(entry)));
    }
  }

  /// All entries of this core. Slot is uint32_t or uint64_t and must match slot_bytes().
  template <class Slot>
  const Slot* slots() const {
    GRAPPA_DCHECK(sizeof(Slot) == slot_bytes_) << "slots take " << slot_bytes_ << " bytes";
    return static_cast<const Slot*>(slots_);
  }
  size_t slot_bytes() const { return slot_bytes_; }

  /// The memory that the lists of this core take, in bytes.
  size_t bytes() const { return mapped_bytes_ + sizeof(uint64_t) * (size_t(vertices_) + 1); }

  /// Called by build() only.
  Csr(const VertexLayout& layout, GlobalAddress<uint64_t> firsts, size_t slot_bytes);
  ~Csr();
  Csr(const Csr&) = delete;
  Csr& operator=(const Csr&) = delete;

 private:
  template <class Id, class Edges>
  static GlobalAddress<Csr> build_slots(const VertexLayout& layout, const Edges& edges) {
    const GlobalAddress<Csr> csr = allocate(layout, sizeof(Id));
    const EntrySort<Id> sort(layout.most_vertices(), layout.nv());
    edges([layout](VertexID v, VertexID neighbour) {
      const VertexLayout::Location at = layout.locate(v);
      EntrySort<Id>::send(at.core, static_cast<Id>(at.place), neighbour);
    });
    take_lists<Id>(csr);
    return csr;
  }
  static GlobalAddress<Csr> allocate(const VertexLayout& layout, size_t slot_bytes);
  template <class Id, class Slot>
  static GlobalAddress<Csr> from_lists_of(const VertexLayout& layout,
                                          GlobalAddress<OwnLists<Id>> lists);
  void map_slots(int64_t entries);
  static void count_entries(GlobalAddress<Csr> csr);
  template <class Id>
  static void take_lists(GlobalAddress<Csr> csr);
  template <class Id>
  void take_lists(const Progress::Counter& done);

  VertexLayout layout_;
  int64_t vertices_;
  int64_t all_entries_ = 0;
  GlobalAddress<uint64_t> firsts_;  // the arrays of offsets of all cores
  uint64_t* first_;                 // vertices_ + 1 offsets, at the same address on every core
  void* slots_ = nullptr;
  size_t slot_bytes_;
  size_t mapped_bytes_ = 0;  // bytes mapped at slots_
};

/// Writes the lists to a new file (file/csr_format.hpp). When the new file is complete on disk, it
/// replaces the old file. All cores must be able to open the file. On failure, returns false, keeps
/// the old file, and sets `error` to a line that begins with the path. Memory over all cores: 4
/// bytes for each vertex, 4 to 8 bytes for each entry (EntryBuckets), and a few MiB on each core.
/// From: task. Suspends: until all cores have finished, and while another task builds or saves a
/// graph. Messages: 1 for each entry that another core writes.
bool try_save_csr(GlobalAddress<Csr> csr, bool directed, const std::string& path,
                  std::string* error);

/// Loads the lists of a graph whose vertices have `vertex_bytes` bytes (VertexLayout). The loader
/// validates the whole file while it reads, also that each edge of an undirected graph is in both
/// lists. If the file is bad, or if the graph does not fit in memory, returns false and sets
/// `error` to a line that begins with the path and reports the first error. Memory over all cores,
/// in addition to the lists: 4 bytes for each vertex and for each entry (8 for an entry in a graph
/// of more than 2^32 vertices). From: task. Suspends: until all cores have finished. Messages:
/// those of Csr::from_lists, and a few for each core.
bool try_load_csr(const std::string& path, GraphLayout layout, size_t vertex_bytes,
                  GlobalAddress<Csr>* csr, bool* directed, std::string* error,
                  SlotWidth width = SlotWidth::kAutomatic);

}}  // namespace Grappa::detail
