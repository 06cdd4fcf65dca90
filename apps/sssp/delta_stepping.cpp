/// Delta-stepping with direct access to the lists of neighbours.
///
/// Each core has its own vertices in buckets by distance. A step processes the lowest bucket that
/// is not empty on all cores. A core processes the vertices that it adds to this bucket in the same
/// step (bucket fusion: Y. Zhang et al., "Optimizing Ordered Graph Algorithms with GraphIt", CGO
/// 2020), so a step ends when the bucket is empty on all cores.
///
/// The distances are in an array that the cores of a locale share. Only the owner writes a
/// distance. The other cores of the locale read it, and send a message only for a shorter path. A
/// distance only decreases, so an old value causes at most an unnecessary message. In the parts of
/// other locales, this locale records the shortest distances that it has sent.

#include "apps/common/bitmap.hpp"
#include "apps/common/charge.hpp"
#include "apps/sssp/sssp.hpp"
#include "structures/graph/csr/visit_attributes.hpp"
#include "system/base/compiler.hpp"
#include "system/base/input_error.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/parallel/locale_array.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <vector>

namespace sssp {
namespace {

using Grappa::detail::Csr;
typedef uint32_t Distance;
typedef Grappa::detail::LocaleArray<Distance> Distances;

constexpr Distance kUnreached = UINT32_MAX;
constexpr int64_t kNoBucket = INT64_MAX, kTooFar = -1;
constexpr int64_t kMostBuckets = int64_t{1} << 16;

/// A list of vertices whose data are prefetched is processed in this order. At distance 2 kAhead,
/// the offset of the list and the distance of the vertex are prefetched; at distance kAhead, the
/// first entries. Not measured.
constexpr size_t kAhead = 8;

Distance load(const Distance* distance) { return __atomic_load_n(distance, __ATOMIC_RELAXED); }
void store(Distance* distance, Distance value) {
  __atomic_store_n(distance, value, __ATOMIC_RELAXED);
}

/// The state of the searches on one core. Slot: uint32_t or uint64_t. The distances of cores of
/// other locales are at most those that this locale has sent.
template <class Slot>
class Part {
 public:
  Part(GlobalAddress<Csr> lists, GlobalAddress<Distances> distances, const Weights& weights,
       int64_t delta)
      : lists_(*lists.pointer()),
        distances_(*distances.pointer()),
        index_bits_(lists_.layout().index_bits()),
        most_(kUnreached - static_cast<Distance>(weights.largest)),
        per_delta_((uint64_t{1} << 32) / static_cast<uint64_t>(delta)),
        entries_bytes_(
            Grappa::detail::align_up(static_cast<size_t>(lists_.entries() + 1) * sizeof(Entry),
                                     Grappa::detail::kHugePageBytes)),
        entries_(static_cast<Entry*>(
            Grappa::detail::map_private_aligned(entries_bytes_, Grappa::detail::kHugePageBytes))) {
    Grappa::detail::advise_huge_pages(entries_, entries_bytes_);
    size_t buckets = 4;
    while (static_cast<int64_t>(buckets) < weights.largest / delta + 3) buckets *= 2;
    buckets_.resize(buckets);
    const Slot* const slots = lists_.template slots<Slot>();
    for (int64_t entry = 0; entry < lists_.entries(); ++entry) {
      entries_[entry] = {slots[entry], kUnreached};
    }
    if (weights.are_random()) draw_weights(weights);
  }
  ~Part() { Grappa::detail::unmap(entries_, entries_bytes_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  /// Gives an entry this weight, if its weight is not smaller.
  void take_weight(int64_t entry, const Grappa::EdgeAttributes& attributes) {
    Distance* const weight = &entries_[entry].weight;
    *weight = std::min(*weight, static_cast<Distance>(attributes.weight));
  }

  /// From: a task on every core, at the same time. Suspends.
  void find(VertexID root) {
    current_ = this;
    all_ = distances_.all();
    own_ = distances_.own();
    distances_.for_each_written_here([this](int64_t first, int64_t n) {
      std::fill_n(all_ + first, n, Distance{kUnreached});
      apps::charge(n, kFillNs);
    });
    bucket_ = 0;
    const auto at = lists_.layout().locate(root);
    if (at.core == Grappa::mycore()) shorten(static_cast<Slot>(at.place), 0);
    for (;;) {
      bucket_ = Grappa::allreduce<int64_t, Grappa::collective_min>(first_bucket());
      if (bucket_ == kNoBucket || bucket_ == kTooFar) return;
      // Messages of other cores may add vertices to the bucket until the step has ended.
      Grappa::finish([this] {
        while (!bucket(bucket_).empty()) expand_bucket();
      });
      Grappa::barrier();  // other cores may send to this core until their steps have ended, too
    }
  }

  /// Returns true if a distance in the last search was too large to be extended.
  bool is_too_far() const { return bucket_ == kTooFar; }

  /// From: a task on every core, at the same time. Suspends.
  void find_parents(VertexID root) {
    distances_.share();
    Grappa::barrier();
    parents_.assign(static_cast<size_t>(lists_.vertices()), Slot{kNone});
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      const Distance distance = own_[place];
      if (distance == kUnreached) continue;
      const Entry* entry = entries_ + lists_.first(place);
      const Entry* const end = entries_ + lists_.first(place + 1);
      if (distance == 0) {
        parents_[static_cast<size_t>(place)] = static_cast<Slot>(lists_.layout().slot(root));
        continue;
      }
      while (entry != end && uint64_t{all_[entry->slot]} + entry->weight != distance) ++entry;
      GRAPPA_CHECK(entry != end) << "no neighbour of vertex "
                                 << lists_.layout().id(Grappa::mycore(), place)
                                 << " explains its distance of " << distance;
      parents_[static_cast<size_t>(place)] = entry->slot;
    }
    apps::charge(lists_.entries(), kEntryNs);
  }

  /// From: a task on every core. Suspends.
  void copy_distances(GlobalAddress<int64_t> distances) const {
    Grappa::forall_here(0, lists_.vertices(), [this, distances](int64_t place) {
      const Distance distance = own_[place];
      Grappa::delegate::write<Grappa::async>(
          distances + lists_.layout().id(Grappa::mycore(), place),
          distance == kUnreached ? -1 : int64_t{distance});
    });
  }

  /// From: a task on every core. Suspends.
  void copy_parents(GlobalAddress<VertexID> parents) const {
    apps::copy_ids(lists_, parents_, parents);
  }

 private:
  static constexpr Slot kNone = static_cast<Slot>(-1);
  static constexpr double kFillNs = 0.1, kVertexNs = 10, kEntryNs = 2;  // charged

  struct Entry {
    Slot slot;  // of the neighbour
    Distance weight;
  };
  struct Reached {
    Slot place;
    Distance distance;  // if the vertex is nearer now, it is in another entry, too
  };
  typedef std::vector<Reached> Bucket;

  /// A shorter path to a vertex of the receiver.
  struct Shorten {
    Slot place;
    Distance distance;
    void prefetch() const { GRAPPA_PREFETCH_TO_READ(current_->own_ + place); }
    void operator()() const { current_->shorten(place, distance); }
  };

  void draw_weights(const Weights& weights) {
    const Grappa::detail::VertexLayout& layout = lists_.layout();
    for (int64_t place = 0; place < lists_.vertices(); ++place) {
      const VertexID v = layout.id(Grappa::mycore(), place);
      for (int64_t entry = lists_.first(place); entry < lists_.first(place + 1); ++entry) {
        const VertexID w = layout.id_of_slot(entries_[entry].slot);
        entries_[entry].weight =
            static_cast<Distance>(Grappa::edge_weight(v, w, weights.seed, weights.largest));
      }
    }
  }

  // The bucket of a distance. A greater distance has the same bucket or a higher one.
  int64_t bucket_of(Distance distance) const {
    return static_cast<int64_t>(distance * per_delta_ >> 32);
  }
  // The array is cyclic: no path is longer than the current bucket plus the largest weight.
  Bucket& bucket(int64_t number) {
    return buckets_[static_cast<size_t>(number) & (buckets_.size() - 1)];
  }
  int64_t first_bucket() {
    if (too_far_) return kTooFar;
    for (size_t k = 0; k < buckets_.size(); ++k) {
      if (!bucket(bucket_ + int64_t(k)).empty()) return bucket_ + int64_t(k);
    }
    return kNoBucket;
  }

  void shorten(Slot place, Distance distance) {
    Distance* const mine = own_ + place;
    if (distance >= *mine) return;
    store(mine, distance);
    bucket(bucket_of(distance)).push_back(Reached{place, distance});
  }

  GRAPPA_NOINLINE void shorten_anywhere(Slot slot, Distance distance) {
    const auto owner = static_cast<Grappa::Core>(uint64_t{slot} >> index_bits_);
    const Slot place = slot & static_cast<Slot>((uint64_t{1} << index_bits_) - 1);
    if (owner == Grappa::mycore()) return shorten(place, distance);
    if (Grappa::locale_of(owner) != Grappa::mylocale()) store(all_ + slot, distance);
    Grappa::delegate::call<Grappa::async>(owner, Grappa::unchecked(Shorten{place, distance}));
  }

  void expand(const Reached& from) {
    if (load(own_ + from.place) != from.distance) return;
    if (GRAPPA_UNLIKELY(from.distance >= most_)) {
      too_far_ = true;
      return;
    }
    const Distance* const all = all_;
    entries_read_ += lists_.size(int64_t(from.place));
    const Entry* const end = entries_ + lists_.first(int64_t(from.place) + 1);
    for (const Entry* entry = entries_ + lists_.first(int64_t(from.place)); entry != end; ++entry) {
      const Distance distance = from.distance + entry->weight;
      if (distance < load(all + entry->slot)) shorten_anywhere(entry->slot, distance);
    }
  }

  void expand_bucket() {
    expanded_.swap(bucket(bucket_));
    const size_t n = expanded_.size();
    for (size_t i = 0; i < n; ++i) {
      if (i + 2 * kAhead < n) {
        const Slot place = expanded_[i + 2 * kAhead].place;
        GRAPPA_PREFETCH_TO_READ(lists_.firsts() + place);
        GRAPPA_PREFETCH_TO_READ(own_ + place);
      }
      if (i + kAhead < n) {
        GRAPPA_PREFETCH_TO_READ(entries_ + lists_.first(int64_t(expanded_[i + kAhead].place)));
      }
      expand(expanded_[i]);
      if (i % kVerticesPerPoll == 0) Grappa::detail::yield_if_due();
    }
    expanded_.clear();
    apps::charge(int64_t(n), kVertexNs);
    apps::charge(entries_read_, kEntryNs);
    entries_read_ = 0;
  }

  static constexpr size_t kVerticesPerPoll = 64;  // not measured

  static Part* current_;  // the object of the current search

  const Csr& lists_;
  Distances& distances_;
  const int index_bits_;
  const Distance most_;       // a path of this length cannot be extended
  const uint64_t per_delta_;  // 2^32 / delta
  const size_t entries_bytes_;
  Entry* const entries_;
  Distance* all_ = nullptr;  // by slot
  Distance* own_ = nullptr;  // by local index
  int64_t bucket_ = 0;       // the number of the current bucket
  bool too_far_ = false;
  std::vector<Bucket> buckets_;
  int64_t entries_read_ = 0;  // not charged yet
  Bucket expanded_;           // the vertices that are being processed
  std::vector<Slot> parents_;
};

template <class Slot>
Part<Slot>* Part<Slot>::current_ = nullptr;

template <class Slot>
class DeltaStepping : public Paths {
 public:
  DeltaStepping(GlobalAddress<PathGraph> g, const Weights& weights, int64_t delta)
      : distances_(Distances::create(int64_t{1} << g->csr().layout().index_bits())),
        part_(Grappa::symmetric<Part<Slot>>(g->lists(), distances_, weights, delta)) {
    if (weights.are_random()) return;
    const GlobalAddress<Part<Slot>> part = part_;
    const auto take = [part](int64_t entry, const Grappa::EdgeAttributes& attributes) {
      part->take_weight(entry, attributes);
    };
    Grappa::detail::visit_attributes(weights.list, g->lists(), false, take);
  }
  ~DeltaStepping() {
    Grappa::global_free(part_);
    Grappa::global_free(distances_);
  }

