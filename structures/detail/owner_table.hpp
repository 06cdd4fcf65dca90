#pragma once

/// The table with the cells of a global set or map that one core owns: linear probing over cells
/// that are sorted by hash, which limits the length of searches like robin hood hashing (P. Celis,
/// "Robin Hood Hashing", University of Waterloo, 1986).
///
/// When a table grows, the elements of home i move to the homes 2i and 2i + 1. Inserts move a few
/// hundred elements at a time, from the last home to the first, within one array. So no insert
/// waits for all elements, and reads and writes are sequential. (A split of one home after the
/// other is from W. Litwin, "Linear Hashing: A New Tool for File and Table Addressing", VLDB 1980.)
/// With tsl::robin_map, a table from the packages of Debian, async inserts into a map of the final
/// size are 1.2 times as fast, but an insert that grows a large table takes hundreds of
/// milliseconds.
///
///     | cells with homes below `unsplit_`, as before | free | cells of twice as many homes |
///     0                                        unsplit_  2 * unsplit_                   2^b
///
/// A reference to a value is valid until the next insert or erase.

#include "structures/detail/element_store.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/ids.hpp"
#include "system/base/traits.hpp"
#include "system/base/units.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

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

  static CombineKind of(const CombineKind& kind) { return kind; }

  const void* state() const { return state_; }  // the bytes of the operation

  void operator()(V* value, const V& more) const { apply_(state_, value, more); }

  /// Sets `*value` to op(*value, more). Only a CombineKind is called through a pointer.
  template <class Op>
  static void change(const Op& op, V* value, const V& more) {
    Op copy(op);
    *value = copy(*value, more);
  }
  static void change(const CombineKind& kind, V* value, const V& more) { kind(value, more); }

  bool operator==(const CombineKind& other) const {
    return apply_ == other.apply_ && std::memcmp(state_, other.state_, sizeof(state_)) == 0;
  }

  enum : size_t { kMostBytes = 16 };

 private:
  static void replace(const void*, V* value, const V& more) { *value = more; }
  template <class Op>
  static void apply(const void* state, V* value, const V& more) {
    change(*static_cast<const Op*>(state), value, more);
  }

  void (*apply_)(const void* state, V* value, const V& more);
  alignas(8) unsigned char state_[kMostBytes];
};

/// The type of a key for the body of a loop. Bodies of old programs take (K&) and get a copy.
template <class F, class K, class... V>
using VisitedKey =
    typename std::conditional<is_callable<F, const K&, V...>::value, const K&, K>::type;

/// The cell of a map, and its writes and lookups. V is void for a set.
template <class K, class V>
struct Cells {
  typedef CombineKind<V> Kind;
  struct Write {
    K key;
    V value;
  };
  typedef Write Entry;

  enum : size_t { kValueBytes = sizeof(V) };

  /// If the key exists, calls `change(V*, const V&)`. Returns true if the key is new.
  template <class Table, class Change>
  static bool write(Table& table, const Change& change, const Write& write) {
    const auto inserted = table.insert(write);
    if (!inserted.second) change(&inserted.first->value, write.value);
    return inserted.second;
  }

  /// Changes `*first` to a write with the same effect as `*first` followed by `second`.
  static void merge(const Kind& kind, Write* first, const Write& second) {
    kind(&first->value, second.value);
  }

  /// If the key exists, writes its value to `place` and returns true.
  template <class Table>
  static bool read(const Table& table, const K& key, void* place) {
    const Entry* const found = table.find(key);
    if (found != nullptr) std::memcpy(place, &found->value, sizeof(V));
    return found != nullptr;
  }

  template <class F>
  static void visit(F& body, Entry* cell) {
    static_assert(is_callable<F, K&, V&>::value,
                  "the body of a loop over a map takes a key and its value: (const K&, V&)");
    VisitedKey<F, K, V&> key = cell->key;
    body(key, cell->value);
  }
};

template <class K>
struct Cells<K, void> {
  struct Kind {
    bool operator==(const Kind&) const { return true; }
  };
  struct Write {
    K key;
  };
  typedef Write Entry;

  enum : size_t { kValueBytes = 0 };

  template <class Table>
  static bool write(Table& table, const Kind&, const Write& write) {
    return table.insert(write).second;
  }
  static void merge(const Kind&, Write*, const Write&) {}
  template <class Table>
  static bool read(const Table& table, const K& key, void*) {
    return table.find(key) != nullptr;
  }

  template <class F>
  static void visit(F& body, Entry* cell) {
    static_assert(is_callable<F, K&>::value,
                  "the body of a loop over a set takes a key: (const K&)");
    VisitedKey<F, K> key = cell->key;
    body(key);
  }
};

