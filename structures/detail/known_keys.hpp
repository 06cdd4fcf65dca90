#pragma once

/// A core's cache of keys that are in a global set.
///
/// An insert or lookup of a cached key needs no message: the key is in the set during the whole
/// operation. So all cores must drop a key before its owner erases it:
///
/// 1. Owners mark the keys that they report to other cores as present. If the key of an erase is
///    not marked, no other core has cached it or will cache an earlier answer. The owner drops it
///    from its own cache and erases it at once.
/// 2. Otherwise the task that erases the key blocks it in all caches, then erases it, and then
///    unblocks it. Blocked keys are not cached.
/// 3. If an operation began before the key was blocked or unblocked, its result may be outdated.
///    The operation has an older epoch, and the key is not cached.
///
/// Keys with the same bucket share marks, blocks and epochs. A new key replaces the oldest key of
/// its bucket. If fewer than 1 in 32 operations hit, only a sample of operations uses the cache.

#include "structures/detail/element_store.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/detail/sampling.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

template <class K, class Hash, class Equal>
class KnownKeys {
 public:
  typedef uint32_t Epoch;

  /// Caches about `keys` keys, rounded to a power of two; 0 disables the cache. All cores must pass
  /// the same number.
  explicit KnownKeys(size_t keys)
      : bucket_count_(keys == 0 ? 0 : next_power_of_two(div_up(keys, kKeysOfBucket))) {}

  bool has(const K& key) {
    if (buckets_.empty() || !sampling_.takes()) return false;
    const bool found = holds(bucket_of(key), key);
    sampling_.count(found);
    return found;
  }

  /// Begins an operation whose result may be cached by end(), with the epoch that begin() returns.
  Epoch begin(const K& key) {
    if (sampling_.pauses() || bucket_count_ == 0) return kNotCached;
    make_buckets();
    ++under_way_;
    return states_[bucket_of(key)].epoch;
  }

  /// Ends the operation. `present`: the operation has found or inserted the key.
  void end(const K& key, Epoch epoch, bool present) {
    if (epoch == kNotCached) return;
    --under_way_;
    if (present && epoch == states_[bucket_of(key)].epoch) add(key);
  }

  /// Caches a key of this core, which is in the set now.
  void add_own(const K& key) {
    if (sampling_.pauses() || bucket_count_ == 0) return;
    make_buckets();
    add(key);
  }

  /// True if a result of an operation that is under way may be cached.
  bool may_cache() const { return under_way_ != 0; }

  void block(const K& key) {
    make_buckets();
    ++states_[bucket_of(key)].blocks;
    drop(bucket_of(key));
  }

  void unblock(const K& key) {
    GRAPPA_DCHECK(states_[bucket_of(key)].blocks > 0)
        << "a key is unblocked more often than blocked";
    --states_[bucket_of(key)].blocks;
    drop(bucket_of(key));
  }

  /// Marks a key of this core, which other cores may cache from now on.
  void mark(const K& key) {
    make_buckets();
    states_[bucket_of(key)].marked = true;
  }

  bool is_marked(const K& key) const { return !buckets_.empty() && states_[bucket_of(key)].marked; }

  /// Drops a key of this core and removes its mark. All other cores must have blocked a marked key.
  void drop_own(const K& key) {
    if (buckets_.empty()) return;
    states_[bucket_of(key)].marked = false;
    drop(bucket_of(key));
  }

  /// Empties the cache, and removes all marks. No operation may be in progress.
  void clear() {
    GRAPPA_CHECK(under_way_ == 0)
        << "a global set was cleared while an operation on it was in progress";
    sampling_ = Sampling<1, 32>();
    buckets_.clear();
    notes_.clear();
    states_.clear();
  }

 private:
  enum : uint8_t { kKeysOfBucket = 4 };
  enum : Epoch { kNotCached = ~Epoch{0} };

  struct State {
    Epoch epoch = 0;
    uint32_t blocks = 0;  // erasures in progress
    bool marked = false;
  };

  void make_buckets() {
    if (GRAPPA_LIKELY(!buckets_.empty())) return;
    buckets_.resize(bucket_count_);
    notes_.resize(bucket_count_);
    states_.resize(bucket_count_);
  }

  size_t bucket_of(const K& key) const { return KeyHash<K, Hash>()(key) & (bucket_count_ - 1); }

  bool holds(size_t bucket, const K& key) {
    const int n = std::min<int>(notes_[bucket], kKeysOfBucket);
    for (int i = 0; i < n; ++i) {
      if (Equal()(buckets_[bucket][i], key)) return true;
    }
    return false;
  }

  void add(const K& key) {
    const size_t bucket = bucket_of(key);
    if (states_[bucket].blocks != 0 || holds(bucket, key)) return;
    uint8_t& notes = notes_[bucket];
    buckets_[bucket].set(notes % kKeysOfBucket, key);
    notes = notes == 2 * kKeysOfBucket - 1 ? kKeysOfBucket : notes + 1;
  }

  void drop(size_t bucket) {
    notes_[bucket] = 0;
    Epoch& epoch = states_[bucket].epoch;
    if (++epoch == kNotCached) epoch = 0;
  }

  const size_t bucket_count_;
  std::vector<RawElements<K, kKeysOfBucket>> buckets_;  // empty before the first key
  // The number of keys noted in each bucket. The number counts to 7, then continues with 4.
  std::vector<uint8_t> notes_;
  std::vector<State> states_;
  uint64_t under_way_ = 0;  // operations between begin() and end()
  Sampling<1, 32> sampling_;
};

/// The part of a global set or map that is on one core. Maps have no cache.
template <class K, class V, class Hash, class Equal>
struct TablePart {
  OwnerTable<K, V, Hash, Equal> table;
  KnownKeys<K, Hash, Equal> known;
};

}}  // namespace Grappa::detail
