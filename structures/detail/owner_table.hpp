#pragma once

/// The table with the cells of a global set or map that one core owns. The table grows as needed.
///
/// The fastest packages of Debian were tsl::robin_map and tsl::robin_set (linear probing with robin
/// hood hashing, at most half full). A benchmark inserted 2^25 pairs of 8 + 8 bytes in random order
/// into reserved tables. Then it looked up 2^25 keys, half of them present. With prefetching 64
/// keys ahead, robin_map made 16.8 million inserts and 23.2 million lookups per second (without:
/// 9.0 and 18.0), tsl::hopscotch_map 7.6 and 16.1, absl::flat_hash_map 5.9 and 12.3.
///
/// Prefetching needs the bucket of a key, which the library does not expose. So our allocator
/// records the address of the bucket array, and the hash and a mask give the bucket. A reference to
/// a value is valid until the next insert or erase.

#include "structures/detail/element_store.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/net/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <type_traits>
#include <utility>

namespace Grappa { namespace detail {

/// Mixes the program's hash, which is often poor, by the bijective output function of "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014. All cores compute the same value.
template <class K, class Hash>
struct KeyHash {
  size_t operator()(const K& key) const {
    uint64_t x = static_cast<uint64_t>(Hash()(key));
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
};

/// Returns the owner of the keys with this mixed hash. The owner depends on the upper half of the
/// hash, and the bucket depends on the lower bits. So keys of one core use up to 2^32 buckets.
inline Core owner_of_hash(uint64_t hash) {
  return static_cast<Core>(((hash >> 32) * static_cast<uint64_t>(cores())) >> 32);
}

template <class T>
struct BucketAllocator {
  typedef T value_type;

  explicit BucketAllocator(BucketArray* of) : array(of) {}
  template <class U>
  BucketAllocator(const BucketAllocator<U>& other) : array(other.array) {}

  T* allocate(size_t count) { return static_cast<T*>(array->allocate(count, sizeof(T))); }
  void deallocate(T* buckets, size_t) { std::free(buckets); }

  bool operator==(const BucketAllocator& other) const { return array == other.array; }
  bool operator!=(const BucketAllocator& other) const { return array != other.array; }

  BucketArray* array;
};

/// The operation that combines a new value with an old one: an associative V op(V, V), or the
/// replacement of the old value. The type of the operation is erased: this class stores a function,
/// which has the same address on all cores, and a few bytes of state.
template <class V>
class CombineKind {
 public:
  CombineKind() : apply_(&replace) { std::memset(state_, 0, sizeof(state_)); }

  template <class Op>
  static CombineKind of(const Op& op) {
    CombineKind kind;
    kind.apply_ = &apply<Op>;
    if (!std::is_empty<Op>::value) std::memcpy(kind.state_, &op, sizeof(Op));
    return kind;
  }

  void operator()(V* value, const V& more) const { apply_(state_, value, more); }

  bool operator==(const CombineKind& other) const {
    return apply_ == other.apply_ && std::memcmp(state_, other.state_, sizeof(state_)) == 0;
  }

  enum : size_t { kMostBytes = 16 };

 private:
  static void replace(const void*, V* value, const V& more) { *value = more; }
  template <class Op>
  static void apply(const void* state, V* value, const V& more) {
    Op op(*static_cast<const Op*>(state));
    *value = op(*value, more);
  }

  void (*apply_)(const void* state, V* value, const V& more);
  alignas(8) unsigned char state_[kMostBytes];
};

/// The type of a key for the body of a loop. Bodies of old programs take (K&) and get a copy.
template <class F, class K, class... V>
using VisitedKey =
    typename std::conditional<is_callable<F, const K&, V...>::value, const K&, K>::type;

/// The table of a map, and the writes and lookups of one cell. V is void for a set.
template <class K, class V, class Hash, class Equal>
struct Cells {
  typedef std::pair<K, V> Entry;
  typedef tsl::robin_map<K, V, KeyHash<K, Hash>, Equal, BucketAllocator<Entry>> Table;
  typedef CombineKind<V> Kind;
  struct Write {
    K key;
    V value;
  };