template <class K, class V, class Hash, class Equal>
class OwnerTable {
 public:
  typedef typename Cells<K, V>::Entry Entry;

  size_t size() const { return size_; }

  /// Removes all elements, but keeps the memory.
  void clear() {
    if (cells_ != nullptr) std::memset(static_cast<void*>(cells_), 0, end() * sizeof(Cell));
    unsplit_ = size_ = 0;
  }

  /// Makes space for `elements` elements in total.
  void reserve(size_t elements) {
    while (most_ < elements) grow();
    split_all();
    array_.populate(0);
  }

  /// Returns null if the key is not in the table.
  Entry* find(const K& key) const {
    if (cells_ == nullptr) return nullptr;
    const uint32_t tag = tag_of(key);
    const size_t i = search(tag, key);
    return cells_[i].tag == tag ? &cells_[i].entry : nullptr;
  }

  /// Inserts an element, unless its key exists. Returns the element with this key, and true if it
  /// is new.
  std::pair<Entry*, bool> insert(const Entry& entry) {
    if (GRAPPA_UNLIKELY(size_ == most_)) grow();
    if (GRAPPA_UNLIKELY(unsplit_ != 0) && size_ % kInsertsPerSplit == 0) split();
    const uint32_t tag = tag_of(entry.key);
    const size_t i = search(tag, entry.key);
    if (cells_[i].tag == tag) return {&cells_[i].entry, false};
    ++size_;
    return {put(i, tag, entry), true};
  }

  /// Returns true if the key was in the table.
  bool erase(const K& key) {
    if (cells_ == nullptr) return false;
    const uint32_t tag = tag_of(key);
    const size_t i = search(tag, key);
    if (cells_[i].tag != tag) return false;
    size_t end = i + 1;  // elements that are not in their home move back by one cell
    while (cells_[end].tag != 0 && home(cells_[end].tag) != end) ++end;
    move(i, i + 1, end - 1 - i);
    cells_[end - 1].tag = 0;
    --size_;
    return true;
  }

  /// Removes the elements for which `keeps(element)` is false. Returns their number.
  template <class Keeps>
  size_t filter(Keeps keeps) {
    const size_t before = size_;
    for (size_t i = occupied_from(0); i != end(); i = occupied_from(i)) {
      if (keeps(*at(i))) {
        ++i;
        continue;
      }
      const K key = at(i)->key;
      erase(key);  // may move the next element to cell i
    }
    return before - size_;
  }

  /// The elements are in cells with numbers below end(). Returns the number of the first cell with
  /// an element, from cell `i` on, or end().
  size_t occupied_from(size_t i) const {
    while (i != end() && cells_[i].tag == 0) ++i;
    return i;
  }
  size_t end() const { return array_.count(); }
  Entry* at(size_t i) const { return &cells_[i].entry; }

  /// Returns the first cell that may hold the key. The key may also be in a later cell.
  const void* place(const K& key) const { return cells_ + home(tag_of(key)); }

  /// Prefetches the two cells where most searches end, but at most two cache lines.
  void prefetch(const K& key) const {
    constexpr size_t kBoth = 2 * sizeof(Cell) - 1;
    constexpr size_t kLast = kBoth < kCacheLineBytes ? kBoth : kCacheLineBytes;
    if (cells_ == nullptr) return;
    const char* const first = static_cast<const char*>(place(key));
    GRAPPA_PREFETCH(first);
    GRAPPA_PREFETCH(first + kLast);
  }

  /// Calls `visit(i)` for i = 0 ... count - 1. Before that, prefetches the cell of `key(i)`.
  template <class KeyAt, class Visit>
  void for_each_key(size_t count, const KeyAt& key, const Visit& visit) const {
    for (size_t first = 0; first < count; first += kWindow) {
      const size_t end = first + kWindow < count ? first + kWindow : count;
      for (size_t i = first; i < end; ++i) prefetch(key(i));
      for (size_t i = first; i < end; ++i) visit(i);
    }
  }

 private:
  struct Cell {
    uint32_t tag;  // the lower half of the hash, or 1 instead of 0; 0 if the cell is free
    Entry entry;
  };
  enum : size_t {
    kCachedNs = 20,  // charged in simulations for a search of a table in the cache
    kMissNs = 120,   // or of one with more elements
    kCachedElements = 1 << 16,
    kWindow = 64,           // 32 performs equally well
    kFirstCells = 16,       // in the smallest table
    kFree = 64,             // cells behind the last home, initially
    kCellsPerSplit = 256,   // 15 % faster than 64
    kInsertsPerSplit = 32,  // a growth ends after 1/8 as many inserts as there were cells
  };

