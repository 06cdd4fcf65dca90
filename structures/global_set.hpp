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
/// On several locales, cores merge the batches of their neighbours (detail/table_proxy.hpp). Equal
/// operations are sent once in a batch. A core also caches keys that are in the set (--known_keys,
/// detail/known_keys.hpp). A key of 8 bytes takes 32 to 64 bytes.
///
/// detail/hash_table.hpp documents create, destroy, erase, size, empty, clear and sync_all_cores,
/// and the numbers of messages. Unless documented otherwise: From: task or handler. An operation on
/// a key that is cached, or that belongs to the same core, may return without suspending. So a loop
/// that waits for another core's change must call yield().

#include "structures/detail/byte_set.hpp"
#include "structures/detail/hash_table.hpp"
#include "structures/detail/largest.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace Grappa {

/// K must be trivially copyable; detail/byte_set.hpp documents sets of std::string. Hash and Equal
/// are function objects without state. The hash may be poor, but thousands of keys with the same
/// hash make the table slow.
template <class K, class Hash, class Equal, bool kOwnLength>
class GlobalSet : public detail::HashTable<GlobalSet<K, Hash, Equal>, K, void, Hash, Equal> {
  static_assert(detail::CanBeKey<K, Hash, Equal>::value, "");
  typedef detail::HashTable<GlobalSet, K, void, Hash, Equal> Base;
  typedef typename Base::WriteAt Insert;

 public:
  /// Inserts the key. Returns true if the key is new. If several tasks insert a key, the result is
  /// true for one of them. Suspends: until the key is in the set.
  template <SyncMode S = SyncMode::Blocking>
  detail::IfBlocking<S, bool> insert(const K& key) {
    return !this->is_known(key) && this->write(Insert{{key}});
  }

  /// An asynchronous insert: the caller's scope waits. The key is sent directly to the owner.
  /// Suspends: in a task, while no message buffer is free. Messages: 1, or 0 if the key is cached.
  template <SyncMode S>
  detail::IfAsync<S> insert(const K& key) {
    if (!this->is_known(key)) this->write_at_owner_async(Insert{{key}});
  }

  /// Like insert<async>. If the key is new, `body(const K&)` runs in a handler at the owner, and
  /// the scope waits for this handler. If several tasks insert a key, the body of one of them runs.
  /// In a search, the body can add the key to the work that remains.
  template <SyncMode S, class F>
  detail::IfAsync<S> insert(const K& key, F body) {
    static_assert(detail::is_callable<F, const K&>::value,
                  "the body of insert<async>(key, body) takes (const K& key)");
    if (!this->is_known(key)) this->write_at_owner_async_if_new(Insert{{key}}, body);
  }

  /// Like insert<async>. When the key is in the set, new or not, `then()` runs in a handler on the
  /// caller's core, and the scope waits for this handler. `then` is sent to the owner and back.
  template <class F>
  void insert_async(const K& key, F then) {
    this->write_at_owner_async(Insert{{key}}, then);
  }

  /// Returns true if the key is in the set. Suspends: until the answer arrives.
  bool contains(const K& key) { return this->is_known(key) || this->Base::lookup(key, nullptr); }
  bool lookup(const K& key) { return contains(key); }

  /// Keeps the keys for which `keeps(const K&)` is true. Returns the number of removed keys. The
  /// set must not be used during the call, and `keeps` must not suspend. From: task. Suspends:
  /// until all cores have answered.
  template <class F>
  int64_t filter(F keeps) {
    detail::check_closure(keeps);
    return this->filter_cells([keeps](const typename Base::Cell& cell) mutable {
      const K key = cell.key;
      return keeps(key);
    });
  }

  /// Returns the k largest keys, or all if there are fewer, the largest first. less(a, b) compares
  /// two keys, and must not suspend. From: task. Suspends: until all cores have answered. Messages:
  /// those of gather().
  template <class Less>
  std::vector<K> top_k(int64_t k, Less less) {
    return detail::largest_of_all<K>(k, less, [this](detail::Largest<K, Less>* largest) {
      this->for_each_cell([largest](const typename Base::Cell& cell) { largest->add(cell.key); });
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

  GlobalSet(int64_t capacity_hint, Combining mode) : Base(capacity_hint, mode) {}  // for create()
};

}  // namespace Grappa
