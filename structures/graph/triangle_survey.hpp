#pragma once

/// Visits each triangle of an undirected graph once, with the data of its vertices and edges. (T.
/// Steil, T. Reza, K. Iwabuchi, B. Priest, G. Sanders, R. Pearce, "TriPoll: Computing Surveys of
/// Triangles in Massive-Scale Temporal Graphs with Metadata", SC 2021.)
///
///     Reducer<int64_t, ReducerType::Add> red;  // at file scope
///     triangle_survey(g, [](const Triangle<Colour, NoData>& t) {
///       red += t.data(0).is_red && t.data(1).is_red && t.data(2).is_red;
///     });
///
/// Vertices are ordered by degree, and vertices of equal degree by id. The *upper list* of a vertex
/// has its neighbours of higher order. In a graph of m edges, no upper list has more than sqrt(2 m)
/// entries (N. Chiba, T. Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM Journal on
/// Computing 14, 1985). A triangle a < b < c is found at the owner of b: c is in the upper lists of
/// both a and b. So the upper list of each a is sent to the owners of its entries, once to each.
/// The owner sets a bit for each entry, and looks up the entries of the upper list of each b. In
/// TriPoll, in contrast, the upper list of a is sent once for each b, and lists are merged.

#include "structures/graph/graph.hpp"
#include "structures/graph/loops/upper_lists.hpp"
#include "structures/graph/mirror.hpp"
#include "system/base/check.hpp"
#include "system/base/traits.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/message/closure_check.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/spawn.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/sync/mutex.hpp"
#include "system/sync/semaphore.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {
/// A triangle of a Graph<V, E>, valid during the call of the visitor. Its vertices have the numbers
/// 0, 1 and 2 in the order of their degrees, and of their ids if degrees are equal.
template <class V, class E>
class Triangle {
 public:
  /// The id and the data of vertex number k. The data are a copy of when the survey began.
  VertexID vertex(int k) const { return layout_.id_of_slot(slots_[k]); }
  const V& data(int k) const { return data_[slots_[k]]; }

  /// The data of the edge between vertices k and (k + 1) % 3. An edge has two entries; this is the
  /// data of the entry in the list of the vertex with the lower number.
  const E& edge(int k) const { return *edges_[k]; }

  /// Called by triangle_survey() only.
  Triangle(const detail::VertexLayout& layout, const V* data, uint64_t a, uint64_t b, uint64_t c,
           const E* ab, const E* bc, const E* ac)
      : layout_(layout), data_(data), slots_{a, b, c}, edges_{ab, bc, ac} {}

 private:
  const detail::VertexLayout& layout_;
  const V* const data_;  // by slot
  const uint64_t slots_[3];
  const E* const edges_[3];
};

namespace detail {

/// Limits a survey: the bytes of lists that a core collects for another core before it sends them,
/// and the number of such packets that a core has sent and that their receivers have not copied.
/// Not measured. A packet is smaller in a job of more than 256 cores.
constexpr int64_t kSurveyPacketBytes = int64_t{64} << 10;
constexpr int64_t kSurveyPackets = 16;

/// The part of one core of a survey, a symmetric object. Slot: uint32_t or uint64_t, as in the
/// lists of the graph.
template <class V, class E, class Slot, class F>
class SurveyPart {
  typedef UpperEntry<Slot, E> Entry;
  typedef std::vector<Entry> Packet;  // for each list: the slot of a, the length, and the entries

 public:
  SurveyPart(GlobalAddress<Graph<V, E>> g, GlobalAddress<Mirror<uint32_t>> degrees,
             GlobalAddress<Mirror<V>> data, F visitor)
      : layout_(g->csr().layout()),
        data_(*data.pointer()),
        visitor_(visitor),
        upper_(*g.pointer(), degrees->values()),
        packet_entries_(static_cast<size_t>(packet_bytes()) / sizeof(Entry)),
        packets_(static_cast<size_t>(cores())),
        sent_(static_cast<size_t>(cores()), -1),
        free_packets_(kSurveyPackets),
        marks_(static_cast<size_t>(layout_.slots() / 64)),
        found_(upper_.longest()) {}

  /// Visits the triangles whose lowest vertex is one of this core's: sends all lists that other
  /// cores need, so that these cores have work, and then visits those that this core needs. From: a
  /// task on every core, in the scope of the survey. Suspends: if packets are full, and as the
  /// visitor does.
  void run(GlobalAddress<SurveyPart> self) {
    if (cores() > 1) send_lists(self);
    for (int64_t place = 0; place < upper_.vertices(); ++place) {
      if (upper_.end(place) - upper_.begin(place) < 2) continue;
      visiting_.lock();
      visit_list(slot_of(place), upper_.begin(place), upper_.end(place));
      visiting_.unlock();
      yield_if_due();
    }
  }

 private:
  /// A packet that another core has sent, and that this core has not copied.
  struct Arrived {
    Packet* packet;  // on its sender
    GlobalAddress<Entry> entries;
    int64_t n;
  };

