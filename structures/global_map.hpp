#pragma once

/// Values by key, dealt over all cores.
///
///     GlobalAddress<GlobalMap<Word, int64_t>> counts = GlobalMap<Word, int64_t>::create();
///     counts->insert_or_combine<async>(word, 1, collective_add<int64_t>);
///     int64_t n;
///     if (counts->lookup(word, &n)) { ... }
///     counts->forall_entries([](const Word& word, int64_t& n) { ... });
///     counts->destroy();
///
/// Linearizable: all tasks see one order, in which each operation takes effect at a moment between
/// its call and its return, or for an async one the end of its scope. Flat-combined
/// (flat_combiner.hpp): inserts, combinations and lookups of one core's tasks travel as batches,
/// one message to each owner of some of their keys, and those of equal keys travel once. Each core
/// keeps its entries in a flat table that grows by itself (detail/owner_table.hpp): about 48 to 96
/// bytes for an entry of 8 + 8.
///
/// Operations without a comment: create, destroy, erase, size, empty, clear, sync_all_cores, are in
/// detail/hash_table.hpp. All: From: task or handler. Messages: 2 for a batch and each core that
/// owns keys of it. (combining.hpp: in mode none 2 for each operation; in mode centralized 2 more,
/// to core 0 and back.)

#include "structures/detail/hash_table.hpp"
#include "system/base/traits.hpp"

#include <functional>

namespace Grappa {

/// K, V: trivially copyable; V has a default. Hash and Equal: function objects without state; the
/// hash need not be a good one, but keys of which thousands have the same hash make the table slow,
/// and in the end too large.
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
class GlobalMap : public detail::HashTable<GlobalMap<K, V, Hash, Equal>, K, V, Hash, Equal> {
  static_assert(detail::CanBeKey<K, Hash, Equal>::value && detail::IsElement<V>::value, "");
  static_assert(std::is_default_constructible<V>::value,
                "the values of a global map need a default: what update() finds for a new key");
  typedef detail::HashTable<GlobalMap, K, V, Hash, Equal> Base;
  typedef typename Base::WriteAt Assign;
  typedef typename Base::WriteOfKindAt Combine;

 public:
  typedef V mapped_type;

  /// Sets the value of the key, whether it was there or not; true if the key is new. (As
  /// std::map::insert_or_assign.) Of inserts of one key that are under way together, any may be the
  /// last. Suspends: until it is in.
  bool insert(const K& key, const V& value) { return this->write(Assign{{key, value}}); }

  /// The same, async: returns at once, and the caller's scope waits. Goes straight to the owner, in
  /// runs of packed entries. Suspends: in a task, while no message buffer is free. Messages: 1.
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Async>::type insert(const K& key, const V& value) {
    this->write_at_owner_async(Assign{{key, value}});
  }
  template <SyncMode S>
  typename std::enable_if<S == SyncMode::Blocking, bool>::type insert(const K& key,
                                                                      const V& value) {
    return insert(key, value);
  }

  /// As insert<async>; when the value is in, `then()` runs in a handler on the caller's core. The
  /// caller's scope waits for that, too. It travels, to the owner and back.
  template <class F>
  void insert_async(const K& key, const V& value, F then) {
    this->write_at_owner_async(Assign{{key, value}}, then);
  }

  /// If the key is there its value becomes op(value, more), else `more`; true if the key is new.
  /// `op` is associative: V op(V, V), a function or a function object, trivially copyable and of at
  /// most 16 bytes. Tasks of a core that combine into the same key, by the same operation, do so
  /// before anything travels. Suspends: until it is done.
  template <class Op>
  bool insert_or_combine(const K& key, const V& more, Op op) {
    return this->write(combination(key, more, op));
  }

