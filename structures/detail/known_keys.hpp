#pragma once

/// Keys of which this core knows that they are in a global set: those that it has lately been told
/// of.
///
/// An insert or a lookup of such a key can be answered at once, since the key is in while the
/// operation runs, as long as nobody erases it. So whoever erases first has all cores forget what
/// they know (forget()); what a core is told afterwards by an operation that had begun before may
/// be outdated, so it is not noted: that is what epochs are for. A set that is erased from knows
/// nothing any more, until it is cleared.
///
/// A cache of --known_keys keys, four to a bucket, the oldest of a bucket replaced. While fewer
/// than one key in 32 is found, as where keys hardly repeat, it is looked at only for a sample. It
/// is not combining: what it answers no proxy sees.

#include "structures/detail/key_hash.hpp"
#include "system/base/bits.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace Grappa {
namespace detail {

constexpr int64_t kMaxKnownKeys = int64_t{1} << 24;

/// The value of --known_keys. A value out of range ends the job as bad input.
size_t known_keys_option();

template <class K, class Hash, class Equal>
class KnownKeys {
 public:
  /// Remembers about `keys` keys, rounded to a power of two; 0: none.
  explicit KnownKeys(size_t keys)
      : bucket_count_(keys == 0 ? 0
                                : static_cast<size_t>(next_power_of_two((keys + kKeysOfBucket - 1) /
                                                                        kKeysOfBucket))) {}

  /// To be taken before an operation whose outcome may be noted.
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

  /// An operation that began in `epoch` has found, or made sure, that the key is in.
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

  /// From now on nothing is known, nor noted.
  void forget() {
    buckets_.clear();
    fill_.clear();
    forgets_ = true;
    ++epoch_;
  }

  /// The set is empty and nobody uses it.
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

  // Apart from the keys, so that it stays near the processor, and those of a bucket lie together.
  struct Fill {
    uint8_t n = 0;     // keys
    uint8_t next = 0;  // to be replaced
  };

  size_t bucket_of(const K& key) const { return KeyHash<K, Hash>()(key) & (bucket_count_ - 1); }

  void judge() {
    if (found_ < looks_ / 32) skip_ = kSkip;
    looks_ = found_ = 0;
  }

  const size_t bucket_count_;
  std::vector<Bucket> buckets_;  // none before the first key
  std::vector<Fill> fill_;       // of each bucket
  uint64_t epoch_ = 0;
  bool forgets_ = false;
  uint32_t looks_ = 0;  // since found_ was judged
  uint32_t found_ = 0;
  uint32_t skip_ = 0;  // operations that do without
};

}  // namespace detail
}  // namespace Grappa
