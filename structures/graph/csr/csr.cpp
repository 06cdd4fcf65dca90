#include "structures/graph/csr/csr.hpp"

#include "structures/graph/csr_edges.hpp"
#include "structures/graph/file/open_file.hpp"
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
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace Grappa::detail {

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
  return build(layout, width, [tuples, directed](auto visit) {
    Progress progress("building", tuples.nedge, "edges");
    const Progress::Counter done = progress.counter();
    forall(tuples.edges, tuples.nedge,
           [directed, visit, done](int64_t, int64_t count, TupleEdge* edges) {
             for (const TupleEdge* e = edges; e != edges + count; ++e) {
               if (e->v0 == e->v1) continue;
               visit(e->v0, e->v1);
               if (!directed) visit(e->v1, e->v0);
             }
             done.add(count);
           });
  });
}

GlobalAddress<Csr> Csr::create_from(GlobalAddress<Csr> from, const VertexLayout& layout) {
  const SlotWidth width =
      from->slot_bytes() == sizeof(uint32_t) ? SlotWidth::kAutomatic : SlotWidth::k64;
  return build(layout, width, [from](auto visit) {
    Progress progress("rebuilding", from->all_entries(), "entries");
    const Progress::Counter done = progress.counter();
    on_all_cores([from, visit, done] {
      const Csr& mine = *from.pointer();
      forall_here(0, mine.vertices(), [&mine, visit, done](int64_t place) {
        mine.for_each_entry(place, visit);
        done.add(mine.size(place));
      });
    });
  });
}

void Csr::destroy(GlobalAddress<Csr> csr) {
  const GlobalAddress<uint64_t> firsts = csr->firsts_;
  global_free(firsts);
  global_free(csr);
}

GlobalAddress<Csr> Csr::allocate(const VertexLayout& layout, size_t slot_bytes) {
  const int64_t places = layout.vertices_of(0) + 1;  // no core has more vertices than core 0
  const auto firsts = symmetric_global_alloc<uint64_t>(places);
  return symmetric<Csr>(layout, firsts, slot_bytes);
}

template <class Id>
void Csr::take_lists(GlobalAddress<Csr> csr) {
  {
    const VertexLayout& layout = csr->layout();
    Progress progress("sorting", layout.nv(), "vertices", layout.vertices_of(0));
    const Progress::Counter done = progress.counter();
    on_all_cores([csr, done] { csr->take_lists<Id>(done); });
  }
  const int64_t all = sum_all_cores([csr] { return csr->entries(); });
  on_all_cores([csr, all] { csr->all_entries_ = all; });
}

template void Csr::take_lists<uint32_t>(GlobalAddress<Csr> csr);
template void Csr::take_lists<uint64_t>(GlobalAddress<Csr> csr);

// Takes the lists of this core from the buckets, drops duplicate entries, and converts ids to
// slots. Suspends: between buckets, when a network poll is due.
template <class Id>
void Csr::take_lists(const Progress::Counter& done) {
  EntryBuckets<Id>* const buckets = EntrySort<Id>::here;
  mapped_bytes_ = align_up(static_cast<uint64_t>(buckets->size()) * sizeof(Id), page_bytes());
  if (mapped_bytes_ != 0) {
    slots_ = map_private(mapped_bytes_);
    advise_huge_pages(slots_, mapped_bytes_);
  }
  Id* const slots = static_cast<Id*>(slots_);
  int64_t next = 0;   // the first vertex without a list
  uint64_t kept = 0;  // entries
  for (size_t bucket = 0; bucket < buckets->buckets(); ++bucket) {
    const int64_t before = next;
    const ListEntry<Id>* last = nullptr;
    for (const ListEntry<Id>& entry : buckets->take_sorted(bucket)) {
      if (last && last->place == entry.place && last->neighbour == entry.neighbour) continue;
      last = &entry;
      while (next <= int64_t(entry.place)) first_[next++] = kept;
      slots[kept++] = static_cast<Id>(layout_.slot(VertexID(entry.neighbour)));
    }
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
  const int64_t places = int64_t{1} << csr->layout().index_bits();
  on_all_cores([csr, classes, places] {
    DegreeClass* const mine = classes + csr->layout().slot(mycore(), 0);
    for (int64_t k = 0; k < csr->vertices(); ++k) mine[k] = class_of(csr->size(k));
    finish([mine, places] {
      for (Core step = 1; step < cores(); ++step) {
        const Core there = static_cast<Core>((mycore() + step) % cores());
        memcpy_async(make_global(mine, there), mine, places);
      }
    });
  });
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

namespace Grappa {
namespace {

constexpr size_t kFlushEdges = 1 << 16;     // 1 MiB
constexpr int64_t kVerticesPerLook = 1024;  // between two network polls

// Calls visit(edge) for each edge of this core; visit may suspend.
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