  enum : size_t { kValueBytes = sizeof(V) };

  /// Returns true if the key is new.
  static bool write(Table& table, const Kind& kind, const Write& write) {
    const auto inserted = table.emplace(write.key, write.value);
    if (!inserted.second) kind(&inserted.first.value(), write.value);
    return inserted.second;
  }

  /// Changes `*first` to a write with the same effect as `*first` followed by `second`.
  static void merge(const Kind& kind, Write* first, const Write& second) {
    kind(&first->value, second.value);
  }

  /// If the key exists, writes its value to `place` and returns true.
  static bool read(const Table& table, const K& key, void* place) {
    const auto found = table.find(key);
    if (found == table.end()) return false;
    std::memcpy(place, &found.value(), sizeof(V));
    return true;
  }

  template <class F>
  static void visit(F& body, typename Table::iterator cell) {
    static_assert(is_callable<F, K&, V&>::value,
                  "the body of a loop over a map takes a key and its value: (const K&, V&)");
    VisitedKey<F, K, V&> key = cell.key();
    body(key, cell.value());
  }
};

template <class K, class Hash, class Equal>
struct Cells<K, void, Hash, Equal> {
  typedef K Entry;
  typedef tsl::robin_set<K, KeyHash<K, Hash>, Equal, BucketAllocator<Entry>> Table;
  struct Kind {
    bool operator==(const Kind&) const { return true; }
  };
  struct Write {
    K key;
  };

  enum : size_t { kValueBytes = 0 };

  static bool write(Table& table, const Kind&, const Write& write) {
    return table.insert(write.key).second;
  }
  static void merge(const Kind&, Write*, const Write&) {}
  static bool read(const Table& table, const K& key, void*) {
    return table.find(key) != table.end();
  }

  template <class F>
  static void visit(F& body, typename Table::iterator cell) {
    static_assert(is_callable<F, K&>::value,
                  "the body of a loop over a set takes a key: (const K&)");
    VisitedKey<F, K> key = cell.key();
    body(key);
  }
};

template <class K, class V, class Hash, class Equal>
class OwnerTable : private BucketArray {
  typedef detail::Cells<K, V, Hash, Equal> Cells;

 public:
  typedef typename Cells::Table Table;

  OwnerTable()
      : BucketArray(&elements_of),
        table_(0, KeyHash<K, Hash>(), Equal(), BucketAllocator<typename Cells::Entry>(this)) {}

  Table* operator->() { return &table_; }
  const Table* operator->() const { return &table_; }
  Table& operator*() { return table_; }

  void reserve(size_t elements) {
    check_possible(elements, sizeof(typename Cells::Entry));
    table_.reserve(elements);
  }

  /// Returns the first bucket that may hold the key. The key may also be in a later bucket.
  const void* place(const K& key) const { return bucket(KeyHash<K, Hash>()(key)); }
  void prefetch(const K& key) const { GRAPPA_PREFETCH(place(key)); }

  /// Calls `visit(i)` for i = 0 ... count - 1. Before that, prefetches the bucket of `key(i)`.
  template <class KeyAt, class Visit>
  void for_each_key(size_t count, const KeyAt& key, const Visit& visit) const {
    for (size_t first = 0; first < count; first += kWindow) {
      const size_t end = first + kWindow < count ? first + kWindow : count;
      for (size_t i = first; i < end; ++i) prefetch(key(i));
      for (size_t i = first; i < end; ++i) visit(i);
    }
  }

 private:
  enum : size_t { kWindow = 64 };  // chosen by the benchmark above; 32 performs equally well

  static size_t elements_of(const BucketArray* array) {
    return static_cast<const OwnerTable*>(array)->table_.size();
  }

  Table table_;
};

}}  // namespace Grappa::detail