  void find(VertexID root) override {
    const GlobalAddress<Part<Slot>> part = part_;
    root_ = root;
    Grappa::on_all_cores([part, root] { part->find(root); });
    if (part->is_too_far()) {
      Grappa::input_error(
          "a distance exceeds 2^32 - 1 minus the largest weight: use smaller weights");
    }
  }
  void find_parents() override {
    const GlobalAddress<Part<Slot>> part = part_;
    const VertexID root = root_;
    Grappa::on_all_cores([part, root] { part->find_parents(root); });
  }
  void copy_distances(GlobalAddress<int64_t> distances) override {
    const GlobalAddress<Part<Slot>> part = part_;
    Grappa::on_all_cores([part, distances] { part->copy_distances(distances); });
  }
  void copy_parents(GlobalAddress<VertexID> parents) override {
    const GlobalAddress<Part<Slot>> part = part_;
    Grappa::on_all_cores([part, parents] { part->copy_parents(parents); });
  }

 private:
  const GlobalAddress<Distances> distances_;
  const GlobalAddress<Part<Slot>> part_;
  VertexID root_ = 0;
};

}  // namespace

std::unique_ptr<Paths> delta_stepping(GlobalAddress<PathGraph> g, const Weights& weights,
                                      int64_t delta) {
  GRAPPA_CHECK(1 <= weights.largest && weights.largest <= kMostWeight) << weights.largest;
  GRAPPA_CHECK(delta >= smallest_delta(weights)) << delta;
  return apps::make_for_slots<Paths, DeltaStepping>(g->csr(), g, weights, delta);
}

int64_t smallest_delta(const Weights& weights) {
  return (weights.largest + kMostBuckets - 1) / kMostBuckets;
}

int64_t good_delta(GlobalAddress<PathGraph> g, const Weights& weights) {
  const double neighbours = double(g->nadj) / double(std::max<int64_t>(g->nv, 1));
  return std::max(smallest_delta(weights), int64_t(2 * weights.mean / std::max(neighbours, 1.0)));
}

}  // namespace sssp
