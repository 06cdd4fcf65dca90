#pragma once

/// Building lists of neighbours from entries that any core sends in any order. Csr uses this
/// builder, and so does the loader of saved graphs.

#include "structures/graph/csr/csr.hpp"
#include "structures/graph/csr/entry_buckets.hpp"
#include "structures/graph/csr/vertex_layout.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// The entries that this core has received for the graph that is being built. One task of the job
/// at a time uses them: the task that holds the EntryTurn.
template <class Id>
struct IncomingEntries {
  static EntryBuckets<Id>* here;
};
extern template struct IncomingEntries<uint32_t>;
extern template struct IncomingEntries<uint64_t>;

/// Held by the task that builds or saves a graph. From: task. Suspends: while another holds it.
class EntryTurn {
 public:
  EntryTurn();
  ~EntryTurn();
  EntryTurn(const EntryTurn&) = delete;
  EntryTurn& operator=(const EntryTurn&) = delete;
};

/// A delegate at the core that sorts the entry.
template <class Id>
struct EntryArrives {
  ListEntry<Id> entry;
  void operator()() const { IncomingEntries<Id>::here->add(entry); }
};

/// From: task. Suspends: while no message buffer is free. Messages: one if `to` is another core.
template <class Id>
void send_entry(Core to, const ListEntry<Id>& entry) {
  if (to == mycore()) {
    IncomingEntries<Id>::here->add(entry);
  } else {
    // Two 32-bit ids may look like an address.
    delegate::call<async>(to, unchecked(EntryArrives<Id>{entry}));
  }
}

/// The number of bits for the ids of `nv` vertices.
int id_bits(int64_t nv);

class CsrBuilder {
 public:
  /// Builds the lists from the entries that `edges.for_each_entry(visit)` passes to `visit(vertex,
  /// neighbour)`, on any core, before `for_each_entry` returns. Drops duplicate entries.
  /// From: task. Suspends: also while another task builds or saves a graph. Messages: one for each
  /// entry of a list of another core.
  template <class Edges>
  static GlobalAddress<Csr> build(const Edges& edges, const VertexLayout& layout,
                                  size_t slot_bytes);

 private:
  template <class Id, class Edges>
  static void gather(const Edges& edges, const VertexLayout& layout);

  static GlobalAddress<Csr> allocate(const VertexLayout& layout, size_t slot_bytes);
  template <class Id>
  static void sort(GlobalAddress<Csr> csr);

  explicit CsrBuilder(Csr* csr) : csr_(*csr) {}
  template <class Id>
  void take_lists(EntryBuckets<Id>* buckets, Progress::Counter done);
  template <class Id>
  void append(const std::vector<ListEntry<Id>>& entries, int64_t end);
  void give_back_surplus();

  Csr& csr_;           // this core's part
  int64_t next_ = 0;   // the first vertex without a list
  uint64_t kept_ = 0;  // entries
};

extern template void CsrBuilder::sort<uint32_t>(GlobalAddress<Csr> csr);
extern template void CsrBuilder::sort<uint64_t>(GlobalAddress<Csr> csr);

template <class Edges>
GlobalAddress<Csr> CsrBuilder::build(const Edges& edges, const VertexLayout& layout,
                                     size_t slot_bytes) {
  const GlobalAddress<Csr> csr = allocate(layout, slot_bytes);
  const EntryTurn turn;
  if (slot_bytes == sizeof(uint32_t)) {
    gather<uint32_t>(edges, layout);
    sort<uint32_t>(csr);
  } else {
    gather<uint64_t>(edges, layout);
    sort<uint64_t>(csr);
  }
  return csr;
}

template <class Id, class Edges>
void CsrBuilder::gather(const Edges& edges, const VertexLayout& layout) {
  on_all_cores([layout] {
    IncomingEntries<Id>::here =
        new EntryBuckets<Id>(layout.index_bits(), detail::id_bits(layout.nv()));
  });
  edges.for_each_entry([layout](VertexID v, VertexID neighbour) {
    const ListEntry<Id> entry = {static_cast<Id>(layout.place(v)), static_cast<Id>(neighbour)};
    detail::send_entry(layout.core(v), entry);
  });
}

}  // namespace detail
}  // namespace Grappa