  /// The same, async: returns at once, and the caller's scope waits. Suspends: in a task, if it
  /// gives more than can be under way.
  template <SyncMode S, class Op>
  typename std::enable_if<S == SyncMode::Async>::type insert_or_combine(const K& key, const V& more,
                                                                        Op op) {
    this->write_async(combination(key, more, op));
  }
  template <SyncMode S, class Op>
  typename std::enable_if<S == SyncMode::Blocking, bool>::type insert_or_combine(const K& key,
                                                                                 const V& more,
                                                                                 Op op) {
    return insert_or_combine(key, more, op);
  }

  /// Copies the value of the key; false, and leaves `*value`, if it is not there. Suspends: until
  /// that is known.
  bool lookup(const K& key, V* value) { return this->Base::lookup(key, value); }
  bool contains(const K& key) {
    detail::RawElements<V, 1> unused;
    return this->Base::lookup(key, unused.data());
  }

  /// Runs `body(V&)` at the owner, with a V() for a key that is new, and returns what it returns.
  /// It travels, and must not suspend, since values move when their table grows. Never combined.
  /// Suspends: for the owner. Messages: 2.
  template <class F>
  typename detail::call_result<F, V&>::type update(const K& key, F body) {
    detail::check_closure(body);
    return delegate::call(this->owner(key), unchecked(Update<F>{key, body}));
  }

  /// `body(const K&, V&)` for each entry, at its owner, in as many tasks as the body keeps busy by
  /// suspending. Nobody changes the map meanwhile but the values that the bodies get: that may
  /// end the job. Returns when all that the bodies have started has ended. From: task. Suspends:
  /// until then. Messages: those of on_all_cores.
  template <class F>
  void forall_entries(F body) {
    start_loop<detail::LoopOptions<>>(body);
  }

  /// By create() only.
  GlobalMap(int64_t capacity_hint, Combining mode) : Base(capacity_hint, mode) {}

 private:
  friend struct detail::LoopOver<GlobalMap>;

  template <class Options, class F>
  void start_loop(const F& body) {
    static_assert(detail::CanVisit<F, K, V>::value,
                  "the body of a loop over a map takes a key and its value: (const K&, V&)");
    detail::check_closure(body);
    this->template for_each_cell<Options>([body](typename Base::Cell cell) mutable {
      detail::visit_cell(body, cell.key(), cell.value());
    });
  }

  template <class F>
  struct Update {
    K key;
    F body;
    typename detail::call_result<F, V&>::type operator()(Base& self) {
      return body(static_cast<GlobalMap&>(self).table_.operator->()->operator[](key));
    }
    void prefetch(const Base* self) const {
      static_cast<const GlobalMap*>(self)->table_.prefetch(key);
    }
  };

  template <class Op>
  static Combine combination(const K& key, const V& more, const Op& op) {
    static_assert(detail::travels<Op>::value && sizeof(Op) <= detail::CombineKind<V>::kMostBytes &&
                      alignof(Op) <= 8,
                  "the operation of insert_or_combine travels with each batch: it must be "
                  "trivially copyable, of at most 16 bytes and aligned to at most 8");
    static_assert(
        detail::is_callable<Op, V&, const V&>::value,
        "the operation of insert_or_combine takes two values and returns one: V op(V, V)");
    detail::check_closure(op);
    return Combine{{key, more}, detail::CombineKind<V>::of(op)};
  }
};

namespace detail {

/// forall(map, body): as map->forall_entries(body), with the template arguments of all loops.
template <class K, class V, class Hash, class Equal>
struct LoopOver<GlobalMap<K, V, Hash, Equal>> {
  template <class Options, class F>
  static void start(GlobalAddress<GlobalMap<K, V, Hash, Equal>> map, const F& body) {
    map->template start_loop<Options>(body);
  }
};

}  // namespace detail

/// Old names.
template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
using GlobalHashMap = GlobalMap<K, V, Hash, Equal>;

template <class K, class V, class Hash, class Equal, class F>
void forall_entries(GlobalAddress<GlobalMap<K, V, Hash, Equal>> map, F body) {
  map->forall_entries(body);
}

}  // namespace Grappa