  static int64_t packet_bytes() {
    return std::min(kSurveyPacketBytes, (int64_t{16} << 20) / cores());
  }

  static constexpr double kEntryNs = 1;        // charged in simulations
  static constexpr std::ptrdiff_t kAhead = 8;  // lists to prefetch; not measured

  Slot slot_of(int64_t place) const { return static_cast<Slot>(layout_.slot(mycore(), place)); }

  /// Sends the list of each vertex once to each other core that owns one of its entries.
  void send_lists(GlobalAddress<SurveyPart> self) {
    for (int64_t place = 0; place < upper_.vertices(); ++place) {
      const Entry* const begin = upper_.begin(place);
      const Entry* const end = upper_.end(place);
      if (end - begin < 2) continue;
      for (const Entry* entry = begin; entry != end; ++entry) {
        const Core core = layout_.core_of_slot(entry->slot);
        if (core != mycore() && sent_[static_cast<size_t>(core)] != place) {
          sent_[static_cast<size_t>(core)] = place;
          send(self, core, slot_of(place), begin, end);
        }
      }
      yield_if_due();
    }
    for (Core core = 0; core < cores(); ++core) send_packet(self, core);
  }

  /// Adds a list to the packet for `core`. A full packet is sent.
  void send(GlobalAddress<SurveyPart> self, Core core, Slot a, const Entry* begin,
            const Entry* end) {
    Packet& packet = packets_[static_cast<size_t>(core)];
    packet.push_back(Entry(a));
    packet.push_back(Entry(static_cast<Slot>(end - begin)));
    packet.insert(packet.end(), begin, end);
    if (packet.size() >= packet_entries_) send_packet(self, core);
  }

  /// The receiver copies the packet from this core when its turn to be visited comes. This core
  /// then frees the packet, and may send another one. So packets do not collect at a receiver.
  void send_packet(GlobalAddress<SurveyPart> self, Core core) {
    if (packets_[static_cast<size_t>(core)].empty()) return;
    free_packets_.decrement();
    Packet* const packet = new Packet(std::move(packets_[static_cast<size_t>(core)]));
    packets_[static_cast<size_t>(core)] = Packet();
    const GlobalAddress<Entry> entries = make_global(packet->data());
    const Arrived arrived = {packet, entries, static_cast<int64_t>(packet->size())};
    const auto arrive = [self, arrived] { self->arrive(self, arrived); };
    delegate::call<async>(core, unchecked(arrive));
  }

  /// One task visits the packets that have arrived, so that workers are free for the tasks that the
  /// visitor starts. From: a handler.
  void arrive(GlobalAddress<SurveyPart> self, const Arrived& arrived) {
    arrived_.push_back(arrived);
    if (receiving_) return;
    receiving_ = true;
    const auto receive = [self] { self->receive(self); };
    spawn(unchecked(receive));
  }

  void receive(GlobalAddress<SurveyPart> self) {
    while (!arrived_.empty()) {
      const Arrived first = arrived_.front();
      arrived_.pop_front();
      visit_packet(self, first.packet, first.entries, first.n);
    }
    receiving_ = false;
  }

  void visit_packet(GlobalAddress<SurveyPart> self, Packet* packet, GlobalAddress<Entry> entries,
                    int64_t n) {
    Packet lists(static_cast<size_t>(n));
    memcpy(lists.data(), entries, n);
    const auto free_packet = [self, packet] {
      delete packet;
      self->free_packets_.increment();
    };
    delegate::call<async>(entries.core(), unchecked(free_packet));
    visiting_.lock();
    for (const Entry* next = lists.data(); next != lists.data() + n;) {
      const Entry* const begin = next + 2;
      const Entry* const end = begin + next[1].slot;
      visit_list(next[0].slot, begin, end);
      next = end;
      yield_if_due();
    }
    visiting_.unlock();
  }

  bool is_marked(Slot slot) const {
    return (marks_[static_cast<size_t>(slot / 64)] >> (slot % 64) & 1) != 0;
  }

  /// Visits the triangles with the lowest vertex `a` whose middle vertex is one of this core's.
  void visit_list(Slot a, const Entry* begin, const Entry* end) {
    const Core me = mycore();
    own_.clear();
    for (const Entry* entry = begin; entry != end; ++entry) {
      if (layout_.core_of_slot(entry->slot) == me) own_.push_back(entry);
    }
    if (own_.empty()) return;
    for (const Entry* entry = begin; entry != end; ++entry) {
      marks_[static_cast<size_t>(entry->slot / 64)] |= uint64_t{1} << (entry->slot % 64);
    }
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(own_.size());
    size_t read = 0;
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      if (k + 2 * kAhead < n) upper_.prefetch_first(place_of(own_[size_t(k + 2 * kAhead)]));
      if (k + kAhead < n) upper_.prefetch(place_of(own_[size_t(k + kAhead)]));
      read += visit_pair(a, *own_[static_cast<size_t>(k)], begin, end);
    }
    for (const Entry* entry = begin; entry != end; ++entry) {
      marks_[static_cast<size_t>(entry->slot / 64)] = 0;
    }
    charge_ns(static_cast<uint64_t>(static_cast<double>(read) * kEntryNs));
  }

