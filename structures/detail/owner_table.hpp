#pragma once

/// The cells that one core owns of a global set or map: a flat table that grows by itself.
///
/// tsl::robin_map and tsl::robin_set (open addressing, linear probing with robin hood hashing,
/// power-of-two sizes, half full at most; erasing leaves no tombstones). They were chosen among
/// what Debian packages, by inserting 2^25 pairs of 8 + 8 bytes in random order in reserved tables
/// of one core, then looking up as many, half of them present, on a busy machine whose figures
/// varied by a factor of 2, in millions a second:
///
///     insert / find           no prefetch    64 keys ahead
///     robin_map                9.0 / 18.0     16.8 / 23.2
///     tsl::hopscotch_map       8.1 / 15.9      7.6 / 16.1
///     absl::flat_hash_map      5.4 / 10.4      5.9 / 12.3
///
/// Asking for buckets ahead doubles the rate of inserts in robin_map alone, which then was first in
/// every run: a key touches one cache line as a rule. The library does not say where a key's
/// bucket is, but takes an allocator: ours knows where the array of buckets begins, and hash and
/// mask give the rest. Tables that grow from nothing took 3 to 7 million inserts a second,
/// whichever it was: there the first touch of pages costs most, which a capacity hint moves to
/// create().
///
/// Handlers work on these tables, so nothing here suspends. References to values are valid until
/// the next insert or erase.

#include "structures/detail/key_hash.hpp"
#include "system/base/compiler.hpp"

#include <cstddef>
#include <memory>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <type_traits>
#include <utility>

namespace Grappa {
namespace detail {

/// Where the buckets of one table lie.
class BucketArray {
 public:
  explicit BucketArray(size_t (*elements)(const BucketArray*)) : elements_(elements) {}
  BucketArray(const BucketArray&) = delete;
  BucketArray& operator=(const BucketArray&) = delete;

  /// Room for `count` buckets, a power of two, which are the table's from now on. Ends the job with
  /// a sentence if there is not enough memory.
  void* allocate(size_t count, size_t bucket_bytes);
  /// Of what allocate() has returned.
  static void release(void* buckets);

  /// Ends the job with the same sentence if no table can have so many elements.
  void check_possible(size_t elements, size_t bucket_bytes) const;

  /// The bucket of keys with this hash.
  const char* bucket(uint64_t hash) const { return first_ + (hash & mask_) * bucket_bytes_; }

 private:
  char* first_ = nullptr;
  size_t mask_ = 0;  // buckets less one
  size_t bucket_bytes_ = 0;
  size_t (*const elements_)(const BucketArray*);  // for the sentence
};

/// Gives a table its array, and tells where it is.
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

/// V: the type of the values, void for a set.
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

  /// Takes room for so many elements at once.
  void reserve(size_t elements) {
    check_possible(elements, sizeof(Entry));
    table_.reserve(elements);
  }

  /// The key is here or some buckets behind, if it is there.
  const void* place(const K& key) const { return bucket(KeyHash<K, Hash>()(key)); }

  /// Asks for that memory.
  void prefetch(const K& key) const { GRAPPA_PREFETCH(place(key)); }

  /// `visit(0)`, ..., `visit(count - 1)`, with the buckets of `key(0)`, ... asked for before.
  template <class KeyAt, class Visit>
  void for_each_key(size_t count, const KeyAt& key, const Visit& visit) const {
    for (size_t first = 0; first < count; first += kWindow) {
      const size_t end = first + kWindow < count ? first + kWindow : count;
      for (size_t i = first; i < end; ++i) prefetch(key(i));
      for (size_t i = first; i < end; ++i) visit(i);
    }
  }

 private:
  enum : size_t { kWindow = 64 };  // measured as above: 32 is as good

  static size_t elements_of(const BucketArray* array) {
    return static_cast<const OwnerTable*>(array)->table_.size();
  }

  Table table_;
};

}  // namespace detail
}  // namespace Grappa
