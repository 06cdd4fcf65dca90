#include "structures/graph/csr/csr_builder.hpp"

#include "system/base/bits.hpp"
#include "system/base/mapping.hpp"
#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/mutex.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

Mutex turns;  // used on core 0

}  // namespace

template <class Id>
EntryBuckets<Id>* IncomingEntries<Id>::here = nullptr;
template struct IncomingEntries<uint32_t>;
template struct IncomingEntries<uint64_t>;

EntryTurn::EntryTurn() {
  delegate::call(0, [] { turns.lock(); });
}

EntryTurn::~EntryTurn() {
  delegate::call(0, [] { turns.unlock(); });
}

int id_bits(int64_t nv) { return nv > 1 ? floor_log2(static_cast<uint64_t>(nv - 1)) + 1 : 1; }

GlobalAddress<Csr> CsrBuilder::allocate(const VertexLayout& layout, size_t slot_bytes) {
  const int64_t places = layout.vertices_of(0) + 1;  // no core has more vertices than core 0
  const auto firsts = symmetric_global_alloc<uint64_t>(places);
  return symmetric<Csr>(layout, firsts, slot_bytes);
}

template <class Id>
void CsrBuilder::sort(GlobalAddress<Csr> csr) {
  {
    const VertexLayout& layout = csr->layout();
    Progress progress("sorting", layout.nv(), "vertices", layout.vertices_of(0));
    const Progress::Counter done = progress.counter();
    on_all_cores([csr, done] {
      EntryBuckets<Id>*& incoming = IncomingEntries<Id>::here;
      CsrBuilder(csr.pointer()).take_lists(incoming, done);
      delete incoming;
      incoming = nullptr;
    });
  }
  const int64_t all = sum_all_cores([csr] { return csr->entries(); });
  on_all_cores([csr, all] { csr->set_all_entries(all); });
}

template void CsrBuilder::sort<uint32_t>(GlobalAddress<Csr> csr);
template void CsrBuilder::sort<uint64_t>(GlobalAddress<Csr> csr);

// Takes all lists from the buckets, drops duplicate entries, and converts ids to slots.
// Suspends: between buckets, when a network poll is due.
template <class Id>
void CsrBuilder::take_lists(EntryBuckets<Id>* buckets, Progress::Counter done) {
  const uint64_t bytes = static_cast<uint64_t>(buckets->size()) * sizeof(Id);
  csr_.mapped_bytes_ = align_up(bytes, page_bytes());
  if (bytes != 0) {
    csr_.slots_ = map_private(csr_.mapped_bytes_);
    advise_huge_pages(csr_.slots_, csr_.mapped_bytes_);
  }
  for (size_t bucket = 0; bucket < buckets->buckets(); ++bucket) {
    const int64_t before = next_;
    append(buckets->take_sorted(bucket), int64_t(bucket + 1) << buckets->log_bucket());
    done.add(next_ - before);
    scheduler().yield_if_due();
  }
  csr_.first_[csr_.vertices_] = kept_;
  give_back_surplus();
}

// Appends the lists of the vertices next_ to `end` - 1.
template <class Id>
void CsrBuilder::append(const std::vector<ListEntry<Id>>& entries, int64_t end) {
  Id* const slots = static_cast<Id*>(csr_.slots_);
  const auto* last = static_cast<const ListEntry<Id>*>(nullptr);
  for (const ListEntry<Id>& entry : entries) {
    if (last && last->place == entry.place && last->neighbour == entry.neighbour) continue;
    last = &entry;
    while (next_ <= int64_t(entry.place)) csr_.first_[next_++] = kept_;
    slots[kept_++] = static_cast<Id>(csr_.layout_.slot(VertexID(entry.neighbour)));
  }
  while (next_ < std::min(end, csr_.vertices_)) csr_.first_[next_++] = kept_;
}

void CsrBuilder::give_back_surplus() {
  const size_t used = align_up(kept_ * csr_.slot_bytes_, page_bytes());
  if (used == csr_.mapped_bytes_) return;
  unmap(static_cast<char*>(csr_.slots_) + used, csr_.mapped_bytes_ - used);
  csr_.mapped_bytes_ = used;
  if (used == 0) csr_.slots_ = nullptr;
}

}  // namespace detail
}  // namespace Grappa
