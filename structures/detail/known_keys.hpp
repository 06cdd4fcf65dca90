#pragma once

///
/// A cache of keys that are known to be in a global set: this core has recently learned about them.
///
/// An insert or a lookup of a cached key is answered at once: while no task erases keys, the key is
/// in the set during the whole operation. Before a core erases its first key, it clears the caches
/// of all cores (forget()). An answer to an operation that began before forget() may be outdated,
/// so such an answer is not cached; epochs detect this case. After an erase, the caches of a set
/// stay empty until the set is cleared.
///
/// The cache holds --known_keys keys in buckets of four. A new key replaces the oldest one of its
/// bucket. If fewer than one lookup in 32 hits, only a sample of the operations uses the cache. The
/// cache is not part of combining: the proxies do not see the operations that it answers.

#include "structures/detail/owner_table.hpp"
#include "system/base/bits.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace Grappa {
namespace detail {

constexpr int64_t kMaxKnownKeys = int64_t{1} << 24;

/// The value of --known_keys. If it is out of range, the job aborts as on bad input.
size_t known_keys_option();

template <class K, class Hash, class Equal>
class KnownKeys {
 public:
  /// Caches about `keys` keys, rounded to a power of two; 0 disables the cache.
  explicit KnownKeys(size_t keys)
      : bucket_count_(keys == 0 ? 0
                                : static_cast<size_t>(next_power_of_two((keys + kKeysOfBucket - 1) /
                                                                        kKeysOfBucket))) {}

  /// The epoch must be read before an operation whose result may be passed to note().
  uint64_t epoch() const { return epoch_; }

  bool has(const K& key) {
    if (skip_ != 0) {
      --skip_;
      return false;
    }
    if (buckets_.empty()) return false;
    if (++looks_ == kSample) judge();
    const size_t at = bucket_of(key);
    const Bucket& bucket = buckets_[at];
    for (size_t i = 0; i < fill_[at].n; ++i) {
      if (Equal()(bucket.key(i), key)) {
        ++found_;
        return true;
      }
    }
    return false;
  }

  /// Caches a key: an operation that began in `epoch` has found or inserted it.
  void note(const K& key, uint64_t epoch) {
    if (epoch != epoch_ || forgets_ || skip_ != 0 || bucket_count_ == 0) return;
    if (buckets_.empty()) {
      buckets_.resize(bucket_count_);
      fill_.resize(bucket_count_);
    }
    const size_t at = bucket_of(key);
    Bucket& bucket = buckets_[at];
    Fill& fill = fill_[at];
    for (size_t i = 0; i < fill.n; ++i) {
      if (Equal()(bucket.key(i), key)) return;
    }
    std::memcpy(bucket.place(fill.next), &key, sizeof(K));
    fill.next = static_cast<uint8_t>((fill.next + 1) % kKeysOfBucket);
    if (fill.n < kKeysOfBucket) ++fill.n;
  }

  /// Clears the cache and disables it.
  void forget() {
    buckets_.clear();
    fill_.clear();
    forgets_ = true;
    ++epoch_;
  }

  /// Enables the cache. The set must be empty and unused.
  void restart() {
    forget();
    forgets_ = false;
  }

 private:
  enum : size_t { kKeysOfBucket = 4 };
  enum : uint32_t { kSample = 4096, kSkip = 15 * kSample };

  struct Bucket {
    alignas(K) unsigned char keys[kKeysOfBucket * sizeof(K)];

    unsigned char* place(size_t i) { return keys + i * sizeof(K); }
    const K& key(size_t i) const { return *reinterpret_cast<const K*>(keys + i * sizeof(K)); }
  };

  // Separate from the keys: this array stays in the cache, and the keys of a bucket are adjacent.
  struct Fill {
    uint8_t n = 0;     // number of keys
    uint8_t next = 0;  // the key to be replaced next
  };

  size_t bucket_of(const K& key) const { return KeyHash<K, Hash>()(key) & (bucket_count_ - 1); }

  void judge() {
    if (found_ < looks_ / 32) skip_ = kSkip;
    looks_ = found_ = 0;
  }

  const size_t bucket_count_;
  std::vector<Bucket> buckets_;  // empty before the first key
  std::vector<Fill> fill_;       // for each bucket
  uint64_t epoch_ = 0;
  bool forgets_ = false;
  uint32_t looks_ = 0;  // lookups since the last judge()
  uint32_t found_ = 0;
  uint32_t skip_ = 0;  // operations that will bypass the cache
};

}  // namespace detail
}  // namespace Grappa
