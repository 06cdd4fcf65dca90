#pragma once

/// Operations on the cells of a set or a map, at their owner.
///
/// A write has a key and, in a map, a value. Its kind defines how a new value is combined with an
/// old one. Writes of the same key and kind can be merged before they are sent. A kind is
/// type-erased: a function, which has the same address on all cores, and a few bytes of state.

#include "structures/detail/owner_table.hpp"

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace Grappa {
namespace detail {

/// An associative operation V op(V, V), or the replacement of the old value by the new one.
template <class V>
class CombineKind {
 public:
  /// Replaces the value.
  CombineKind() : apply_(&replace) { std::memset(state_, 0, sizeof(state_)); }

  template <class Op>
  static CombineKind of(const Op& op) {
    CombineKind kind;
    kind.apply_ = &apply<Op>;
    if (!std::is_empty<Op>::value) std::memcpy(kind.state_, &op, sizeof(Op));
    return kind;
  }

  /// Sets `*value` to op(*value, more).
  void operator()(V* value, const V& more) const { apply_(state_, value, more); }

  bool operator==(const CombineKind& other) const {
    return apply_ == other.apply_ && std::memcmp(state_, other.state_, sizeof(state_)) == 0;
  }

  enum : size_t { kMostBytes = 16 };

 private:
  typedef void (*Apply)(const void* state, V* value, const V& more);

  static void replace(const void*, V* value, const V& more) { *value = more; }
  template <class Op>
  static void apply(const void* state, V* value, const V& more) {
    Op op(*static_cast<const Op*>(state));
    *value = op(*value, more);
  }

  Apply apply_;
  alignas(8) unsigned char state_[kMostBytes];
};

template <class K, class V, class Hash, class Equal>
struct Cells {
  typedef OwnerTable<K, V, Hash, Equal> Table;
  typedef CombineKind<V> Kind;
  struct Write {
    K key;
    V value;
  };

  enum : size_t { kValueBytes = sizeof(V) };

  /// Returns true if the key is new.
  static bool write(Table& table, const Kind& kind, const Write& write) {
    const auto inserted = table->emplace(write.key, write.value);
    if (!inserted.second) kind(&inserted.first.value(), write.value);
    return inserted.second;
  }

  /// Changes `*first` to a write with the same effect as `*first` followed by `second`.
  static void merge(const Kind& kind, Write* first, const Write& second) {
    kind(&first->value, second.value);
  }

  /// If the key exists, writes its value to `place` and returns true.
  static bool read(const Table& table, const K& key, void* place) {
    const auto found = table->find(key);
    if (found == table->end()) return false;
    std::memcpy(place, &found.value(), sizeof(V));
    return true;
  }
};

template <class K, class Hash, class Equal>
struct Cells<K, void, Hash, Equal> {
  typedef OwnerTable<K, void, Hash, Equal> Table;
  struct Kind {
    bool operator==(const Kind&) const { return true; }
  };
  struct Write {
    K key;
  };

  enum : size_t { kValueBytes = 0 };

  static bool write(Table& table, const Kind&, const Write& write) {
    return table->insert(write.key).second;
  }
  static void merge(const Kind&, Write*, const Write&) {}
  static bool read(const Table& table, const K& key, void*) {
    return table->find(key) != table->end();
  }
};

}  // namespace detail
}  // namespace Grappa
