#pragma once

/// A set of keys, dealt over all cores.
///
///     GlobalAddress<GlobalSet<int64_t>> seen = GlobalSet<int64_t>::create();
///     forall(edges, n, [seen](Edge& e) { seen->insert<async>(e.target); });
///     if (seen->insert(7)) { ... }   // 7 is new
///     seen->forall_keys([](const int64_t& key) { ... });
///     seen->destroy();
///
/// Linearizable: all tasks see one order, in which each operation takes effect at a moment between
/// its call and its return, or for an async one the end of its scope. Flat-combined
/// (flat_combiner.hpp): inserts and lookups of one core's tasks travel as batches, one message to
/// each owner of some of their keys, and those of equal keys travel once. A core also remembers
/// keys that it knows to be in (detail/known_keys.hpp, --known_keys), as long as nobody erases any.
/// Each core keeps its keys in a flat table that grows by itself (detail/owner_table.hpp): about 16
/// to 64 bytes for a key of 8.
///
/// Operations without a comment: create, destroy, size, empty, sync_all_cores, are in
/// detail/hash_table.hpp. All: From: task or handler. Messages: 2 for a batch and each core that
/// owns keys of it. (combining.hpp: in mode none 2 for each operation; in mode centralized 2 more,
/// to core 0 and back.)

#include "structures/detail/hash_table.hpp"
#include "structures/detail/known_keys.hpp"

#include <functional>

namespace Grappa {

/// K: trivially copyable. Hash and Equal: function objects without state; the hash need not be a
/// good one, but keys of which thousands have the same hash make the table slow, and in the end too
/// large.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
class GlobalSet : public detail::HashTable<GlobalSet<K, Hash, Equal>, K, void, Hash, Equal> {
  static_assert(detail::CanBeKey<K, Hash, Equal>::value, "");
  typedef detail::HashTable<GlobalSet, K, void, Hash, Equal> Base;
  typedef typename Base::WriteAt Insert;

 public:
  /// True if the key is new. Of several tasks that insert a key, one is told so. Suspends: until
  /// the key is in.
  bool insert(const K& key) {
    if (this->combining() != Combining::Distributed) return this->write(Insert{{key}});
    if (is_known(key)) return false;
    const uint64_t epoch = known_.epoch();
    const bool is_new = this->write(Insert{{key}});
    known_.note(key, epoch);
    return is_new;
  }

  /// The same, async: returns at once, and the caller's scope waits. Goes straight to the owner, in
  /// runs of packed keys. Suspends: in a task, while no message buffer is free. Messages: 1.
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Async>::type insert(const K& key) {
    if (!is_known(key)) this->write_at_owner_async(Insert{{key}});
  }
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Blocking, bool>::type insert(const K& key) {
    return insert(key);
  }

  /// As insert<async>; when the key is in, whether it is new or not, `then()` runs in a handler on
  /// the caller's core. The caller's scope waits for that, too. It travels, to the owner and back.
  template <class F>
  void insert_async(const K& key, F then) {
    this->write_at_owner_async(Insert{{key}}, then);
  }

  /// True if the key is in. Suspends: until that is known.
  bool contains(const K& key) {
    if (this->combining() != Combining::Distributed) return this->Base::lookup(key, nullptr);
    if (is_known(key)) return true;
    const uint64_t epoch = known_.epoch();
    const bool found = this->Base::lookup(key, nullptr);
    if (found) known_.note(key, epoch);
    return found;
  }
  bool lookup(const K& key) { return contains(key); }

  /// Removes the key; true if it was there. Suspends: for the owner; the first time on a core for
  /// all cores, one after the other, which from then on ask the owners about each key. Messages: 2,
  /// the first time on a core 2 more for each other core.
  bool erase(const K& key) {
    forget_everywhere();
    return this->Base::erase(key);
  }

  /// Removes all keys: to be called while nobody uses the set. The memory is kept for later keys.
  /// From: task. Suspends: for all cores.
  void clear() {
    GlobalSet* const self = this;
    this->Base::clear();
    call_on_all_cores([self] {
      self->known_.restart();
      self->all_forget_ = false;
    });
  }

  /// `body(const K&)` for each key, at its owner, in as many tasks as the body keeps busy by
  /// suspending. Nobody changes the set meanwhile, which may end the job. Returns when all that the
  /// bodies have started has ended. From: task. Suspends: until then. Messages: those of
  /// on_all_cores.
  template <class F>
  void forall_keys(F body) {
    start_loop<detail::LoopOptions<>>(body);
  }

  /// The same, then waits for `event`, to which the bodies have given work.
  template <GlobalCompletionEvent* event, class F>
  void forall_keys(F body) {
    forall_keys(body);
    event->wait();
  }

  /// By create() only.
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

  // Before a key may go: nobody says any more that it is in, without asking.
  void forget_everywhere() {
    if (all_forget_ || this->combining() != Combining::Distributed) return;
    GlobalSet* const self = this;
    for (Core core = 0; core < cores(); ++core) {
      delegate::call(core, [self] { self->known_.forget(); });
    }
    all_forget_ = true;
  }

  detail::KnownKeys<K, Hash, Equal> known_;
  bool all_forget_ = false;  // and this core knows it
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

/// Old names.
template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
using GlobalHashSet = GlobalSet<K, Hash, Equal>;

template <class K, class Hash, class Equal, class F>
void forall_keys(GlobalAddress<GlobalSet<K, Hash, Equal>> set, F body) {
  set->forall_keys(body);
}

}  // namespace Grappa
