#pragma once

/// A set of keys, distributed over all cores.
///
///     GlobalAddress<GlobalSet<int64_t>> seen = GlobalSet<int64_t>::create();
///     forall(edges, n, [seen](Edge& e) { seen->insert<async>(e.target); });
///     if (seen->insert(7)) { ... }   // 7 is new
///     seen->forall_keys([](const int64_t& key) { ... });
///     seen->destroy();
///
/// A set is linearizable (combining.hpp) and flat-combined (flat_combiner.hpp). The inserts and
/// lookups of one core's tasks are sent in batches, with one message to each owner of their keys.
/// Equal operations are sent once. Until a task erases a key, a core also caches keys that are in
/// the set (--known_keys). A key of 8 bytes takes 32 to 64 bytes.
///
/// detail/hash_table.hpp documents create, destroy, size, empty, sync_all_cores, and the numbers of
/// messages. For all functions: From: task or handler.

#include "structures/detail/hash_table.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace Grappa {
namespace detail {

/// A cache of keys that are in a global set. An insert or a lookup of a cached key needs no proxy:
/// until a task erases a key, the key is in the set during the whole operation. Before a core
/// erases its first key, it clears the caches of all cores by forget(). The caches then stay empty
/// until the set is cleared. If an operation began before forget(), its answer may be outdated.
/// Such an answer has an older epoch and is not cached. A new key replaces the oldest key of its
/// bucket. If fewer than 1 in 32 lookups hit, only a sample of operations uses the cache.
template <class K, class Hash, class Equal>
class KnownKeys {
 public:
  /// Caches about `keys` keys, rounded to a power of two; 0 disables the cache.
  explicit KnownKeys(size_t keys)
      : bucket_count_(keys == 0 ? 0 : next_power_of_two(div_up(keys, kKeysOfBucket))) {}

  /// The epoch must be read before an operation whose result may be passed to note().
  uint64_t epoch() const { return epoch_; }

  bool has(const K& key) {
    if (skip_ != 0) {
      --skip_;
      return false;
    }
    if (buckets_.empty()) return false;
    if (++looks_ == kSample) {
      if (found_ < looks_ / 32) skip_ = kSkip;
      looks_ = found_ = 0;
    }
    const bool found = holds(bucket_of(key), key);
    if (found) ++found_;
    return found;
  }

  /// Caches a key that an operation has found or inserted. The operation began in `epoch`.
  void note(const K& key, uint64_t epoch) {
    if (epoch != epoch_ || forgets_ || skip_ != 0 || bucket_count_ == 0) return;
    if (buckets_.empty()) {
      buckets_.resize(bucket_count_);
      notes_.resize(bucket_count_);
    }
    const size_t at = bucket_of(key);
    if (holds(at, key)) return;
    uint8_t& notes = notes_[at];
    buckets_[at].set(notes % kKeysOfBucket, key);
    notes = notes == 2 * kKeysOfBucket - 1 ? kKeysOfBucket : notes + 1;
  }

  void forget() {
    buckets_.clear();
    notes_.clear();
    forgets_ = true;
    ++epoch_;
  }

  /// Enables the cache again. The set must be empty and unused.
  void restart() {
    forget();
    forgets_ = false;
  }

 private:
  enum : uint8_t { kKeysOfBucket = 4 };
  enum : uint32_t { kSample = 4096, kSkip = 15 * kSample };

  size_t bucket_of(const K& key) const { return KeyHash<K, Hash>()(key) & (bucket_count_ - 1); }

  bool holds(size_t bucket, const K& key) {
    const int n = std::min<int>(notes_[bucket], kKeysOfBucket);
    for (int i = 0; i < n; ++i) {
      if (Equal()(buckets_[bucket][i], key)) return true;
    }
    return false;
  }

  const size_t bucket_count_;
  std::vector<RawElements<K, kKeysOfBucket>> buckets_;  // empty before the first key
  // The number of keys noted in each bucket. The number counts to 7, then continues with 4.
  std::vector<uint8_t> notes_;
  uint64_t epoch_ = 0;
  bool forgets_ = false;  // the cache is disabled
  uint32_t looks_ = 0;    // lookups in the current sample
  uint32_t found_ = 0;
  uint32_t skip_ = 0;  // operations that will bypass the cache
};

}  // namespace detail

