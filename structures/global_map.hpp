#pragma once

/// A map from keys to values, distributed over all cores.
///
///     GlobalAddress<GlobalMap<Word, int64_t>> counts = GlobalMap<Word, int64_t>::create();
///     counts->insert_or_combine<async>(word, 1, collective_add<int64_t>);
///     int64_t n;
///     if (counts->lookup(word, &n)) { ... }
///     counts->forall_entries([](const Word& word, int64_t& n) { ... });
///     counts->destroy();
///
/// A map is linearizable (combining.hpp) and flat-combined (flat_combiner.hpp). The inserts,
/// combinations and lookups of one core's tasks are sent in batches, with one message to each owner
/// of their keys. On several locales, cores merge the batches of their neighbours
/// (detail/table_proxy.hpp). Equal operations are sent once. An entry of 8 + 8 bytes takes 48 to 96
/// bytes.
///
/// detail/hash_table.hpp documents create, destroy, erase, size, empty, clear and sync_all_cores,
/// and the numbers of messages. Unless documented otherwise: From: task or handler. An operation on
/// a key of the same core may return without suspending. So a loop that waits for another core's
/// change must call yield().

#include "structures/detail/byte_map.hpp"
#include "structures/detail/hash_table.hpp"
#include "structures/detail/largest.hpp"
#include "structures/detail/partial_sums.hpp"
#include "system/base/traits.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace Grappa {

/// K and V must be trivially copyable, and V default-constructible; detail/byte_map.hpp documents
/// maps with keys or values of variable length, such as std::string. Hash and Equal must have no
/// state. The hash may be poor, but many keys with the same hash make the table slow.
template <class K, class V, class Hash, class Equal, bool kOwnLength>
class GlobalMap : public detail::HashTable<GlobalMap<K, V, Hash, Equal>, K, V, Hash, Equal> {
  static_assert(detail::CanBeKey<K, Hash, Equal>::value && detail::IsElement<V>::value, "");
  static_assert(std::is_default_constructible<V>::value,
                "the values of a global map must be default-constructible: update() creates a "
                "value for a new key");
  typedef detail::HashTable<GlobalMap, K, V, Hash, Equal> Base;
  typedef typename Base::WriteAt Assign;
  typedef typename Base::Write Write;
  typedef typename Base::Kind Kind;
  template <class Op>
  using Combine = typename Base::template CombineAt<Op>;

 public:
  typedef V mapped_type;

  /// Sets the value of a new or existing key, like std::map::insert_or_assign. Returns true if the
  /// key is new. Concurrent inserts of a key take effect in any order. Suspends: until done.
  template <SyncMode S = SyncMode::Blocking>
  detail::IfBlocking<S, bool> insert(const K& key, const V& value) {
    return this->write(Assign{{key, value}});
  }

  /// An asynchronous insert: the caller's scope waits. The entry is sent directly to the owner.
  /// Suspends: in a task, while no message buffer is free. Messages: 1.
  template <SyncMode S>
  detail::IfAsync<S> insert(const K& key, const V& value) {
    this->write_at_owner_async(Assign{{key, value}});
  }

  /// Like insert<async>. When the value is set, `then()` runs in a handler on the caller's core,
  /// and the caller's scope also waits for this handler. `then` is sent to the owner and back.
  template <class F>
  void insert_async(const K& key, const V& value, F then) {
    this->write_at_owner_async(Assign{{key, value}}, then);
  }

  /// Sets the value of an existing key to op(value, more), and of a new key to `more`. Returns true
  /// if the key is new. `op` is an associative function or function object V op(V, V), trivially
  /// copyable and at most 16 bytes long. An object without members, such as std::plus, is faster
  /// than a pointer to a function: the compiler inlines it, and async messages are 8 bytes shorter.
  /// Suspends: until done.
  template <SyncMode S = SyncMode::Blocking, class Op>
  detail::IfBlocking<S, bool> insert_or_combine(const K& key, const V& more, Op op) {
    return this->write(combination(key, more, op));
  }

  /// Asynchronous: the caller's scope waits. `op` must also be commutative. Values of repeated keys
  /// are combined on the caller's core (--partial_sums, detail/partial_sums.hpp), the others are
  /// sent directly to the owners. Suspends: in a task, while no message buffer is free. Messages: 1
  /// for each sum, and for each value that is not in a sum.
  template <SyncMode S, class Op>
  detail::IfAsync<S> insert_or_combine(const K& key, const V& more, Op op) {
    const Combine<Op> at = combination(key, more, op);
    ++this->async_started_;
    if (!this->is_for_master()) return combine_async(at);
    delegate::call<S>(this->counted_master(), unchecked([at](Base& self) {
                        static_cast<GlobalMap&>(self).combine_async(at);
                      }));
  }

