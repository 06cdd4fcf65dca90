#pragma once

/// A core's cache of partial sums of insert_or_combine<async> on a map with entries of variable
/// length.
///
/// The cache combines the values of a key, and sends their sum to the owner of the key as one
/// operation. A value of another key or another scope displaces the sum in its entry, which is
/// sent at once. If values were combined in the sum since the last such value, the value itself is
/// sent, and the sum stays ("second chance": F. J. Corbato, "A Paging Experiment with the Multics
/// System", MIT, 1968). A flush task sends all sums when no more values arrive, and after some
/// time (yield_while_added()). Values and sums are open work of the scope of the values, so a scope
/// ends only after its sums have been added to the map.
///
/// A value waits until the values of the next 15 calls have been added, while its entry is
/// prefetched. So the cache may be larger than L2. It starts with 1,024 entries, and doubles when
/// values have met other sums as often as it has entries. Keys of more than 256 bytes do not use
/// it. The bytes of keys beyond 15, and of values of variable length, are elsewhere in memory,
/// without a limit. The numbers 256 and 15 were not compared with others.
///
/// If fewer than 1 in 4 values are combined by a cache of full size, only a sample of the values
/// uses it (not compared with other limits).

#include "structures/combining.hpp"
#include "structures/detail/byte_forms.hpp"
#include "structures/detail/hash_bytes.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/detail/partial_sums.hpp"
#include "structures/detail/sampling.hpp"
#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/message/send.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

template <class V>
class ByteSums {
 public:
  struct Sum {
    uint64_t hash;
    std::string key;
    V value;
  };

  /// An operation, and the function that sends a sum to its owner.
  struct Kind {
    CombineKind<V> combine;
    void (*send)(void* map, const Sum& sum, const CombineKind<V>& combine);

    bool operator==(const Kind& other) const {
      return send == other.send && combine == other.combine;
    }
  };

  /// `map` is for Kind::send. Adds the number of combined values to `*done`. The entries have at
  /// most kBytesPerSum bytes for each of `sums`, but for values of variable length, there are at
  /// most `sums` entries. The number is rounded down to a power of two; 0 disables the cache.
  ByteSums(void* map, size_t sums, uint64_t* done)
      : map_(map),
        done_(done),
        most_(sums == 0 ? 0 : next_power_of_two(entries_for(sums) / 2 + 1)) {}
  ~ByteSums() {
    GRAPPA_CHECK(!flush_pending_)
        << "a global map was destroyed while async operations on it were in progress";
  }

  /// Returns true if add() should be called for the next value, before the task suspends. Selects
  /// the kind of an empty cache: all sums in the cache are of the same kind. Returns false in calls
  /// from an operation that combines two values.
  bool takes(const Kind& kind, size_t key_bytes) {
    if (most_ == 0 || key_bytes > kMostKeyBytes || combines_ || !sampling_.takes()) return false;
    if (held_ == 0) kind_ = kind;
    return kind_ == kind;
  }

  /// Adds a value of the running task's scope. Suspends: if Kind::send does.
  void add(const HashedKey& key, const V& value) {
    if (entries_.count() == 0 || (displaced_ >= entries_.count() && entries_.count() < most_)) {
      grow();
    }
    Entry& next = recent_[added_++ % kRecent];
    Entry displaced;
    if (next.used && !settle(&next)) std::swap(displaced, next);
    next.sum.hash = key.hash;
    next.sum.key.assign(key.bytes.data(), key.bytes.size());
    next.sum.value = value;
    next.scope = current_scope();
    next.used = true;
    ++held_;
    if (next.scope != nullptr) next.scope->enroll(1);
    charge_ns(kSumNs);
    GRAPPA_PREFETCH(&entries_[index_of(next)]);
    if (displaced.used) send(displaced);
  }

  /// Returns true if the cache holds values and no task will flush it. The caller must then start a
  /// task that calls flush().
  bool claim_flush() {
    if (flush_pending_ || held_ == 0) return false;
    return flush_pending_ = true;
  }

  /// Sends all sums, until the cache is empty. The map exists until the last sum is sent. From:
  /// task. Suspends.
  void flush() {
    do {
      yield_while_added(&added_, &held_);
      for (Entry& recent : recent_) {
        Entry displaced;
        if (recent.used && !settle(&recent)) std::swap(displaced, recent);
        if (displaced.used) send(displaced);
      }
      send_all();
    } while (held_ != 0);
    flush_pending_ = false;
  }

 private:
  enum : size_t { kFirstEntries = 1024, kRecent = 16, kMostKeyBytes = 256, kBytesPerSum = 4096 };

  /// The time of a call of add(), charged in simulations. This is an estimate: to read, split and
  /// count a text with 1,000 different words takes 41 ns a word.
  enum : uint64_t { kSumNs = 25 };