/// K must be trivially copyable. Hash and Equal are function objects without state. The hash may be
/// poor, but thousands of keys with the same hash make the table slow.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
class GlobalSet : public detail::HashTable<GlobalSet<K, Hash, Equal>, K, void, Hash, Equal> {
  static_assert(detail::CanBeKey<K, Hash, Equal>::value, "");
  typedef detail::HashTable<GlobalSet, K, void, Hash, Equal> Base;
  typedef typename Base::WriteAt Insert;

 public:
  /// Inserts the key. Returns true if the key is new. If several tasks insert a key, the result is
  /// true for one of them. Suspends: until the key is in the set.
  template <SyncMode S = SyncMode::Blocking>
  detail::IfBlocking<S, bool> insert(const K& key) {
    if (this->combining() != Combining::Distributed) return this->write(Insert{{key}});
    if (is_known(key)) return false;
    const uint64_t epoch = known_.epoch();
    const bool is_new = this->write(Insert{{key}});
    known_.note(key, epoch);
    return is_new;
  }

  /// An asynchronous insert: the caller's scope waits. The key is sent directly to the owner.
  /// Suspends: in a task, while no message buffer is free. Messages: 1.
  template <SyncMode S>
  detail::IfAsync<S> insert(const K& key) {
    if (!is_known(key)) this->write_at_owner_async(Insert{{key}});
  }

  /// Like insert<async>. When the key is in the set, new or not, `then()` runs in a handler on the
  /// caller's core, and the scope waits for this handler. `then` is sent to the owner and back.
  template <class F>
  void insert_async(const K& key, F then) {
    this->write_at_owner_async(Insert{{key}}, then);
  }

  /// Returns true if the key is in the set. Suspends: until the answer arrives.
  bool contains(const K& key) {
    if (this->combining() != Combining::Distributed) return this->Base::lookup(key, nullptr);
    if (is_known(key)) return true;
    const uint64_t epoch = known_.epoch();
    const bool found = this->Base::lookup(key, nullptr);
    if (found) known_.note(key, epoch);
    return found;
  }
  bool lookup(const K& key) { return contains(key); }

  /// Removes the key. Returns true if the key was present. The first call on a core disables the
  /// caches of known keys on all cores. Suspends: until the owner has answered, on the first call
  /// until all cores have answered. Messages: 2, and on the first call 2 more for each other core.
  bool erase(const K& key) {
    forget_everywhere();
    return this->Base::erase(key);
  }

  /// Removes all keys. The set must not be used during the call. The memory is kept for later keys.
  /// From: task. Suspends: until all cores have answered.
  void clear() {
    this->Base::clear();
    call_on_all_cores([this] {
      known_.restart();
      all_forget_ = false;
    });
  }

  /// Calls `body(const K&)` for each key at its owner, as a blocking loop. Changes of the set in
  /// the loop may abort the job. From: task. Suspends: until done. Messages: as on_all_cores.
  template <class F>
  void forall_keys(F body) {
    this->template start_loop<detail::LoopOptions<>>(body);
  }

  /// Calls forall_keys(body), then waits for `event`, to which the bodies may have added work.
  template <GlobalCompletionEvent* event, class F>
  void forall_keys(F body) {
    forall_keys(body);
    event->wait();
  }

  GlobalSet(int64_t capacity_hint, Combining mode)  // for create()
      : Base(capacity_hint, mode), known_(detail::known_keys_option()) {}

 private:
  bool is_known(const K& key) {
    if (!known_.has(key)) return false;
    ++detail::structure_counters::known;
    return true;
  }

  void forget_everywhere() {
    if (all_forget_ || this->combining() != Combining::Distributed) return;
    for (Core core = 0; core < cores(); ++core) delegate::call(core, [this] { known_.forget(); });
    all_forget_ = true;
  }

  detail::KnownKeys<K, Hash, Equal> known_;
  bool all_forget_ = false;  // true if this core has disabled all caches
};

}  // namespace Grappa
