#include "structures/graph/csr/csr.hpp"

#include "structures/graph/csr/visit_lists.hpp"
#include "structures/graph/csr_edges.hpp"
#include "structures/graph/file/file_parts.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/locale_array.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/mutex.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace Grappa::detail {
namespace {

Mutex turns;  // used on core 0

/// The edges of this core, an array that is read once, in pieces in any order. Frees each huge page
/// that has been read.
class ConsumedEdges {
 public:
  explicit ConsumedEdges(const LocalSpan<TupleEdge>& edges)
      : first_(align_up(reinterpret_cast<uintptr_t>(edges.begin()), kHugePageBytes)),
        end_(std::max(first_,
                      reinterpret_cast<uintptr_t>(edges.end()) / kHugePageBytes * kHugePageBytes)),
        unread_((end_ - first_) / kHugePageBytes, kHugePageBytes) {}

  void consume(const TupleEdge* edges, int64_t n) {
    uintptr_t at = std::max(reinterpret_cast<uintptr_t>(edges), first_);
    const uintptr_t end = std::min(reinterpret_cast<uintptr_t>(edges + n), end_);
    while (at < end) {
      const size_t page = (at - first_) / kHugePageBytes;
      const uintptr_t begin = first_ + page * kHugePageBytes;
      const uintptr_t next = std::min(end, begin + kHugePageBytes);
      GRAPPA_DCHECK(next - at <= unread_[page]) << "an edge was read twice";
      unread_[page] -= next - at;
      if (unread_[page] == 0) discard_pages(reinterpret_cast<void*>(begin), kHugePageBytes);
      at = next;
    }
  }

 private:
  const uintptr_t first_, end_;  // the huge pages that contain nothing else
  std::vector<size_t> unread_;   // bytes of each huge page
};

std::unique_ptr<ConsumedEdges> consumed;  // by the build in progress, or null

}  // namespace

template <class Id>
EntryBuckets<Id>* EntrySort<Id>::here = nullptr;

template <class Id>
EntrySort<Id>::EntrySort(int64_t places, int64_t nv) {
  delegate::call(0, [] { turns.lock(); });
  on_all_cores([places, nv] { here = new EntryBuckets<Id>(id_bits(places), id_bits(nv)); });
}

template <class Id>
EntrySort<Id>::~EntrySort() {
  on_all_cores([] {
    delete here;
    here = nullptr;
  });
  delegate::call(0, [] { turns.unlock(); });
}

template class EntrySort<uint32_t>;
template class EntrySort<uint64_t>;

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
                               SlotWidth width, EdgeMemory memory) {
  return build(layout, width, [tuples, directed, memory](auto visit) {
    Progress progress("building", tuples.nedge, "edges");
    if (memory == EdgeMemory::kConsumed) {
      on_all_cores([tuples] {
        consumed.reset(new ConsumedEdges(iterate_local(tuples.edges, tuples.nedge)));
      });
    }
    forall(tuples.edges, tuples.nedge,
           [directed, visit, done = progress.counter()](int64_t, int64_t count, TupleEdge* edges) {
             for (const TupleEdge* e = edges; e != edges + count; ++e) {
               if (e->v0 == e->v1) continue;
               visit(e->v0, e->v1);
               if (!directed) visit(e->v1, e->v0);
             }
             if (consumed != nullptr) consumed->consume(edges, count);
             done.add(count);
           });
    if (memory == EdgeMemory::kConsumed) on_all_cores([] { consumed.reset(); });
  });
}

GlobalAddress<Csr> Csr::create_from(GlobalAddress<Csr> from, const VertexLayout& layout) {
  const auto width = from->slot_bytes() == 4 ? SlotWidth::kAutomatic : SlotWidth::k64;
  return build(layout, width, [from](auto visit) {
    visit_lists(from, "rebuilding",
                [visit](const Csr& mine, int64_t place) { mine.for_each_entry(place, visit); });
  });
}

void Csr::destroy(GlobalAddress<Csr> csr) {
  csr->layout_.destroy();
  global_free(csr->firsts_);
  global_free(csr);
}

GlobalAddress<Csr> Csr::allocate(const VertexLayout& layout, size_t slot_bytes) {
  const int64_t places = layout.most_vertices() + 1;
  const auto firsts = symmetric_global_alloc<uint64_t>(places);
  return symmetric<Csr>(layout, firsts, slot_bytes);
}

template <class Id>
void Csr::take_lists(GlobalAddress<Csr> csr) {
  {
    const VertexLayout& layout = csr->layout();
    Progress progress("sorting", layout.nv(), "vertices", layout.most_vertices());
    on_all_cores([csr, done = progress.counter()] { csr->take_lists<Id>(done); });
  }
  count_entries(csr);
}

void Csr::count_entries(GlobalAddress<Csr> csr) {
  const int64_t all = sum_all_cores([csr] { return csr->entries(); });
  on_all_cores([csr, all] { csr->all_entries_ = all; });
}

int64_t Csr::find(int64_t place, VertexID neighbour) const {
  int64_t low = first(place), high = first(place + 1);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (layout_.id_of_slot(slot(middle)) < neighbour) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool found = low < first(place + 1) && layout_.id_of_slot(slot(low)) == neighbour;
  return found ? low : -1;
}