  int64_t place_of(const Entry* own) const { return layout_.place_of_slot(own->slot); }

  /// Visits the triangles with the edge from a to b. First all marked entries of the upper list of
  /// b are found without a branch for each, since branches would be mispredicted.
  size_t visit_pair(Slot a, const Entry& b, const Entry* a_begin, const Entry* a_end) {
    const int64_t place = place_of(&b);
    const Entry* const list = upper_.begin(place);
    const size_t size = static_cast<size_t>(upper_.end(place) - list);
    uint32_t* const found = found_.data();
    size_t n = 0;
    for (size_t i = 0; i < size; ++i) {
      found[n] = static_cast<uint32_t>(i);
      n += is_marked(list[i].slot) ? 1 : 0;
    }
    for (size_t k = 0; k < n; ++k) {
      const Entry& c = list[found[k]];
      visitor_(Triangle<V, E>(layout_, data_.values(), a, b.slot, c.slot, &b.data(), &c.data(),
                              find(c.slot, a_begin, a_end)));
    }
    return size;
  }

  /// The data of the entry of `slot` in a sorted list that has this entry.
  const E* find(Slot slot, const Entry* begin, const Entry* end) const {
    if (std::is_empty<E>::value) return &begin->data();
    return &std::lower_bound(begin, end, slot, [](const Entry& entry, Slot wanted) {
              return entry.slot < wanted;
            })->data();
  }

  const VertexLayout layout_;
  const Mirror<V>& data_;
  F visitor_;
  UpperLists<V, E, Slot> upper_;
  const size_t packet_entries_;
  std::vector<Packet> packets_;  // by core: lists that are not sent yet
  std::vector<int64_t> sent_;    // by core: the local index of the last list in its packets
  CountingSemaphore free_packets_;
  std::deque<Arrived> arrived_;
  bool receiving_ = false;         // a task visits the packets of arrived_
  Mutex visiting_;                 // protects the members below: a visitor may suspend
  std::vector<uint64_t> marks_;    // by slot: the entries of the upper list of a
  std::vector<const Entry*> own_;  // the entries of this list that this core owns
  std::vector<uint32_t> found_;    // indices of marked entries in the upper list of b
};

template <class Slot, class V, class E, class F>
void run_survey(GlobalAddress<Graph<V, E>> g, const F& visitor) {
  typedef typename Graph<V, E>::Vertex Vertex;
  typedef SurveyPart<V, E, Slot, F> Part;
  const auto degrees = Mirror<uint32_t>::create(g);
  const auto data = Mirror<V>::create(g);
  forall(g, [degrees, data](Vertex& v) {
    degrees->set(v, v.nadj);
    data->set(v, v.data);
  });
  degrees->refresh();
  if (!std::is_empty<V>::value) data->refresh();
  const GlobalAddress<Part> part = symmetric<Part>(g, degrees, data, visitor);
  degrees->destroy();
  on_all_cores([part] { part->run(part); });
  global_free(part);
  data->destroy();
}

}  // namespace detail

/// Calls `visitor(const Triangle<V, E>&)` once for each triangle, at the owner of its vertex number
/// 1. The calls of one core do not overlap, also if the visitor suspends. Work that the visitor
/// starts belongs to the survey. The order of the calls is not defined. The graph must be
/// undirected, and must not change during the survey. V must be trivially copyable. From: task.
/// Suspends: until all work is complete. Messages: the upper list of a vertex is sent to each other
/// core that owns one of its entries, in packets of 64 KiB; those of two mirrors.
///
/// Memory over all cores: for each edge, an entry of 4 bytes (8 if slots have 8 bytes) and an E;
/// for each vertex, 8 bytes. On each core: 1 bit for each slot of all cores, and the packets: an
/// open one for each other core, with at most 16 MiB in all, 16 that were sent, and a received one.
/// A packet has up to 64 KiB and a list, in memory of up to twice its size. On each locale: two
/// copies of V for each slot, unless V is empty, and at first two numbers of 4 bytes.
template <class V, class E, class F>
void triangle_survey(GlobalAddress<Graph<V, E>> g, F visitor) {
  static_assert(detail::is_callable<F, const Triangle<V, E>&>::value,
                "the visitor of a triangle survey takes (const Triangle<V, E>&), with the V and E "
                "of the graph");
  static_assert(detail::travels<V>::value,
                "a triangle survey copies the data of vertices to other cores as bytes, so they "
                "must be trivially copyable");
  GRAPPA_CHECK(!g->directed) << ": triangle_survey of a directed graph, whose lists have "
                                "out-neighbours only: create an undirected graph";
  detail::check_closure(visitor);
  if (g->csr().slot_bytes() == sizeof(uint32_t)) {
    detail::run_survey<uint32_t>(g, visitor);
  } else {
    detail::run_survey<uint64_t>(g, visitor);
  }
}

}  // namespace Grappa
