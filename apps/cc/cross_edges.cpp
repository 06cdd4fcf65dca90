/// Cross edges: edges whose ends have different roots, because two traversals of phase 1 have met
/// (cc_kahan.cpp).
///
/// The search for cross edges starts when each vertex has its root. Each core gets copies of the
/// labels of all neighbours of its vertices, and checks each edge once, at one of its ends.

#include "apps/cc/reduced_graph.hpp"

namespace cc {
namespace {

using Grappa::Core;

// Copies, on one core, of the labels of all neighbours of its vertices. With these copies, a core
// can compare the ends of its edges without messages.
//
// Copies are stored in the order of slots, without gaps. A bitmap has one bit for each slot that
// has a copy, and a counter for every 64 slots has the number of copies before them (G. Jacobson,
// "Space-efficient Static Trees and Graphs", FOCS 1989). A copy is found with two reads, and all
// copies take no more memory than the lists of neighbours.
//
// Label: an unsigned integer type that can hold any label.
template <class Label>
class GhostLabels {
 public:
  /// Allocates copies for the slots whose bits are set: bit b of `wanted[w]` is slot 64 w + b.
  explicit GhostLabels(const std::vector<uint64_t>& wanted) {
    uint64_t copies = 0;
    words_.reserve(wanted.size());
    for (const uint64_t word : wanted) {
      words_.push_back(Word{word, copies});
      copies += static_cast<uint64_t>(__builtin_popcountll(word));
    }
    labels_.resize(static_cast<size_t>(copies));
  }

  /// Gets the labels from the owners in `g`, asynchronously: all labels have arrived when the scope
  /// of the caller is finished. From: task. Suspends while no message buffer is free. Messages: 2
  /// for each slot of another core.
  void fetch(GlobalAddress<LabelGraph> g) {
    const Grappa::detail::VertexLayout& layout = g->csr().layout();
    const uint64_t words_of_core = (uint64_t{1} << layout.index_bits()) / 64;
    Label* copy = labels_.data();
    for (uint64_t i = 0; i < words_.size(); ++i) {
      const Core owner = static_cast<Core>(i / words_of_core);
      Vertex* const first = g->vs.localize(owner) + (i % words_of_core) * 64;
      for (uint64_t each = words_[i].wanted; each != 0; each &= each - 1, ++copy) {
        Vertex* const vertex = first + __builtin_ctzll(each);
        if (owner == Grappa::mycore()) {
          *copy = static_cast<Label>((*vertex)->label);
          continue;
        }
        const GlobalAddress<Label> answer = Grappa::make_global(copy);
        Grappa::delegate::call<Grappa::async>(
            Grappa::make_global(vertex, owner),
            [answer](Vertex& v) { Grappa::delegate::write<Grappa::async>(answer, v->label); });
      }
    }
  }

  /// Returns the label of a slot, whose bit must be set.
  VertexID label(uint64_t slot) const { return static_cast<VertexID>(labels_[copy_of(slot)]); }

  /// Prefetches for label(): first prefetch_place(), and later prefetch_label(), which reads the
  /// result of the first prefetch.
  void prefetch_place(uint64_t slot) const { __builtin_prefetch(&words_[slot / 64]); }
  void prefetch_label(uint64_t slot) const { __builtin_prefetch(&labels_[copy_of(slot)]); }

 private:
  struct Word {
    uint64_t wanted;
    uint64_t before;  // number of copies for the slots of earlier words
  };

  size_t copy_of(uint64_t slot) const {
    const Word& word = words_[slot / 64];
    const uint64_t lower = (uint64_t{1} << (slot % 64)) - 1;
    return static_cast<size_t>(word.before) +
           static_cast<size_t>(__builtin_popcountll(word.wanted & lower));
  }

  std::vector<Word> words_;
  std::vector<Label> labels_;
};

struct HalfEdge {
  uint64_t slot;
  VertexID root;  // root of the end that this core owns
};

constexpr size_t kBatch = 64;

// All labels of a batch are prefetched before the first one is read. The comparison of labels is
// not predictable and is therefore branch-free.
template <class Slot>
void compare(const GhostLabels<Slot>& ghosts, const HalfEdge* batch, size_t size,
             OnMeeting on_meeting) {
  for (size_t i = 0; i < size; ++i) ghosts.prefetch_label(batch[i].slot);
  RootPair met[kBatch];
  size_t cross_edges = 0;
  for (size_t i = 0; i < size; ++i) {
    const VertexID other = ghosts.label(batch[i].slot);
    met[cross_edges] = RootPair::of(other, batch[i].root);
    cross_edges += other != batch[i].root;
  }
  for (size_t i = 0; i < cross_edges; ++i) on_meeting(met[i]);
}

// Compares the labels of both ends of each edge of `n` vertices of this core. The core of the end
// with the higher rank processes the edge. The neighbours of lower rank come first in lists that
// are sorted by id, so this branch is predictable.
template <class Slot>
void compare_lists(const LabelGraph& g, const GhostLabels<Slot>& ghosts, int64_t first_place,
                   int64_t n, OnMeeting on_meeting) {
  const Grappa::detail::Csr& lists = g.csr();
  const Slot* const slots = lists.slots<Slot>();
  const int index_bits = lists.layout().index_bits();
  const Vertex* const own = g.vs.localize();
  const auto rank_of = [index_bits](uint64_t slot) {
    return (slot & ((uint64_t{1} << index_bits) - 1)) << 16 | slot >> index_bits;
  };
  HalfEdge batch[kBatch];
  size_t size = 0;
  for (int64_t place = first_place; place < first_place + n; ++place) {
    const uint64_t rank = rank_of(lists.layout().slot(Grappa::mycore(), place));
    const VertexID root = own[place]->label;
    const int64_t end = lists.first(place + 1);
    for (int64_t entry = lists.first(place); entry < end; ++entry) {
      const uint64_t slot = slots[entry];
      if (rank_of(slot) > rank) continue;
      ghosts.prefetch_place(slot);
      batch[size] = HalfEdge{slot, root};
      if (++size < kBatch) continue;
      compare(ghosts, batch, size, on_meeting);
      size = 0;
    }
  }
  compare(ghosts, batch, size, on_meeting);
}

template <class Slot>
void compare_all(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                 OnMeeting on_meeting) {
  GhostLabels<Slot> ghosts(asked);  // ids fit in the same type as slots
  Grappa::finish([&ghosts, g] { ghosts.fetch(g); });
  Grappa::forall_here(0, g->csr().vertices(), [&ghosts, g, on_meeting](int64_t first, int64_t n) {
    compare_lists(*g.pointer(), ghosts, first, n, on_meeting);
  });
}

}  // namespace

void report_cross_edges(GlobalAddress<LabelGraph> g, const std::vector<uint64_t>& asked,
                        OnMeeting on_meeting) {
  const bool narrow = g->csr().slot_bytes() == sizeof(uint32_t);
  (narrow ? compare_all<uint32_t> : compare_all<uint64_t>)(g, asked, on_meeting);
}

}  // namespace cc
