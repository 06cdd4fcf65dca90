#pragma once

/// The entries of the lists of neighbours that a core receives to build or to save a graph.

#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace Grappa { namespace detail {

/// An entry for the list of the vertex with the local index `place`. Id: uint32_t or uint64_t.
template <class Id>
struct ListEntry {
  Id place;
  Id neighbour;
};

template <class Id>
bool operator==(const ListEntry<Id>& a, const ListEntry<Id>& b) {
  return a.place == b.place && a.neighbour == b.neighbour;
}

/// The number of bits of the numbers 0 to n - 1, at least 1.
int id_bits(int64_t n);

/// The bytes of memory that an entry takes in EntryBuckets(index_bits, neighbour_bits): 4 to 8.
size_t key_bytes(int index_bits, int neighbour_bits);

/// Entries in any order. An entry is appended to the bucket of its vertex, and each bucket is small
/// enough for a radix sort in the cache. Both steps write sequentially to a few addresses. The
/// alternative, to count the entries of each vertex and then place each entry, needs two random
/// writes for each entry. (D. Knuth, "Sorting and Searching", 1998, section 5.2.5.)
///
/// A bucket stores each entry as a number, the *key*: the neighbour, and above it the bits of
/// `place` that the number of the bucket does not determine. A key takes as few bytes as possible,
/// at least 4, and keys are in the order of their entries. A bucket consists of chunks.
/// Neighbouring buckets form a group, which allocates the chunks of its buckets from huge pages and
/// frees these pages together, after all its buckets are read.
template <class Id>
class EntryBuckets {
 public:
  typedef ListEntry<Id> Entry;

  /// Local indices are below 2^index_bits, neighbours below 2^neighbour_bits, with at most 48 bits.
  EntryBuckets(int index_bits, int neighbour_bits);
  ~EntryBuckets();
  EntryBuckets(const EntryBuckets&) = delete;
  EntryBuckets& operator=(const EntryBuckets&) = delete;

  void add(const Entry& entry) {
    Bucket& bucket = buckets_[entry.place >> log_bucket_];
    if (bucket.next == bucket.end) add_chunk(&bucket);
    const uint64_t in_bucket = entry.place & ((uint64_t{1} << log_bucket_) - 1);
    const uint64_t key = in_bucket << neighbour_bits_ | entry.neighbour;
    std::memcpy(bucket.next, &key, sizeof key);  // the next key overwrites the surplus
    bucket.next += key_bytes_;
  }

  int64_t size() const;

  /// Calls visit(entry) for the entries, in no particular order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      for_each_key(buckets_[bucket],
                   [this, bucket, &visit](uint64_t key) { visit(entry_of(bucket, key)); });
    }
  }

  /// Returns the number of entries for each local index 0 to n - 1. All entries are in this range.
  std::vector<uint32_t> lengths(int64_t n) const;

  /// The first vertex of bucket b has the local index b << log_bucket().
  size_t buckets() const { return buckets_.size(); }
  int log_bucket() const { return log_bucket_; }

  /// The entries of a bucket, sorted by `place`, then by `neighbour`.
  class Sorted {
   public:
    size_t size() const { return size_; }
    Entry operator[](size_t k) const {
      return all_->entry_of(bucket_,
                            all_->has_narrow_keys() ? all_->narrow_.keys[k] : all_->wide_.keys[k]);
    }

   private:
    friend class EntryBuckets;
    const EntryBuckets* all_;
    size_t bucket_, size_;
  };

  /// Removes the entries of a bucket and returns them. The result is valid until the next call.
  Sorted take_sorted(size_t bucket);

 private:
  // Unused are at most one chunk of each bucket and one page of each group. While the buckets of a
  // group are read, its entries may exist twice.
  static constexpr size_t kChunkBytes = 16 * KiB;
  static constexpr size_t kPageChunks = kHugePageBytes / kChunkBytes;

  struct Bucket {
    char* next = nullptr;
    char* end = nullptr;
    std::vector<char*> chunks;
  };
  struct Group {
    std::vector<char*> pages;
    size_t allocated = 0;  // chunks
    size_t read = 0;       // chunks
  };
  static constexpr int kDigitBits = 11;
  static constexpr size_t kDigits = size_t{1} << kDigitBits;
  typedef std::array<size_t, kDigits> Counts;
  template <class Key>
  struct Sorter {  // of the keys of one bucket
    std::vector<Key> keys, scratch;
    std::vector<Counts> next;
  };

  size_t chunk_bytes() const {  // of keys; the last store may write up to sizeof(uint64_t) bytes
    return (kChunkBytes - sizeof(uint64_t)) / key_bytes_ * key_bytes_;
  }
  size_t size_of(const Bucket& bucket) const;
  bool has_narrow_keys() const { return key_bytes_ == sizeof(uint32_t); }
  Entry entry_of(size_t bucket, uint64_t key) const {
    return {static_cast<Id>(static_cast<Id>(bucket) << log_bucket_ | key >> neighbour_bits_),
            static_cast<Id>(key & ((uint64_t{1} << neighbour_bits_) - 1))};
  }
  template <class Visit>
  void for_each_key(const Bucket& bucket, const Visit& visit) const {
    const uint64_t mask = UINT64_MAX >> (64 - 8 * key_bytes_);
    for (const char* const chunk : bucket.chunks) {
      const char* const end = chunk == bucket.chunks.back() ? bucket.next : chunk + chunk_bytes();
      for (const char* at = chunk; at != end; at += key_bytes_) {
        uint64_t key;
        std::memcpy(&key, at, sizeof key);
        visit(key & mask);
      }
    }
  }
  Group& group_of(const Bucket* bucket) {
    return groups_[static_cast<size_t>(bucket - buckets_.data()) >> log_group_];
  }
  static void free_pages(Group* group);
  void add_chunk(Bucket* bucket);
  template <class Key>
  size_t take_sorted(Bucket* bucket, Sorter<Key>* sorter);

  const int log_bucket_;
  const int neighbour_bits_;
  const size_t key_bytes_;
  std::vector<Bucket> buckets_;
  const int log_group_;  // a group has about as many buckets as there are groups
  std::vector<Group> groups_;
  Sorter<uint32_t> narrow_;  // the bucket that was taken last, if keys have 4 bytes
  Sorter<uint64_t> wide_;    // otherwise
};

extern template class EntryBuckets<uint32_t>;
extern template class EntryBuckets<uint64_t>;

}}  // namespace Grappa::detail
