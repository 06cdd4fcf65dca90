#pragma once

/// A core's cache of partial sums of GlobalMap::insert_or_combine<async>.
///
/// The cache combines the values of a key, and sends their sum to the owner of the key as one
/// operation. A value of another key or another scope displaces the sum in its entry, which is sent
/// at once. A flush task sends the other sums when no more values arrive, and after some time
/// (yield_while_added()). An entry is open work of the scope of its values, so a scope ends only
/// after its sums have been added to the map.
///
/// If fewer than 3 in 4 values are combined, only a sample of the values uses the cache. With 1 in
/// 8 as the limit, adding to 2^14 random keys was a quarter slower than without the cache, on two
/// cores of one host (bench/structures_job --workload=counts).

#include "structures/detail/element_store.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/detail/sampling.hpp"
#include "system/base/check.hpp"
#include "system/base/units.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa { namespace detail {

/// Yields until no value has arrived for the time T that sending all sums takes, but at most 2 ms,
/// or until 16 T, but at least 1 ms, have passed. `*added` is the number of all values, and `*held`
/// of sums. From: task. Suspends.
void yield_while_added(const uint64_t* added, const uint64_t* held);

/// Starts a task with high priority in a scope, or in none if `scope` is null.
void start_flush_task(const Closure& flush, TaskScope* scope);

template <class K, class V, class Hash, class Equal>
class PartialSums {
  typedef detail::Cells<K, V> Cells;

 public:
  typedef typename Cells::Kind Kind;
  typedef typename Cells::Write Write;

  /// Keeps `entries` sums, rounded up to a power of two; 0 disables the cache.
  explicit PartialSums(size_t entries) : count_(entries == 0 ? 0 : next_power_of_two(entries)) {}
  ~PartialSums() {
    GRAPPA_CHECK(!flush_pending_)
        << "a global map was destroyed while async operations on it were in progress";
  }

  /// Returns true if add() should be called for the next value, before the task suspends. Selects
  /// the kind of an empty cache: all sums in the cache are of the same kind. Returns false in calls
  /// from an operation that combines two values.
  bool takes(const Kind& kind) {
    if (count_ == 0 || combines_ || !sampling_.takes()) return false;
    if (used_ == 0) kind_ = kind;
    return kind_ == kind;
  }

  /// Adds a value of the running task's scope. Returns true if it was combined with an earlier
  /// value. Otherwise the value is a new sum. Calls `send(sum)` for the sum that it displaces, in
  /// the scope of that sum. Suspends: if send() does.
  template <class Send>
  bool add(const Write& value, const Send& send) {
    if (entries_.empty()) entries_.resize(count_);
    ++added_;
    const size_t index = KeyHash<K, Hash>()(value.key) & (count_ - 1);
    Entry& entry = entries_[index];
    TaskScope* const scope = current_scope();
    const bool combines =
        entry.used && entry.scope == scope && Equal()(entry.sum[0].key, value.key);
    sampling_.count(combines);
    if (combines) {
      combines_ = true;
      Cells::merge(kind_, &entry.sum[0], value);
      combines_ = false;
      return true;
    }
    Entry displaced = entry;
    entry.sum.set(0, value);
    entry.scope = scope;
    entry.used = true;
    if (scope != nullptr) scope->enroll(1);
    if (displaced.used) {
      send_in_scope(&displaced, send);
    } else {
      ++used_;
      used_entries_.push_back(static_cast<uint32_t>(index));
    }
    return false;
  }

  /// Returns true if the cache holds sums and no task will flush it. The caller must then start a
  /// task that calls flush().
  bool claim_flush() {
    if (flush_pending_ || used_entries_.empty()) return false;
    return flush_pending_ = true;
  }

  /// Calls `send(sum, kind)` for each sum, in the scope of the sum, until the cache is empty. The
  /// map exists until the last sum is sent. From: task. Suspends.
  template <class Send>
  void flush(const Send& send) {
    std::vector<uint32_t> indexes;
    do {
      yield_while_added(&added_, &used_);
      indexes.clear();
      indexes.swap(used_entries_);
      for (const uint32_t index : indexes) {
        Entry entry = entries_[index];
        entries_[index].used = false;
        --used_;
        send_in_scope(&entry, [&](const Write& sum) { send(sum, kind_); });
      }
    } while (!used_entries_.empty());
    flush_pending_ = false;
  }

 private:
  struct Entry {
    RawElements<Write, 1> sum;
    TaskScope* scope;
    bool used = false;
  };

  template <class Send>
  static void send_in_scope(Entry* entry, const Send& send) {
    TaskScope* const outer = current_scope();
    the_scheduler->set_scope(entry->scope);
    send(entry->sum[0]);
    the_scheduler->set_scope(outer);
    if (entry->scope != nullptr) entry->scope->complete(1);
  }

  const size_t count_;
  std::vector<Entry> entries_;          // empty before the first value
  std::vector<uint32_t> used_entries_;  // indexes of the used entries that flush() has not taken
  uint64_t used_ = 0;                   // number of used entries
  uint64_t added_ = 0;                  // number of values
  bool flush_pending_ = false;          // a flush task exists; true while entries are used
  bool combines_ = false;               // an operation runs on a sum
  Kind kind_;
  Sampling<3, 4> sampling_;
};

}}  // namespace Grappa::detail