  /// If the key is present, copies its value and returns true. Otherwise returns false and does not
  /// change `*value`. Suspends: until done.
  bool lookup(const K& key, V* value) { return this->Base::lookup(key, value); }
  bool contains(const K& key) {
    detail::RawElements<V, 1> unused;
    return this->Base::lookup(key, unused.data());
  }

  /// Runs `body(V&)` at the owner and returns its result. For a new key, the value is V(). The body
  /// must not suspend, since other tasks may move values: a suspension aborts the job. Suspends:
  /// until done. Messages: 2.
  template <SyncMode S = SyncMode::Blocking, class F>
  detail::IfBlocking<S, typename detail::call_result<F, V&>::type> update(const K& key, F body) {
    detail::check_closure(body);
    return delegate::call(this->owner(key), unchecked(pinned(Update<F>{{key}, body})));
  }

  /// The same with `body(V&, fields...)`, and the fields of a payload (system/global/payload.hpp).
  template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
  detail::IfBlocking<S, typename detail::FieldCall<detail::AtObjectWith<V, F>, Fields...>::Result>
  update(const K& key, const Payload<Fields...>& with, F body) {
    detail::check_closure(body);
    return delegate::call(this->owner(key), with, unchecked(pinned(Update<F>{{key}, body})));
  }

  /// Asynchronous: the caller's scope waits. Discards the result of the body. Without a payload, a
  /// suspension of the body is not detected. Suspends: in a task, while no message buffer is free.
  /// Messages: 1.
  template <SyncMode S, class F>
  detail::IfAsync<S> update(const K& key, F body) {
    detail::check_closure(body);
    this->write_at_owner_async(Update<F>{{key}, body});
  }
  template <SyncMode S, class F, class... Fields>
  detail::IfAsync<S> update(const K& key, const Payload<Fields...>& with, F body) {
    detail::check_closure(body);
    this->write_at_owner_async(pinned(Update<F>{{key}, body}), with);
  }

  /// If the key is present, runs `body(V&)` at the owner and returns true. The body must not
  /// suspend, since other tasks may move values: a suspension aborts the job. Suspends: until done.
  /// Messages: 2.
  template <SyncMode S = SyncMode::Blocking, class F>
  detail::IfBlocking<S, bool> visit(const K& key, F body) {
    detail::check_closure(body);
    return delegate::call(this->owner(key), unchecked(pinned(Visit<F>{{key}, body})));
  }
  template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
  detail::IfBlocking<S, bool> visit(const K& key, const Payload<Fields...>& with, F body) {
    detail::check_closure(body);
    return delegate::call(this->owner(key), with, unchecked(pinned(Visit<F>{{key}, body})));
  }

  /// Asynchronous, as update<async>.
  template <SyncMode S, class F>
  detail::IfAsync<S> visit(const K& key, F body) {
    detail::check_closure(body);
    this->write_at_owner_async(Visit<F>{{key}, body});
  }
  template <SyncMode S, class F, class... Fields>
  detail::IfAsync<S> visit(const K& key, const Payload<Fields...>& with, F body) {
    detail::check_closure(body);
    this->write_at_owner_async(pinned(Visit<F>{{key}, body}), with);
  }

  /// Calls `body(const K&, V&)` for each entry at its owner, as a blocking loop. The bodies may
  /// change values. Other changes of the map during the loop may abort the job. From: task.
  /// Suspends: until the loop has ended. Messages: those of on_all_cores.
  template <class F>
  void forall_entries(F body) {
    this->template start_loop<detail::LoopOptions<>>(body);
  }

  /// Replaces each value by `body(const K&, const V&)`, as a blocking loop. Suspends and Messages:
  /// as forall_entries().
  template <class F>
  void transform(F body) {
    detail::check_closure(body);
    forall_entries(unchecked(Transform<F>{body}));
  }

  /// Keeps the entries for which `keeps(const K&, V&)` is true. Returns the number of removed
  /// entries. The map must not be used during the call, and `keeps` must not suspend. From: task.
  /// Suspends: until all cores have answered.
  template <class F>
  int64_t filter(F keeps) {
    detail::check_closure(keeps);
    return this->filter_cells([keeps](typename Base::Cell& cell) mutable {
      const K key = cell.key;
      return keeps(key, cell.value);
    });
  }