  struct alignas(64) Entry {
    Sum sum;
    TaskScope* scope = nullptr;
    bool used = false;
    bool stays = false;  // the next value of another key or scope does not displace the sum
  };

  class Entries {
   public:
    explicit Entries(size_t count) : count_(count) {
      if (count == 0) return;
      const bool large = bytes() >= kHugePageBytes;
      data_ = static_cast<Entry*>(
          map_private_aligned(bytes(), large ? size_t{kHugePageBytes} : page_bytes()));
      if (large) advise_huge_pages(data_, bytes());
      for (size_t i = 0; i < count; ++i) new (data_ + i) Entry();
    }
    ~Entries() {
      for (size_t i = 0; i < count_; ++i) data_[i].~Entry();
      if (count_ != 0) unmap(data_, bytes());
    }
    Entries(const Entries&) = delete;
    Entries& operator=(const Entries&) = delete;

    size_t count() const { return count_; }
    Entry& operator[](size_t i) { return data_[i]; }
    void swap(Entries& other) {
      std::swap(data_, other.data_);
      std::swap(count_, other.count_);
    }

   private:
    size_t bytes() const { return count_ * sizeof(Entry); }

    Entry* data_ = nullptr;
    size_t count_;
  };

  static size_t entries_for(size_t sums) {
    return HasOwnLength<V>::value ? sums : sums * kBytesPerSum / sizeof(Entry);
  }

  size_t index_of(const Entry& entry) const { return entry.sum.hash & (entries_.count() - 1); }

  /// Adds a value to the sum of its key, or starts a sum. If its entry has another sum, returns
  /// false, and `*value` is either the value or that sum. The caller must send it.
  bool settle(Entry* value) {
    const size_t index = index_of(*value);
    Entry& entry = entries_[index];
    const bool combines = entry.used && entry.sum.hash == value->sum.hash &&
                          entry.scope == value->scope && equal_bytes(entry.sum.key, value->sum.key);
    if (entries_.count() == most_) sampling_.count(combines);
    if (combines) {
      {
        const MustNotSuspend until_combined;
        combines_ = true;
        kind_.combine(&entry.sum.value, value->sum.value);
        combines_ = false;
      }
      entry.stays = true;
      value->used = false;
      --held_;
      ++*done_;  // the first value of this sum is still in progress
      ++structure_counters::summed;
      if (value->scope != nullptr) value->scope->complete(1);
      return true;
    }
    displaced_ += entry.used;
    if (entry.stays) {
      entry.stays = false;
      return false;
    }
    std::swap(entry, *value);
    if (value->used) return false;
    used_entries_.push_back(static_cast<uint32_t>(index));
    return true;
  }

  /// Sends a sum, which is not in the cache any more, in its scope.
  void send(const Entry& entry) {
    --held_;
    TaskScope* const outer = current_scope();
    the_scheduler->set_scope(entry.scope);
    const Kind kind = kind_;
    kind.send(map_, entry.sum, kind.combine);
    the_scheduler->set_scope(outer);
    if (entry.scope != nullptr) entry.scope->complete(1);
  }

  /// Sends the sums that the cache has now.
  void send_all() {
    constexpr size_t kAhead = 16;
    std::vector<uint32_t> indexes;
    indexes.swap(used_entries_);
    sends_all_ = true;
    for (size_t i = 0; i < indexes.size(); ++i) {
      if (i + kAhead < indexes.size()) GRAPPA_PREFETCH(&entries_[indexes[i + kAhead]]);
      Entry entry;
      std::swap(entry, entries_[indexes[i]]);
      send(entry);
    }
    sends_all_ = false;
  }

  /// Creates the first entries, or doubles their number, unless send_all() uses their indexes. The
  /// sum of an entry keeps its index, or moves to an entry that is new.
  void grow() {
    if (sends_all_) return;
    Entries before(entries_.count() == 0 ? std::min<size_t>(kFirstEntries, most_)
                                         : 2 * entries_.count());
    entries_.swap(before);
    displaced_ = 0;
    for (uint32_t& index : used_entries_) {
      Entry& entry = before[index];
      index = static_cast<uint32_t>(index_of(entry));
      std::swap(entries_[index], entry);
    }
  }

  void* const map_;
  uint64_t* const done_;
  const size_t most_;
  Entry recent_[kRecent];  // values that are not in a sum
  Entries entries_{0};
  std::vector<uint32_t> used_entries_;  // indexes of the used entries that flush() has not taken
  uint64_t added_ = 0;                  // number of values
  uint64_t held_ = 0;                   // number of values in recent_, and of sums
  uint64_t displaced_ = 0;              // number of values that met another sum since grow()
  bool flush_pending_ = false;          // a flush task exists
  bool sends_all_ = false;
  bool combines_ = false;  // an operation runs on a sum
  Kind kind_ = Kind();
  Sampling<1, 4> sampling_;
};

}}  // namespace Grappa::detail
