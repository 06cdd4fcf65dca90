#include "structures/graph/csr/csr.hpp"

#include "structures/graph/csr/csr_builder.hpp"
#include "system/base/mapping.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/progress.hpp"

namespace Grappa {
namespace detail {
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

}  // namespace detail
}  // namespace Grappa