  /// Returns the k largest entries, or all if there are fewer, the largest first. less(a, b) is
  /// true if the std::pair<K, V> a is smaller than b. `less` must not suspend. From: task.
  /// Suspends: until all cores have answered. Messages: those of gather().
  template <class Less>
  std::vector<std::pair<K, V>> top_k(int64_t k, Less less) {
    typedef std::pair<K, V> Entry;
    return detail::largest_of_all<Entry>(k, less, [this](detail::Largest<Entry, Less>* largest) {
      this->for_each_cell(
          [largest](typename Base::Cell& cell) { largest->add(Entry(cell.key, cell.value)); });
    });
  }

  GlobalMap(int64_t capacity_hint, Combining mode)  // for create()
      : Base(capacity_hint, mode), sums_(detail::partial_sums_option()) {}

 private:
  template <class F>
  struct Update {
    struct {
      K key;
    } what;
    F body;
    template <class... Fields>
    auto operator()(Base& self, Fields&&... fields)
        -> decltype(std::declval<F&>()(std::declval<V&>(), std::forward<Fields>(fields)...)) {
      return body(static_cast<GlobalMap&>(self).table().insert({what.key, V()}).first->value,
                  std::forward<Fields>(fields)...);
    }
    void prefetch(const Base* self) const {
      static_cast<const GlobalMap*>(self)->table().prefetch(what.key);
    }
  };

  template <class F>
  struct Visit {
    struct {
      K key;
    } what;
    F body;
    template <class... Fields>
    auto operator()(Base& self, Fields&&... fields)
        -> decltype(std::declval<F&>()(std::declval<V&>(), std::forward<Fields>(fields)...), true) {
      typename Base::Cell* const cell = static_cast<GlobalMap&>(self).table().find(what.key);
      if (cell != nullptr) body(cell->value, std::forward<Fields>(fields)...);
      return cell != nullptr;
    }
    void prefetch(const Base* self) const {
      static_cast<const GlobalMap*>(self)->table().prefetch(what.key);
    }
  };

  template <class F>
  struct Transform {
    F body;
    void operator()(const K& key, V& value) { value = body(key, static_cast<const V&>(value)); }
  };

  /// An operation whose body must not suspend. Async operations without a payload are so short that
  /// the check would slow them down, so they are not checked.
  template <class At>
  struct Pinned : At {
    explicit Pinned(const At& at) : At(at) {}
    template <class... Fields>
    auto operator()(Base& self, Fields&&... fields)
        -> decltype(std::declval<At&>()(self, std::forward<Fields>(fields)...)) {
      const detail::MustNotSuspend until_return;
      return At::operator()(self, std::forward<Fields>(fields)...);
    }
  };
  template <class At>
  static Pinned<At> pinned(const At& at) {
    return Pinned<At>(at);
  }

  template <class Op>
  void combine_async(const Combine<Op>& at) {
    if (this->write_here(at)) return;
    if (this->mode_ == Combining::None || !sums_.takes(at.kind())) return this->start(at);
    const auto send = [this, &at](const Write& sum) { this->start(Combine<Op>{sum, at.op}); };
    if (sums_.add(at.what, send)) {
      ++this->async_done_;
      ++detail::structure_counters::summed;
    }
    if (!sums_.claim_flush()) return;
    const auto flush = [this] {
      sums_.flush([this](const Write& sum, const Kind& kind) {
        this->start(Combine<Kind>{sum, kind});
      });
    };
    detail::start_flush_task(detail::Closure::make(flush), nullptr);
  }

  template <class Op>
  static Combine<Op> combination(const K& key, const V& more, const Op& op) {
    static_assert(detail::travels<Op>::value && sizeof(Op) <= detail::CombineKind<V>::kMostBytes &&
                      alignof(Op) <= 8,
                  "the operation of insert_or_combine is sent with each batch: it must be "
                  "trivially copyable, of at most 16 bytes and aligned to at most 8");
    static_assert(
        detail::is_callable<Op, V&, const V&>::value,
        "the operation of insert_or_combine takes two values and returns one: V op(V, V)");
    detail::check_closure(op);
    return Combine<Op>{{key, more}, op};
  }

  detail::PartialSums<K, V, Hash, Equal> sums_;  // of keys without direct access
};

}  // namespace Grappa
