#include "structures/graph/csr/own_lists.hpp"

#include "system/message/send.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/completion_event.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstring>

namespace Grappa::detail {
namespace {

// A payload of 4 KiB is large compared with its closure, and the streams of a core to 1,000 other
// cores stay in its second-level cache. Not measured.
constexpr size_t kPayloadBytes = 4 * KiB;
template <class T>
constexpr int64_t kMost = int64_t{kPayloadBytes / sizeof(T)};  // elements in a message

constexpr int64_t kListsPerLook = 1024;  // between two network polls

// The elements that a core sends to each owner. Send: void(Core, int64_t before, const T*, int64_t
// n), which gets consecutive elements; `before` elements for this owner precede them.
template <class T, class Send>
class Streams {
 public:
  explicit Streams(const Send& send) : send_(send), streams_(static_cast<size_t>(cores())) {}

  // Returns the storage of the next `n` elements for `to`, 1 <= n <= kMost<T>.
  T* extend(Core to, int64_t n) {
    Stream& stream = streams_[static_cast<size_t>(to)];
    if (static_cast<int64_t>(stream.elements.size()) + n > kMost<T>) flush(to);
    stream.elements.resize(stream.elements.size() + static_cast<size_t>(n));
    return stream.elements.data() + (stream.elements.size() - static_cast<size_t>(n));
  }
  void flush_all() {
    for (Core to = 0; to < cores(); ++to) flush(to);
  }

 private:
  struct Stream {
    std::vector<T> elements;
    int64_t before = 0;  // elements that were sent
  };

  void flush(Core to) {
    Stream& stream = streams_[static_cast<size_t>(to)];
    if (stream.elements.empty()) return;
    const auto n = static_cast<int64_t>(stream.elements.size());
    send_(to, stream.before, stream.elements.data(), n);
    stream.before += n;
    stream.elements.clear();
  }

  const Send send_;
  std::vector<Stream> streams_;
};

template <class T, class Send>
Streams<T, Send> streams_of(const Send& send) {
  return Streams<T, Send>(send);
}

// Moves the lists of this core to their owners, and takes those that arrive. A symmetric object.
// The phases of all cores are separated by barriers.
template <class Id, class Slot>
class ListMover {
 public:
  // `first` is at the same address on every core.
  ListMover(GlobalAddress<OwnLists<Id>> lists, const VertexLayout& layout, uint64_t* first)
      : lists_(*lists.pointer()),
        layout_(layout),
        first_(first),
        starts_(static_cast<size_t>(cores()), -1),
        missing_(layout.vertices_of(mycore())) {
    first_[0] = 0;
  }

  // Sends all lengths, waits for those of this core, and sets its offsets. Returns the number of
  // entries of this core.
  int64_t move_lengths() {
    auto streams =
        streams_of<uint32_t>([this](Core to, int64_t before, const uint32_t* lengths, int64_t n) {
          const int64_t place = starts_[static_cast<size_t>(to)] + before;
          if (to == mycore()) return take_lengths(place, lengths, n);
          send_message(
              to,
              [this, place](void* payload, size_t bytes) {
                take_lengths(place, static_cast<uint32_t*>(payload),
                             static_cast<int64_t>(bytes / sizeof(uint32_t)));
              },
              lengths, static_cast<size_t>(n) * sizeof(uint32_t));
        });
    for (int64_t k = 0; k < lists_.vertices(); ++k) {
      const VertexLayout::Location at = layout_.locate(lists_.first() + k);
      int64_t& start = starts_[static_cast<size_t>(at.core)];
      if (start < 0) start = at.place;
      *streams.extend(at.core, 1) = lists_.lengths()[k];
      if (k % kListsPerLook == 0) scheduler().yield_if_due();
    }
    streams.flush_all();
    missing_.wait();
    const int64_t vertices = layout_.vertices_of(mycore());
    for (int64_t place = 0; place < vertices; ++place) first_[place + 1] += first_[place];
    return static_cast<int64_t>(first_[vertices]);
  }