  static uint32_t tag_of(const K& key) {
    return std::max<uint32_t>(1, static_cast<uint32_t>(KeyHash<K, Hash>()(key)));
  }

  // Returns the number of the first cell for elements with this tag.
  size_t home(uint32_t tag) const {
    const size_t after = static_cast<size_t>(uint64_t{tag} >> shift_), before = after / 2;
    return before < unsplit_ ? before : after;
  }

  // Returns true if the cell has an element whose tag is not larger.
  bool precedes(size_t i, uint32_t tag) const { return cells_[i].tag - 1 < tag; }  // 0 - 1 is large

  // Returns the cell of the key. If the key is absent, returns the cell behind all smaller tags.
  size_t search(uint32_t tag, const K& key) const {
    charge_ns(size_ < kCachedElements ? kCachedNs : kMissNs);
    size_t i = home(tag);
    while (precedes(i, tag) && !(cells_[i].tag == tag && Equal()(cells_[i].entry.key, key))) ++i;
    return i;
  }

  void move(size_t to, size_t from, size_t n) {
    std::memmove(static_cast<void*>(cells_ + to), cells_ + from, n * sizeof(Cell));
  }

  // Puts an element into cell `i`. Moves the elements from there to the next free cell.
  Entry* put(size_t i, uint32_t tag, const Entry& entry) {
    size_t free = i;
    while (cells_[free].tag != 0) ++free;
    if (GRAPPA_UNLIKELY(i < 2 * unsplit_ && free >= 2 * unsplit_)) {  // reaches the split cells
      split_all();
      return put(behind(tag), tag, entry);
    }
    if (GRAPPA_UNLIKELY(free + 1 == end())) extend(2 * end());  // the last cell stays free
    if (free != i) move(i + 1, i, free - i);
    cells_[i].tag = tag;
    std::memcpy(static_cast<void*>(&cells_[i].entry), &entry, sizeof(Entry));
    return &cells_[i].entry;
  }

  // Returns the cell behind all elements with tags up to this one.
  size_t behind(uint32_t tag) const {
    size_t i = home(tag);
    while (precedes(i, tag)) ++i;
    return i;
  }

  void extend(size_t cells) {
    cells_ = static_cast<Cell*>(array_.extend(cells, sizeof(Cell), size_));
  }

  void grow() {
    split_all();
    const size_t homes = cells_ == nullptr ? 0 : size_t{1} << (32 - shift_);
    const size_t grown = std::max<size_t>(kFirstCells, 2 * homes);
    GRAPPA_CHECK(grown <= uint64_t{1} << 32)
        << "a core stores at most 2^31 elements of a global set or map: use more cores";
    if (grown + kFree > end()) extend(grown + kFree);
    shift_ = 32 - __builtin_ctzll(grown);
    most_ = grown / 2;
    unsplit_ = size_ == 0 ? 0 : homes;
  }

  void split_all() {
    while (unsplit_ != 0) split();
  }

  // Moves the elements of the last kCellsPerSplit homes that are not split.
  void split() {
    size_t first = unsplit_ > kCellsPerSplit ? unsplit_ - kCellsPerSplit : 0;
    size_t from = first;  // elements of earlier homes may reach beyond `first`; they stay
    while (cells_[from].tag != 0 && uint64_t{cells_[from].tag} >> (shift_ + 1) < first) ++from;
    if (from >= 2 * first) from = first = 0;
    size_t to = unsplit_;
    while (to != 2 * unsplit_ && cells_[to].tag != 0) ++to;
    const size_t bytes = (to - from) * sizeof(Cell);
    moving_.resize(bytes);
    std::memcpy(moving_.data(), cells_ + from, bytes);
    std::memset(static_cast<void*>(cells_ + from), 0, bytes);
    unsplit_ = first;
    array_.populate(2 * first * sizeof(Cell));
    const Cell* const moving = reinterpret_cast<const Cell*>(moving_.data());
    size_t next = 2 * first;  // all elements with larger tags are behind this cell
    for (size_t i = 0; i < to - from; ++i) {
      const uint32_t tag = moving[i].tag;
      if (tag == 0) continue;
      next = std::max(next, home(tag));
      if (cells_[next].tag != 0) next = behind(tag);
      put(next++, tag, moving[i].entry);
    }
  }

  CellArray array_;
  Cell* cells_ = nullptr;
  int shift_ = 32;      // a tag, shifted right by this number of bits, is a home
  size_t unsplit_ = 0;  // homes before the growth that have not been split
  size_t size_ = 0;
  size_t most_ = 0;  // elements, until the table grows
  std::vector<char> moving_;
};

}}  // namespace Grappa::detail