void Csr::map_slots(int64_t entries) {
  mapped_bytes_ = align_up(static_cast<size_t>(entries) * slot_bytes_, page_bytes());
  if (mapped_bytes_ == 0) return;
  slots_ = map_private_aligned(mapped_bytes_, kHugePageBytes);
  advise_huge_pages(slots_, mapped_bytes_);
}

template void Csr::take_lists<uint32_t>(GlobalAddress<Csr> csr);
template void Csr::take_lists<uint64_t>(GlobalAddress<Csr> csr);

// Takes the lists of this core from the buckets. Suspends: between two buckets, if a poll is due.
template <class Id>
void Csr::take_lists(const Progress::Counter& done) {
  EntryBuckets<Id>* const buckets = EntrySort<Id>::here;
  map_slots(buckets->size());
  Id* const slots = static_cast<Id*>(slots_);
  int64_t next = 0;     // the first vertex without a list
  uint64_t kept = 0;    // entries in the lists
  std::vector<Id> ids;  // of the neighbours in a bucket, without repetitions
  for (size_t bucket = 0; bucket < buckets->buckets(); ++bucket) {
    const int64_t before = next;
    const auto sorted = buckets->take_sorted(bucket);
    ids.resize(sorted.size());
    size_t n = 0;
    ListEntry<Id> last = {};
    for (size_t k = 0; k < sorted.size(); ++k) {
      const ListEntry<Id> entry = sorted[k];
      if (k > 0 && entry == last) continue;
      last = entry;
      while (next <= int64_t(entry.place)) first_[next++] = kept + n;
      ids[n++] = entry.neighbour;
    }
    layout_.find_slots(ids.data(), int64_t(n), slots + kept);
    kept += n;
    const int64_t end = std::min(int64_t(bucket + 1) << buckets->log_bucket(), vertices_);
    while (next < end) first_[next++] = kept;
    done.add(next - before);
    scheduler().yield_if_due();
  }
  first_[vertices_] = kept;
  const size_t used = align_up(kept * sizeof(Id), page_bytes());
  if (used < mapped_bytes_) unmap(static_cast<char*>(slots_) + used, mapped_bytes_ - used);
  mapped_bytes_ = used;
  if (used == 0) slots_ = nullptr;
}

namespace {

typedef uint8_t DegreeClass;  // a lower class has more neighbours

constexpr int kClassesOfDoubling = 8;  // so a vertex with 2^31 neighbours has class 255 - 248

DegreeClass class_of(int64_t degree) {
  const double octaves = std::log2(double(degree) + 1);
  return DegreeClass(255 - std::min(255, int(octaves * kClassesOfDoubling)));
}

constexpr int64_t kShortList = 24;  // a list of at most this length is sorted by insertion

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
  const auto by_slot = LocaleArray<DegreeClass>::create(int64_t{1} << csr->layout().index_bits());
  on_all_cores([csr, by_slot] {
    DegreeClass* const mine = by_slot->own();
    for (int64_t k = 0; k < csr->vertices(); ++k) mine[k] = class_of(csr->size(k));
    by_slot->share();
  });
  on_all_cores([csr, by_slot] {
    const DegreeClass* const classes = by_slot->all();
    if (csr->slot_bytes() == sizeof(uint32_t)) {
      sort_lists(*csr.pointer(), static_cast<uint32_t*>(csr->slots_), classes);
    } else {
      sort_lists(*csr.pointer(), static_cast<uint64_t*>(csr->slots_), classes);
    }
  });
  global_free(by_slot);
}

}  // namespace Grappa::detail

namespace Grappa {
namespace {

constexpr size_t kFlushEdges = 1 << 16;     // 1 MiB
constexpr int64_t kVerticesPerLook = 1024;  // between two network polls

// Calls visit(edge) for each edge of this core. visit() may suspend.
template <class Visit>
void for_each_edge(const detail::Csr& mine, bool directed, const Visit& visit) {
  for (int64_t place = 0; place < mine.vertices(); ++place) {
    mine.for_each_entry(place, [directed, &visit](VertexID v, VertexID neighbour) {
      if (directed || v < neighbour) visit(TupleEdge{v, neighbour});
    });
    if (place % kVerticesPerLook == 0) detail::scheduler().yield_if_due();
  }
}

}  // namespace

TupleGraph edges_of(GlobalAddress<detail::Csr> csr, bool directed) {
  const GlobalAddress<detail::GraphPart> parts = symmetric<detail::GraphPart>();
  on_all_cores([csr, directed, parts] {
    int64_t* const size = &parts->size;
    for_each_edge(*csr.pointer(), directed, [size](const TupleEdge&) { ++*size; });
  });
  TupleGraph graph;
  graph.nv = csr->layout().nv();
  graph.nedge = sum_parts(parts).size;
  graph.edges = global_alloc<TupleEdge>(std::max<int64_t>(graph.nedge, 1));
  const GlobalAddress<TupleEdge> edges = graph.edges;
  on_all_cores([csr, directed, parts, edges] {
    std::vector<TupleEdge> piece;
    GlobalAddress<TupleEdge> next = edges + parts->start;
    const auto flush = [&piece, &next] {
      memcpy(next, piece.data(), int64_t(piece.size()));
      next += int64_t(piece.size());
      piece.clear();
    };
    for_each_edge(*csr.pointer(), directed, [&piece, &flush](const TupleEdge& edge) {
      piece.push_back(edge);
      if (piece.size() == kFlushEdges) flush();
    });
    flush();
  });
  global_free(parts);
  return graph;
}

}  // namespace Grappa