  // Entries of this core may arrive at `slots` from now on.
  void expect_entries(Slot* slots) {
    slots_ = slots;
    missing_.enroll(static_cast<int64_t>(first_[layout_.vertices_of(mycore())]));
  }

  // Sends all entries and waits for those of this core. Frees the lists.
  void move_entries(const Progress::Counter& done) {
    auto streams = streams_of<Slot>([this](Core to, int64_t before, const Slot* slots, int64_t n) {
      const int64_t start = starts_[static_cast<size_t>(to)];
      send_message(
          to,
          [this, start, before](void* payload, size_t bytes) {
            std::memcpy(slots_ + first_[start] + before, payload, bytes);
            missing_.complete(static_cast<int64_t>(bytes / sizeof(Slot)));
          },
          slots, static_cast<size_t>(n) * sizeof(Slot));
    });
    int64_t before = 0;  // entries of earlier lists
    int64_t mine = 0;    // entries of this core among them
    for (int64_t k = 0; k < lists_.vertices(); ++k) {
      const VertexLayout::Location at = layout_.locate(lists_.first() + k);
      const int64_t end = before + lists_.lengths()[k];
      if (at.core == mycore()) {
        layout_.find_slots(lists_.ids() + before, end - before, slots_ + first_[at.place]);
        mine += end - before;
      }
      for (int64_t next = before; at.core != mycore() && next < end;) {
        const int64_t n = std::min(end - next, kMost<Slot>);
        layout_.find_slots(lists_.ids() + next, n, streams.extend(at.core, n));
        next += n;
      }
      before = end;
      if ((k + 1) % kListsPerLook == 0) {
        lists_.discard_before(before);
        done.add(kListsPerLook);
        scheduler().yield_if_due();
      }
    }
    streams.flush_all();
    missing_.complete(mine);
    missing_.wait();
  }

 private:
  void take_lengths(int64_t place, const uint32_t* lengths, int64_t n) {
    std::copy(lengths, lengths + n, first_ + place + 1);
    missing_.complete(n);
  }

  OwnLists<Id>& lists_;
  const VertexLayout layout_;
  uint64_t* const first_;        // first_[place + 1] is the length of a list, later its end
  std::vector<int64_t> starts_;  // local index, at each owner, of the first vertex of lists_ there
  CompletionEvent missing_;      // lengths or entries of this core that have not arrived
  Slot* slots_ = nullptr;
};

}  // namespace

template <class Id, class Slot>
GlobalAddress<Csr> Csr::from_lists_of(const VertexLayout& layout,
                                      GlobalAddress<OwnLists<Id>> lists) {
  const GlobalAddress<Csr> csr = allocate(layout, sizeof(Slot));
  const auto mover = symmetric<ListMover<Id, Slot>>(lists, layout, csr->first_);
  Progress progress("distributing", layout.nv(), "vertices", lists->vertices());
  const Progress::Counter done = progress.counter();
  on_all_cores([csr, mover] {
    csr->map_slots(mover->move_lengths());
    mover->expect_entries(static_cast<Slot*>(csr->slots_));
  });
  on_all_cores([mover, done] { mover->move_entries(done); });
  global_free(mover);
  global_free(lists);
  count_entries(csr);
  return csr;
}

template <class Id>
GlobalAddress<Csr> Csr::from_lists(const VertexLayout& layout, SlotWidth width,
                                   GlobalAddress<OwnLists<Id>> lists) {
  return has_narrow_slots(layout, width) ? from_lists_of<Id, uint32_t>(layout, lists)
                                         : from_lists_of<Id, uint64_t>(layout, lists);
}

template GlobalAddress<Csr> Csr::from_lists(const VertexLayout&, SlotWidth,
                                            GlobalAddress<OwnLists<uint32_t>>);
template GlobalAddress<Csr> Csr::from_lists(const VertexLayout&, SlotWidth,
                                            GlobalAddress<OwnLists<uint64_t>>);

}  // namespace Grappa::detail
