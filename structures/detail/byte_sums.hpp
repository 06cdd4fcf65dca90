#pragma once

/// A core's cache of partial sums of insert_or_combine<async> on a map with entries of variable
/// length.
///
/// The cache combines the values of a key, and sends their sum to the owner of the key as one
/// operation. All sums in the cache have the same scope and operation, those of the first value. A
/// value of another scope or operation is sent by itself until the cache is empty. A flush task
/// sends all sums when no more values arrive, or at the latest after a time limit
/// (yield_while_added()). It belongs to the scope, so the scope ends only after its sums have been
/// added to the map.
///
/// A set has two sums. If a value combines with the second sum, the two sums are exchanged. A value
/// of another key displaces the second sum, which is sent at once. So the first sum is the oldest
/// one, or one that has combined values. (This is segmented LRU with segments of one entry: R.
/// Karedla, J. S. Love and B. G. Wherry, "Caching Strategies to Improve Disk System Performance",
/// Computer 27(3), 1994.) If a cache of full size combines fewer than 1 in 4 values, only a sample
/// of the values uses it (not compared with other limits).
///
/// A value waits until the values of the next 15 calls have been added, while its set is
/// prefetched. So the cache may be larger than L2. The cache starts with at most 512 sets. Each
/// displaced sum splits one set into two, until the cache has its full size, so no call moves many
/// sums (W. Litwin, "Linear Hashing: A New Tool for File and Table Addressing", VLDB 1980). Keys of
/// more than 255 bytes do not use the cache. The bytes of keys beyond 14, and of values of variable
/// length, are elsewhere in memory, without a limit. Other numbers of sets and of waiting values
/// than 512 and 15 were not compared, except 31, which gave the same time.

#include "structures/combining.hpp"
#include "structures/detail/byte_forms.hpp"
#include "structures/detail/hash_bytes.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/detail/partial_sums.hpp"
#include "structures/detail/sampling.hpp"
#include "structures/detail/short_key.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/message/send.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

template <class V>
class ByteSums {
 public:
  struct Sum {
    uint64_t hash = 0;
    ShortKey key;  // if !key.used(), this is not a sum
    V value = V();

    bool has_key_of(const Sum& other) const { return hash == other.hash && key == other.key; }
  };

  /// An operation, and the function that sends a sum to its owner.
  struct Kind {
    CombineKind<V> combine;
    void (*send)(void* map, const Sum& sum, const CombineKind<V>& combine);

    bool operator==(const Kind& other) const {
      return send == other.send && combine == other.combine;
    }
  };

  /// `map` is for Kind::send. Adds the number of combined values to `*done`. If values have a
  /// variable length, the cache has at most `sums` sums, and otherwise kBytesPerSum bytes for each
  /// of `sums`. The number of sets is rounded down to a power of two, but not to 0. If `sums` is 0,
  /// the cache is not used.
  ByteSums(void* map, size_t sums, uint64_t* done)
      : map_(map), done_(done), most_(sums == 0 ? 0 : next_power_of_two(sets_for(sums) / 2 + 1)) {}
  ~ByteSums() {
    GRAPPA_CHECK(!flush_pending_)
        << "a global map was destroyed while async operations on it were in progress";
    for (size_t i = 0; i < count_; ++i) sets_[i].~Set();
    if (sets_ != nullptr) unmap(sets_, memory_bytes());
  }
  ByteSums(const ByteSums&) = delete;
  ByteSums& operator=(const ByteSums&) = delete;

  /// Returns true if add() should be called for the next value, before the task suspends. If there
  /// is no flush task, selects the kind and the scope of the cache. Returns false in calls from an
  /// operation that combines two values.
  bool takes(const Kind& kind, size_t key_bytes) {
    if (most_ == 0 || key_bytes > ShortKey::kMostBytes || combines_ || !sampling_.takes()) {
      return false;
    }
    if (!flush_pending_) {
      kind_ = kind;
      scope_ = current_scope();
    }
    return scope_ == current_scope() && kind_ == kind;
  }

  /// Returns true if no task will flush the cache. The caller must then start a task in its scope
  /// that calls flush(). Call before add().
  bool claim_flush() {
    if (flush_pending_) return false;
    return flush_pending_ = true;
  }

  /// Adds a value of the running task's scope. Suspends: if Kind::send does.
  void add(const HashedKey& key, const V& value) {
    GRAPPA_DCHECK(flush_pending_ && scope_ == current_scope() && !combines_);
    if (count_ == 0) create();
    Sum& next = recent_[added_++ % kRecent];
    Sum displaced;
    if (next.key.used()) settle(&next, &displaced);
    next.hash = key.hash;
    next.key.assign(key.bytes);
    next.value = value;
    ++held_;
    charge_ns(kSumNs);
    GRAPPA_PREFETCH(&sets_[index_of(next.hash)]);
    if (displaced.key.used()) send(displaced);
  }

  /// Sends all sums, until the cache is empty. The map exists until the last sum is sent. From:
  /// task in the scope of the sums. Suspends.
  void flush() {
    do {
      yield_while_added(&added_, &held_);
      for (Sum& recent : recent_) {
        Sum displaced;
        if (recent.key.used()) settle(&recent, &displaced);
        if (displaced.key.used()) send(displaced);
      }
      send_all();
    } while (held_ != 0);
    flush_pending_ = false;
  }

