#include "structures/graph/csr/csr.hpp"

#include "structures/graph/csr/csr_builder.hpp"
#include "system/base/bits.hpp"
#include "system/base/mapping.hpp"
#include "system/global/delegate.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/mutex.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace Grappa::detail {
namespace {

// Sources of entries for CsrBuilder.
struct TupleEdges {
  TupleGraph tuples;
  bool directed;

  template <class F>
  void for_each_entry(F visit) const {
    const bool both = !directed;
    Progress progress("building", tuples.nedge, "edges");
    const Progress::Counter done = progress.counter();
    forall(tuples.edges, tuples.nedge,
           [both, visit, done](int64_t, int64_t count, TupleEdge* edges) {
             for (const TupleEdge* e = edges; e != edges + count; ++e) {
               if (e->v0 == e->v1) continue;
               visit(e->v0, e->v1);
               if (both) visit(e->v1, e->v0);
             }
             done.add(count);
           });
  }
};

struct CsrEdges {
  GlobalAddress<Csr> csr;

  template <class F>
  void for_each_entry(F visit) const {
    const GlobalAddress<Csr> from = csr;
    Progress progress("rebuilding", from->all_entries(), "entries");
    const Progress::Counter done = progress.counter();
    on_all_cores([from, visit, done] {
      const Csr& mine = *from.pointer();
      forall_here(0, mine.vertices(), [&mine, visit, done](int64_t place) {
        const VertexID v = mine.layout().id(mycore(), place);
        for (int64_t entry = mine.first(place); entry < mine.first(place + 1); ++entry) {
          visit(v, mine.layout().id_of_slot(mine.slot(entry)));
        }
        done.add(mine.size(place));
      });
    });
  }
};

}  // namespace

Csr::Csr(const VertexLayout& layout, GlobalAddress<uint64_t> firsts, size_t slot_bytes)
    : layout_(layout),
      vertices_(layout.vertices_of(mycore())),
      firsts_(firsts),
      first_(firsts.pointer()),
      slot_bytes_(slot_bytes) {}

Csr::~Csr() {
  if (mapped_bytes_ != 0) unmap(slots_, mapped_bytes_);
}

GlobalAddress<Csr> Csr::create(const TupleGraph& tuples, bool directed, const VertexLayout& layout,
                               SlotWidth width) {
  return CsrBuilder::build(TupleEdges{tuples, directed}, layout, slot_bytes_of(layout, width));
}

GlobalAddress<Csr> Csr::create_from(GlobalAddress<Csr> from, const VertexLayout& layout) {
  const SlotWidth width =
      from->slot_bytes() == sizeof(uint32_t) ? SlotWidth::kAutomatic : SlotWidth::k64;
  return CsrBuilder::build(CsrEdges{from}, layout, slot_bytes_of(layout, width));
}

void Csr::destroy(GlobalAddress<Csr> csr) {
  const GlobalAddress<uint64_t> firsts = csr->firsts_;
  global_free(firsts);
  global_free(csr);
}
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
  on_all_cores([csr, all] { csr->all_entries_ = all; });
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
namespace {

typedef uint8_t DegreeClass;  // a lower class has more neighbours

constexpr int kClassesOfDoubling = 8;  // so 2^31 neighbours have class 255 - 248

DegreeClass class_of(int64_t degree) {
  const double octaves = std::log2(double(degree) + 1);
  return DegreeClass(255 - std::min(255, int(octaves * kClassesOfDoubling)));
}

// Lists no longer than this are sorted by insertion.
constexpr int64_t kShortList = 24;

// Sorts a list by the classes of its slots. Slots of equal class stay in their order.
template <class Slot>
void sort_list(Slot* list, int64_t count, const DegreeClass* classes, std::vector<Slot>* scratch) {
  if (count > kShortList) {
    std::array<int64_t, 256> next = {};
    for (int64_t i = 0; i < count; ++i) ++next[classes[list[i]]];
    int64_t before = 0;
    for (int64_t& place : next) before += std::exchange(place, before);
    scratch->assign(list, list + count);
    for (const Slot slot : *scratch) list[next[classes[slot]]++] = slot;
    return;
  }
  for (int64_t i = 1; i < count; ++i) {
    const Slot slot = list[i];
    const DegreeClass its_class = classes[slot];
    int64_t k = i;
    for (; k > 0 && classes[list[k - 1]] > its_class; --k) list[k] = list[k - 1];
    list[k] = slot;
  }
}

// Copies this core's classes to all other cores, at the same address.
void share_classes(const Csr& csr, DegreeClass* classes) {
  DegreeClass* const mine = classes + csr.layout().slot(mycore(), 0);
  const int64_t places = int64_t{1} << csr.layout().index_bits();
  for (int64_t place = 0; place < csr.vertices(); ++place) mine[place] = class_of(csr.size(place));
  finish([mine, places] {
    for (Core step = 1; step < cores(); ++step) {
      const Core there = static_cast<Core>((mycore() + step) % cores());
      memcpy_async(make_global(mine, there), mine, places);
    }
  });
}

template <class Slot>
void sort_lists(const Csr& csr, Slot* slots, const DegreeClass* classes) {
  std::vector<Slot> scratch;
  for (int64_t place = 0; place < csr.vertices(); ++place) {
    sort_list(slots + csr.first(place), csr.size(place), classes, &scratch);
    if (place % 4096 == 0) scheduler().yield_if_due();
  }
}

}  // namespace

void Csr::order_by_degree(GlobalAddress<Csr> csr) {
  const auto memory = symmetric_global_alloc<DegreeClass>(int64_t(csr->layout().slots()));
  DegreeClass* const classes = memory.pointer();  // the same address on every core
  on_all_cores([csr, classes] { share_classes(*csr.pointer(), classes); });
  on_all_cores([csr, classes] {
    if (csr->slot_bytes() == sizeof(uint32_t)) {
      sort_lists(*csr.pointer(), static_cast<uint32_t*>(csr->slots_), classes);
    } else {
      sort_lists(*csr.pointer(), static_cast<uint64_t*>(csr->slots_), classes);
    }
  });
  global_free(memory);
}

}  // namespace Grappa::detail
