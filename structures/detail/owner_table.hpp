#pragma once

/// The cells of a global set or map that one core owns: a flat table that grows as needed.
///
/// tsl::robin_map and tsl::robin_set (open addressing, linear probing with robin hood hashing,
/// power-of-two sizes, at most half full; erasing leaves no tombstones) were chosen among the
/// packages of Debian. The benchmark inserted 2^25 pairs of 8 + 8 bytes in random order into
/// reserved tables of one core, then looked up as many keys, half of them present. The machine was
/// busy, and the results varied by a factor of 2. Millions of operations per second:
///
///     insert / find           no prefetch    64 keys ahead
///     robin_map                9.0 / 18.0     16.8 / 23.2
///     tsl::hopscotch_map       8.1 / 15.9      7.6 / 16.1
///     absl::flat_hash_map      5.4 / 10.4      5.9 / 12.3
///
/// Prefetching buckets doubles the insert rate of robin_map only, which was then the fastest table
/// in every run: an operation usually touches one cache line. The library does not expose the
/// bucket of a key, but accepts an allocator. Our allocator records the address of the bucket
/// array, and the hash and a mask give the bucket. Tables that grew from empty took 3 to 7 million
/// inserts per second, for every library: there the first touch of pages dominates, which a
/// capacity hint moves to create().
///
/// Handlers use these tables, so no function here suspends. A reference to a value is valid until
/// the next insert or erase.

#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// The output function of "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
inline uint64_t mix_bits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The program's hash, mixed. The hash has no state: all cores compute the same value. std::hash of
/// an integer is the integer itself, and a program's own hash is often poor, too. So a bijective
/// mixing step follows, which makes every bit depend on every bit.
template <class K, class Hash>
struct KeyHash {
  size_t operator()(const K& key) const { return mix_bits(static_cast<uint64_t>(Hash()(key))); }
};

/// The owner of the keys with this mixed hash. The owner depends on the upper half of the hash and
/// the bucket on the lower bits: so the keys of one core use all of its buckets, up to 2^32.
inline Core owner_of_hash(uint64_t hash) {
  return static_cast<Core>(((hash >> 32) * static_cast<uint64_t>(cores())) >> 32);
}

/// The array of buckets of one table.
class BucketArray {
 public:
  explicit BucketArray(size_t (*elements)(const BucketArray*)) : elements_(elements) {}
  BucketArray(const BucketArray&) = delete;
  BucketArray& operator=(const BucketArray&) = delete;

  /// Allocates `count` buckets, a power of two. Aborts with a message if there is not enough
  /// memory.
  void* allocate(size_t count, size_t bucket_bytes);
  static void release(void* buckets);

  /// Aborts the job with a similar message if no table can hold so many elements.
  void check_possible(size_t elements, size_t bucket_bytes) const;

  /// The first bucket for keys with this hash.
  const char* bucket(uint64_t hash) const { return first_ + (hash & mask_) * bucket_bytes_; }

 private:
  char* first_ = nullptr;
  size_t mask_ = 0;  // number of buckets minus 1
  size_t bucket_bytes_ = 0;
  size_t (*const elements_)(const BucketArray*);  // for the error message
};

/// Allocates the array of a table and records its address.
template <class T>
class BucketAllocator {
 public:
  typedef T value_type;

  explicit BucketAllocator(BucketArray* array) : array_(array) {}
  template <class U>
  BucketAllocator(const BucketAllocator<U>& other) : array_(other.array()) {}

  T* allocate(size_t count) { return static_cast<T*>(array_->allocate(count, sizeof(T))); }
  void deallocate(T* buckets, size_t) { BucketArray::release(buckets); }

  BucketArray* array() const { return array_; }

 private:
  BucketArray* array_;
};

template <class T, class U>
bool operator==(const BucketAllocator<T>& a, const BucketAllocator<U>& b) {
  return a.array() == b.array();
}
template <class T, class U>
bool operator!=(const BucketAllocator<T>& a, const BucketAllocator<U>& b) {
  return a.array() != b.array();
}

template <class K, class V, class Hash, class Equal>
struct TableOf {
  typedef std::pair<K, V> Entry;
  typedef tsl::robin_map<K, V, Hash, Equal, BucketAllocator<Entry>> type;
};
template <class K, class Hash, class Equal>
struct TableOf<K, void, Hash, Equal> {
  typedef K Entry;
  typedef tsl::robin_set<K, Hash, Equal, BucketAllocator<Entry>> type;
};

/// V: the type of the values; void for a set.
template <class K, class V, class Hash, class Equal>
class OwnerTable : private BucketArray {
 public:
  typedef typename TableOf<K, V, KeyHash<K, Hash>, Equal>::type Table;
  typedef typename TableOf<K, V, KeyHash<K, Hash>, Equal>::Entry Entry;

  OwnerTable()
      : BucketArray(&elements_of),
        table_(0, KeyHash<K, Hash>(), Equal(), BucketAllocator<Entry>(this)) {}

  Table* operator->() { return &table_; }
  const Table* operator->() const { return &table_; }

  /// Allocates buckets for so many elements.
  void reserve(size_t elements) {
    check_possible(elements, sizeof(Entry));
    table_.reserve(elements);
  }

  /// If the key is present, it is in this bucket or in one of the next ones.
  const void* place(const K& key) const { return bucket(KeyHash<K, Hash>()(key)); }

  /// Prefetches the bucket of the key.
  void prefetch(const K& key) const { GRAPPA_PREFETCH(place(key)); }

  /// Calls `visit(0)`, ..., `visit(count - 1)`, and prefetches the buckets of `key(0)`, ... before.
  template <class KeyAt, class Visit>
  void for_each_key(size_t count, const KeyAt& key, const Visit& visit) const {
    for (size_t first = 0; first < count; first += kWindow) {
      const size_t end = first + kWindow < count ? first + kWindow : count;
      for (size_t i = first; i < end; ++i) prefetch(key(i));
      for (size_t i = first; i < end; ++i) visit(i);
    }
  }

 private:
  enum : size_t { kWindow = 64 };  // measured as above: 32 performs equally well

  static size_t elements_of(const BucketArray* array) {
    return static_cast<const OwnerTable*>(array)->table_.size();
  }

  Table table_;
};

}  // namespace detail
}  // namespace Grappa
