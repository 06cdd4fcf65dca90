#pragma once

/// One core's share of the lists of neighbours while they come in, in any order: pairs of a vertex
/// of this core and a neighbour.
///
/// A pair is appended to the bucket of its vertex, and buckets are so small that one is sorted in
/// cache, by radix. Both are sequential writes to a few places, where counting first and then
/// placing each entry by itself would be two random ones. (D. Knuth, "Sorting and Searching", 1998,
/// section 5.2.5.) Memory comes in chunks, and goes as soon as a bucket has been read.

#include "system/base/units.hpp"

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

  /// Places are below 2^log_places, neighbours below 2^neighbour_bits.
  EntryBuckets(int log_places, int neighbour_bits);
  ~EntryBuckets();
  EntryBuckets(const EntryBuckets&) = delete;
  EntryBuckets& operator=(const EntryBuckets&) = delete;

  void add(const Entry& entry) {
    Bucket& bucket = buckets_[entry.place >> log_bucket_];
    if (bucket.next == bucket.end) add_chunk(&bucket);
    *bucket.next++ = entry;
  }

  int64_t size() const;

  /// Bucket b has the places from b << log_bucket() on.
  size_t buckets() const { return buckets_.size(); }
  int log_bucket() const { return log_bucket_; }

  /// The entries of a bucket by place, and of one place by neighbour; valid until the next call.
  /// The bucket is empty then.
  const std::vector<Entry>& take_sorted(size_t bucket);

 private:
  // Small enough for what a bucket has left empty, large enough for the kernel to give and take.
  static constexpr size_t kChunkBytes = 64 * KiB;
  static constexpr size_t kRegionBytes = 64 * MiB;
  static constexpr int64_t kChunkEntries = int64_t{kChunkBytes} / int64_t{sizeof(Entry)};

  struct Bucket {
    Entry* next = nullptr;
    Entry* end = nullptr;
    std::vector<Entry*> chunks;
  };

  void add_chunk(Bucket* bucket);
  void gather(Bucket* bucket);
  template <class Digit>
  void sort_by(Digit digit);

  const int log_bucket_;
  const int neighbour_bits_;
  std::vector<Bucket> buckets_;
  std::vector<char*> regions_;  // of memory, in each of which chunks lie side by side
  size_t region_used_ = kRegionBytes;
  std::vector<Entry> entries_;  // of the bucket that is being sorted
  std::vector<Entry> scratch_;
};

extern template class EntryBuckets<uint32_t>;
extern template class EntryBuckets<uint64_t>;

}  // namespace detail
}  // namespace Grappa