 private:
  enum : size_t { kFirstSets = 512, kRecent = 16, kBytesPerSum = 4096 };

  /// The time of a call of add(), charged in simulations. This is an estimate: to read, split and
  /// count a text with 1,000 different words takes 41 ns a word.
  enum : uint64_t { kSumNs = 25 };

  struct alignas(64) Set {
    Sum first, second;  // if there is one sum, it is the first
  };

  static size_t sets_for(size_t sums) {
    const size_t sets = HasOwnLength<V>::value ? sums / 2 : sums * kBytesPerSum / sizeof(Set);
    return std::max<size_t>(sets, 1);
  }
  size_t memory_bytes() const { return align_up(most_ * sizeof(Set), page_bytes()); }

  /// Maps memory for the cache of full size, and creates the first sets. The first part has no huge
  /// page, so a small cache takes little memory.
  void create() {
    const size_t bytes = memory_bytes(), small = kHugePageBytes;
    const bool large = bytes > small;
    char* const memory =
        static_cast<char*>(map_private_aligned(bytes, large ? small : page_bytes()));
    if (large) advise_huge_pages(memory + small, bytes - small);
    sets_ = reinterpret_cast<Set*>(memory);
    while (count_ < std::min<size_t>(most_, kFirstSets)) new (&sets_[count_++]) Set();
    mask_ = next_power_of_two(count_) - 1;
  }

  size_t index_of(uint64_t hash) const {
    const size_t index = hash & mask_;
    return index < count_ ? index : index & mask_ >> 1;
  }

  /// Adds a value to the sum of its key, or starts a sum. `*displaced` becomes the sum that the
  /// caller must send, if any.
  void settle(Sum* value, Sum* displaced) {
    const size_t index = index_of(value->hash);
    Set& set = sets_[index];
    if (set.second.has_key_of(*value)) std::swap(set.first, set.second);
    const bool combines = set.first.has_key_of(*value);
    if (count_ == most_) sampling_.count(combines);
    if (combines) {
      combine(&set.first.value, value->value);
      value->key.clear();
      return;
    }
    if (!set.first.key.used()) {
      used_sets_.push_back(static_cast<uint32_t>(index));
      std::swap(set.first, *value);
      return;
    }
    if (set.second.key.used()) std::swap(set.second, *displaced);
    std::swap(set.second, *value);
    if (displaced->key.used() && count_ < most_) split();
  }

  void combine(V* sum, const V& value) {
    {
      const MustNotSuspend until_combined;
      combines_ = true;
      kind_.combine(sum, value);
      combines_ = false;
    }
    --held_;
    ++*done_;  // the first value of this sum is still in progress
    ++structure_counters::summed;
  }

  /// Adds a set, and moves the sums to it that belong there.
  void split() {
    if (count_ > mask_) mask_ = 2 * mask_ + 1;
    Set& from = sets_[count_ & mask_ >> 1];
    Set& to = *new (&sets_[count_]) Set();
    ++count_;
    if (moves(from.second)) std::swap(to.first, from.second);
    if (moves(from.first)) {
      std::swap(to.second, to.first);
      std::swap(to.first, from.first);
      std::swap(from.first, from.second);
    }
    if (to.first.key.used()) used_sets_.push_back(static_cast<uint32_t>(count_ - 1));
  }
  bool moves(const Sum& sum) const { return sum.key.used() && index_of(sum.hash) == count_ - 1; }

  /// Sends a sum that has left the cache.
  void send(const Sum& sum) {
    --held_;
    const Kind kind = kind_;
    kind.send(map_, sum, kind.combine);
  }

  /// Sends the sums of the sets that are used now. If a set is split during a send, used_sets_
  /// lists the new set.
  void send_all() {
    constexpr size_t kAhead = 16;
    std::vector<uint32_t> indexes;
    indexes.swap(used_sets_);
    for (size_t i = 0; i < indexes.size(); ++i) {
      if (i + kAhead < indexes.size()) GRAPPA_PREFETCH(&sets_[indexes[i + kAhead]]);
      Set set(std::move(sets_[indexes[i]]));
      if (set.first.key.used()) send(set.first);
      if (set.second.key.used()) send(set.second);
    }
  }

  void* const map_;
  uint64_t* const done_;
  const size_t most_;                // number of sets of the cache of full size
  Sum recent_[kRecent];              // values that are not in a sum
  Set* sets_ = nullptr;              // null before the first value
  size_t count_ = 0;                 // number of sets
  size_t mask_ = 0;                  // the next power of two of count_, minus 1
  std::vector<uint32_t> used_sets_;  // indexes of the used sets that flush() has not taken
  uint64_t added_ = 0;               // number of values
  uint64_t held_ = 0;                // number of values in recent_, and of sums
  bool flush_pending_ = false;       // a flush task exists
  bool combines_ = false;            // an operation runs on a sum
  Kind kind_ = Kind();
  TaskScope* scope_ = nullptr;
  Sampling<1, 4> sampling_;
};

}}  // namespace Grappa::detail
