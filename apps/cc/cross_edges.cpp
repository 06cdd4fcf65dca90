#include "apps/cc/cross_edges.hpp"

#include "apps/cc/ghost_labels.hpp"

namespace cc {
namespace {

// Compares the labels of both ends of each edge of this core, in batches: all labels of a batch are
// prefetched before the first one is read. The core of the end with the higher rank processes the
// edge. The neighbours of lower rank come first in lists that are sorted by id, so this branch is
// predictable. The comparison of labels is not predictable and is therefore branch-free.
template <class Slot>
class Comparison {
 public:
  Comparison(GlobalAddress<LabelGraph> g, const GhostLabels<Slot>* ghosts, OnMeeting on_meeting)
      : lists_(g->csr()),
        slots_(lists_.slots<Slot>()),
        index_bits_(lists_.layout().index_bits()),
        own_(g->vs.localize(Grappa::mycore())),
        ghosts_(*ghosts),
        on_meeting_(on_meeting) {}

  void operator()(int64_t first_place, int64_t n) const {
    HalfEdge batch[kBatch];
    size_t size = 0;
    for (int64_t place = first_place; place < first_place + n; ++place) {
      const uint64_t rank = rank_of(lists_.layout().slot(Grappa::mycore(), place));
      const VertexID root = own_[place]->label;
      const int64_t end = lists_.first(place + 1);
      for (int64_t entry = lists_.first(place); entry < end; ++entry) {
        const uint64_t slot = slots_[entry];
        if (rank_of(slot) > rank) continue;
        ghosts_.prefetch_place(slot);
        batch[size] = HalfEdge{slot, root};
        if (++size < kBatch) continue;
        compare(batch, size);
        size = 0;
      }
    }
    compare(batch, size);
  }

 private:
  static constexpr size_t kBatch = 64;

  struct HalfEdge {
    uint64_t slot;
    VertexID root;  // root of the end that this core owns
  };

  void compare(const HalfEdge* batch, size_t size) const {
    for (size_t i = 0; i < size; ++i) ghosts_.prefetch_label(batch[i].slot);
    RootPair met[kBatch];
    size_t cross_edges = 0;
    for (size_t i = 0; i < size; ++i) {
      const VertexID other = ghosts_.label(batch[i].slot);
      met[cross_edges] = RootPair::of(other, batch[i].root);
      cross_edges += other != batch[i].root;
    }
    for (size_t i = 0; i < cross_edges; ++i) on_meeting_(met[i]);
  }

  uint64_t place_of(uint64_t slot) const { return slot & ((uint64_t{1} << index_bits_) - 1); }
  uint64_t rank_of(uint64_t slot) const { return place_of(slot) << 16 | slot >> index_bits_; }

  const Grappa::detail::Csr& lists_;
  const Slot* const slots_;
  const int index_bits_;
  const Vertex* const own_;
  const GhostLabels<Slot>& ghosts_;
  const OnMeeting on_meeting_;
};

template <class Slot>
void compare_all(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                 OnMeeting on_meeting) {
  GhostLabels<Slot> ghosts(asked);  // ids fit in the same type as slots
  Grappa::finish([&ghosts, g] { ghosts.fetch(g); });
  Grappa::forall_here(0, g->csr().vertices(), Comparison<Slot>(g, &ghosts, on_meeting));
}

}  // namespace

void report_cross_edges(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                        OnMeeting on_meeting) {
  const bool narrow = g->csr().slot_bytes() == sizeof(uint32_t);
  (narrow ? compare_all<uint32_t> : compare_all<uint64_t>)(g, asked, on_meeting);
}

}  // namespace cc
