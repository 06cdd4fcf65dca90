#pragma once

/// The entries that a core receives for its lists: pairs of its vertex and a neighbour, in any
/// order.
///
/// An entry is appended to the bucket of its vertex, and each bucket is small enough for a radix
/// sort in the cache. Both steps write sequentially to a few addresses, while counting the entries
/// of each vertex and then placing each entry would need two random writes. (D. Knuth, "Sorting and
/// Searching", 1998, section 5.2.5.) Memory is allocated in chunks and freed after a bucket is
/// read.

#include "structures/graph/edge.hpp"
#include "system/base/units.hpp"
#include "system/global/delegate.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

/// Id: uint32_t or uint64_t.
template <class Id>
struct ListEntry {
  Id place;
  Id neighbour;
};

template <class Id>
class EntryBuckets {
 public:
  typedef ListEntry<Id> Entry;

  /// Local indices are below 2^index_bits, neighbours below 2^neighbour_bits.
  EntryBuckets(int index_bits, int neighbour_bits);
  ~EntryBuckets();
  EntryBuckets(const EntryBuckets&) = delete;
  EntryBuckets& operator=(const EntryBuckets&) = delete;

  void add(const Entry& entry) {
    Bucket& bucket = buckets_[entry.place >> log_bucket_];
    if (bucket.next == bucket.end) add_chunk(&bucket);
    *bucket.next++ = entry;
  }

  int64_t size() const;

  /// The numbers of entries of the local indices 0 to n - 1, which contain all entries.
  std::vector<uint32_t> lengths(int64_t n) const;

  /// Bucket b holds the vertices with the local indices from b << log_bucket() on.
  size_t buckets() const { return buckets_.size(); }
  int log_bucket() const { return log_bucket_; }

  /// Removes the entries of a bucket and returns them sorted by `place`, then by `neighbour`. The
  /// result is valid until the next call.
  const std::vector<Entry>& take_sorted(size_t bucket);

 private:
  // A chunk is small, to waste little memory in each bucket, but large enough to be discarded.
  static constexpr size_t kChunkBytes = 64 * KiB;
  static constexpr size_t kRegionBytes = 64 * MiB;
  static constexpr int64_t kChunkEntries = int64_t{kChunkBytes} / int64_t{sizeof(Entry)};

  struct Bucket {
    Entry* next = nullptr;
    Entry* end = nullptr;
    std::vector<Entry*> chunks;
  };

  static const Entry* end_of(const Bucket& bucket, const Entry* chunk) {
    return chunk == bucket.chunks.back() ? bucket.next : chunk + kChunkEntries;
  }
  void add_chunk(Bucket* bucket);
  void gather(Bucket* bucket);
  template <class Digit>
  void sort_by(Digit digit);

  const int log_bucket_;
  const int neighbour_bits_;
  std::vector<Bucket> buckets_;
  std::vector<char*> regions_;  // regions of kRegionBytes, divided into chunks
  size_t region_used_ = kRegionBytes;
  std::vector<Entry> entries_;  // entries of the bucket that is being sorted
  std::vector<Entry> scratch_;
};

extern template class EntryBuckets<uint32_t>;
extern template class EntryBuckets<uint64_t>;

/// The entries that all cores receive, in any order and from any core, to build or to save a graph.
/// The job has one of these objects at a time: the constructor waits while another task has one.
/// From: task. Suspends.
template <class Id>
class EntrySort {
 public:
  /// On each core, local indices are below `places`, and neighbours below `nv`.
  EntrySort(int64_t places, int64_t nv);
  ~EntrySort();
  EntrySort(const EntrySort&) = delete;
  EntrySort& operator=(const EntrySort&) = delete;

  static EntryBuckets<Id>* here;  // the entries that this core has received

  /// From: task. Suspends: while no message buffer is free. Messages: one if `to` is another core.
  static void send(Core to, Id place, VertexID neighbour) {
    const ListEntry<Id> entry = {place, static_cast<Id>(neighbour)};
    if (to == mycore()) {
      here->add(entry);
    } else {
      // Two 32-bit ids may look like an address.
      const auto arrive = [entry] { here->add(entry); };
      delegate::call<async>(to, unchecked(arrive));
    }
  }
};

extern template class EntrySort<uint32_t>;
extern template class EntrySort<uint64_t>;

}  // namespace detail
}  // namespace Grappa
