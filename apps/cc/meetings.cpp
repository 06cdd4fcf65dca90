#include "apps/cc/meetings.hpp"

#include "apps/cc/ghost_labels.hpp"

namespace cc {
namespace {

// Looks at the edges of vertices of this core, a batch at a time: labels lie anywhere, so all of a
// batch are fetched before the first is read. Of the two ends of an edge that with the larger place
// is in charge: in lists that are in the order of ids its neighbours come first, so that the
// processor guesses right. Which labels differ it could not guess, so there is no branch for that.
template <class Slot>
class Comparison {
 public:
  Comparison(GlobalAddress<LabelGraph> g, const GhostLabels<Slot>* ghosts, OnMeeting on_meeting)
      : lists_(g->csr()),
        slots_(lists_.slots<Slot>()),
        log_places_(lists_.layout().log_places()),
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
    VertexID root;  // of the end in charge
  };

  void compare(const HalfEdge* batch, size_t size) const {
    for (size_t i = 0; i < size; ++i) ghosts_.prefetch_label(batch[i].slot);
    RootPair met[kBatch];
    size_t meetings = 0;
    for (size_t i = 0; i < size; ++i) {
      const VertexID other = ghosts_.label(batch[i].slot);
      met[meetings] = RootPair::of(other, batch[i].root);
      meetings += other != batch[i].root;
    }
    for (size_t i = 0; i < meetings; ++i) on_meeting_(met[i]);
  }

  uint64_t place_of(uint64_t slot) const { return slot & ((uint64_t{1} << log_places_) - 1); }
  uint64_t rank_of(uint64_t slot) const { return place_of(slot) << 16 | slot >> log_places_; }

  const Grappa::detail::Csr& lists_;
  const Slot* const slots_;
  const int log_places_;
  const Vertex* const own_;
  const GhostLabels<Slot>& ghosts_;
  const OnMeeting on_meeting_;
};

template <class Slot>
void compare_all(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                 OnMeeting on_meeting) {
  GhostLabels<Slot> ghosts(asked);  // ids take as many bits as slots
  Grappa::finish([&ghosts, g] { ghosts.fetch(g); });
  Grappa::forall_here(0, g->csr().vertices(), Comparison<Slot>(g, &ghosts, on_meeting));
}

}  // namespace

void tell_meetings(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                   OnMeeting on_meeting) {
  const bool narrow = g->csr().slot_bytes() == sizeof(uint32_t);
  (narrow ? compare_all<uint32_t> : compare_all<uint64_t>)(g, asked, on_meeting);
}

}  // namespace cc
