#pragma once

/// A set of keys, distributed over all cores.
///
///     GlobalAddress<GlobalSet<int64_t>> seen = GlobalSet<int64_t>::create();
///     forall(edges, n, [seen](Edge& e) { seen->insert<async>(e.target); });
///     if (seen->insert(7)) { ... }   // 7 is new
///     seen->forall_keys([](const int64_t& key) { ... });
///     seen->destroy();
///
/// Linearizable (combining.hpp) and flat-combined (flat_combiner.hpp): the inserts and lookups of
/// one core's tasks are sent in batches, one message to each owner of their keys, and equal
/// operations on equal keys are sent once. While no task erases keys, a core also caches keys that
/// are in the set (detail/known_keys.hpp, --known_keys). Each core stores its keys in a flat table
/// that grows as needed (detail/owner_table.hpp): a key of 8 bytes takes about 16 to 64 bytes.
///
/// The operations create, destroy, size, empty and sync_all_cores are documented in
/// detail/hash_table.hpp. For all functions: From: task or handler. Messages: 2 for each batch and
/// each core that owns keys of the batch. (combining.hpp: in mode none 2 for each operation; in
/// mode centralized 2 more, to core 0 and back.)

#include "structures/detail/hash_table.hpp"
#include "structures/detail/known_keys.hpp"

#include <functional>

namespace Grappa {

/// K: trivially copyable. Hash and Equal: function objects without state. The hash may be poor, but
/// thousands of keys with the same hash make the table slow and finally too large.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
class GlobalSet : public detail::HashTable<GlobalSet<K, Hash, Equal>, K, void, Hash, Equal> {
  static_assert(detail::CanBeKey<K, Hash, Equal>::value, "");
  typedef detail::HashTable<GlobalSet, K, void, Hash, Equal> Base;
  typedef typename Base::WriteAt Insert;

 public:
  /// Returns true if the key is new. If several tasks insert a key, one of them gets true.
  /// Suspends: until the key is in the set.
  template <SyncMode S = SyncMode::Blocking>
  typename std::enable_if<S == SyncMode::Blocking, bool>::type insert(const K& key) {
    if (this->combining() != Combining::Distributed) return this->write(Insert{{key}});
    if (is_known(key)) return false;
    const uint64_t epoch = known_.epoch();
    const bool is_new = this->write(Insert{{key}});
    known_.note(key, epoch);
    return is_new;
  }

  /// As insert, but asynchronous: the caller's scope waits. The key is sent directly to the owner.
  /// Suspends: in a task, while no message buffer is free. Messages: 1.
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Async>::type insert(const K& key) {
    if (!is_known(key)) this->write_at_owner_async(Insert{{key}});
  }

  /// As insert<async>; when the key is in the set, new or not, `then()` runs in a handler on the
  /// caller's core. The scope also waits for this handler. `then` is sent to the owner and back.
  template <class F>
  void insert_async(const K& key, F then) {
    this->write_at_owner_async(Insert{{key}}, then);
  }

  /// True if the key is in the set. Suspends: until the answer arrives.
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
  /// caches of known keys on all cores; afterwards every lookup asks the owner. Suspends: for the
  /// owner, on the first call for all cores. Messages: 2; on the first call 2 more for each other
  /// core.
  bool erase(const K& key) {
    forget_everywhere();
    return this->Base::erase(key);
  }

  /// Removes all keys. The set must not be used during the call. The memory is kept for later keys.
  /// From: task. Suspends: for all cores.
  void clear() {
    GlobalSet* const self = this;
    this->Base::clear();
    call_on_all_cores([self] {
      self->known_.restart();
      self->all_forget_ = false;
    });
  }

  /// Calls `body(const K&)` for each key at its owner, in as many tasks as suspended bodies
  /// require. Returns when all work that the bodies have started is complete. The set must not be
  /// modified during the loop; a modification may abort the job. From: task. Suspends: until then.
  /// Messages: those of on_all_cores.
  template <class F>
  void forall_keys(F body) {
    start_loop<detail::LoopOptions<>>(body);
  }

  /// As above, then waits for `event`: the bodies may have enrolled work in it.
  template <GlobalCompletionEvent* event, class F>
  void forall_keys(F body) {
    forall_keys(body);
    event->wait();
  }

  /// Called by create() only.
  GlobalSet(int64_t capacity_hint, Combining mode)
      : Base(capacity_hint, mode), known_(detail::known_keys_option()) {}

 private:
  friend struct detail::LoopOver<GlobalSet>;

  template <class Options, class F>
  void start_loop(const F& body) {
    static_assert(detail::CanVisit<F, K>::value,
                  "the body of a loop over a set takes a key: (const K&)");
    detail::check_closure(body);
    this->template for_each_cell<Options>(
        [body](typename Base::Cell cell) mutable { detail::visit_cell(body, cell.key()); });
  }

  bool is_known(const K& key) {
    if (!known_.has(key)) return false;
    ++detail::structure_counters::known;
    return true;
  }

  // Disables the caches of all cores before a key is erased: no cache may answer for an erased key.
  void forget_everywhere() {
    if (all_forget_ || this->combining() != Combining::Distributed) return;
    GlobalSet* const self = this;
    for (Core core = 0; core < cores(); ++core) {
      delegate::call(core, [self] { self->known_.forget(); });
    }
    all_forget_ = true;
  }

  detail::KnownKeys<K, Hash, Equal> known_;
  bool all_forget_ = false;  // true if this core has disabled all caches
};

namespace detail {

/// forall(set, body): as set->forall_keys(body), with the template arguments of all loops.
template <class K, class Hash, class Equal>
struct LoopOver<GlobalSet<K, Hash, Equal>> {
  template <class Options, class F>
  static void start(GlobalAddress<GlobalSet<K, Hash, Equal>> set, const F& body) {
    set->template start_loop<Options>(body);
  }
};

}  // namespace detail

/// Names from the original Grappa.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
using GlobalHashSet = GlobalSet<K, Hash, Equal>;

template <class K, class Hash, class Equal, class F>
void forall_keys(GlobalAddress<GlobalSet<K, Hash, Equal>> set, F body) {
  set->forall_keys(body);
}

}  // namespace Grappa
