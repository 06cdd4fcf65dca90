#pragma once

/// A map whose keys or values differ in length, distributed over all cores.
///
///     GlobalAddress<GlobalMap<std::string, int64_t>> counts =
///         GlobalMap<std::string, int64_t>::create();
///     counts->insert_or_combine<async>(word, 1);
///     for (const auto& entry : counts->top_k(10, by_count)) { ... }
///
/// detail/byte_structure.hpp documents create, destroy, contains, erase, size, empty, clear and
/// sync_all_cores, and the defaults of the contracts.

#include "structures/detail/byte_forms.hpp"
#include "structures/detail/byte_structure.hpp"
#include "structures/detail/byte_sums.hpp"
#include "structures/detail/hash_table.hpp"
#include "structures/detail/key_form.hpp"
#include "structures/detail/largest.hpp"
#include "structures/detail/partial_sums.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

struct Sum {
  template <class V>
  V operator()(const V& a, const V& b) const {
    return a + b;
  }
};

}  // namespace detail

/// K and V have a Serialize, such as std::string, vectors and integers, are default-constructible
/// and assignable. A key has 0 to 1,048,576 bytes, and a value at most 4,294,967,295. Keys are
/// equal if their bytes are equal.
/// detail/byte_table.hpp describes the memory. If values have a variable length, a body that
/// changes a value gets a copy, which is stored when the body returns.
template <class K, class V, class Hash, class Equal>
class GlobalMap<K, V, Hash, Equal, true>
    : public detail::ByteStructure<GlobalMap<K, V, Hash, Equal, true>, K, V, Hash, Equal> {
  typedef detail::ByteStructure<GlobalMap, K, V, Hash, Equal> Base;
  typedef typename Base::Value Value;

 public:
  typedef V mapped_type;
  typedef typename Base::Key Key;
  typedef std::pair<K, V> Entry;

  /// Sets the value of a new or existing key. Returns true if the key is new. Suspends: until done.
  template <SyncMode S = SyncMode::Blocking>
  detail::IfBlocking<S, bool> insert(Key key, const V& value) {
    return Base::is_yes(this->template perform<Assign>(key, bytes_of(value)));
  }

  /// Asynchronous: the caller's scope waits. Suspends: in a task, while no message buffer is free.
  /// Messages: 1.
  template <SyncMode S>
  detail::IfAsync<S> insert(Key key, const V& value) {
    this->template start<Assign>(key, bytes_of(value));
  }

  /// Sets the value of an existing key to op(value, more), and of a new key to `more`. Returns true
  /// if the key is new. `op` is an associative function or function object V op(V, V), trivially
  /// copyable and at most 16 bytes long; by default, the sum. It runs at the owner, at the caller
  /// and at gatherers, and must not suspend or start work. Suspends: until done.
  template <SyncMode S = SyncMode::Blocking, class Op = detail::Sum>
  detail::IfBlocking<S, bool> insert_or_combine(Key key, const V& more, Op op = Op()) {
    return Base::is_yes(this->template perform<Combine<Op>>(key, with_op(op, more)));
  }

  /// Asynchronous: the caller's scope waits. `op` must also be commutative. Values of repeated keys
  /// of up to 255 bytes are combined on the caller's core (--partial_sums, detail/byte_sums.hpp),
  /// for one scope and operation at a time, at a cost in proportion to the bytes of the sum.
  /// Suspends: in a task, while no message buffer is free. Messages: 1 for each sum, and for each
  /// value not in a sum. If the key is of this core and accesses to the table are fast: none.
  template <SyncMode S, class Op = detail::Sum>
  detail::IfAsync<S> insert_or_combine(Key key, const V& more, Op op = Op()) {
    const detail::KeyForm<K> form(key);
    const detail::HashedKey hashed(form.bytes());
    const SumKind kind = {detail::CombineKind<V>::of(op), &send_sum<Op>};
    ++this->async_started_;
    if (this->mode_ == Combining::None || !sums_.takes(kind, hashed.bytes.size())) {
      return this->template start_at<Combine<Op>>(Base::owner_of(key, hashed.hash), hashed,
                                                  with_op(op, more));
    }
    if (sums_.claim_flush()) {
      detail::start_flush_task(detail::Closure::make([this] { sums_.flush(); }),
                               detail::current_scope());
    }
    sums_.add(hashed, more);
  }

  /// If the key is present, copies its value and returns true. Otherwise returns false and does not
  /// change `*value`. Suspends: until done.
  bool lookup(Key key, V* value) {
    std::string answer = this->template perform<Read>(key, View<char>());
    if (answer.empty()) return false;
    answer.pop_back();
    *value = detail::read_from<V>(&answer);
    return true;
  }

  /// Runs `body(V&, fields...)` at the owner, with the fields of `with`, and returns its result.
  /// For a new key, the value is V(). If V is std::string, the body may instead take a StringView
  /// of the value, which is then not copied. The body is atomic on its key, and must not suspend: a
  /// suspension aborts the job. Suspends: until done. Messages: 2, or 0 at this core.
  template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
  detail::IfBlocking<S, typename detail::EntryResult<V, F, Fields...>::type> update(
      Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<V, F, Fields...> Body;
    return Base::template Result<typename Body::Result>::from(
        this->perform_body(&Update<Body>::apply, key, Body::bytes(body, with)));
  }
  template <SyncMode S = SyncMode::Blocking, class F>
  detail::IfBlocking<S, typename detail::EntryResult<V, F>::type> update(Key key, F body) {
    return update(key, payload(), body);
  }

  /// Asynchronous: the caller's scope waits. Discards the result. Suspends: in a task, while no
  /// message buffer is free. Messages: 1.
  template <SyncMode S, class F, class... Fields>
  detail::IfAsync<S> update(Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<V, F, Fields...> Body;
    this->template start<Update<Body>>(key, Body::bytes(body, with));
  }
  template <SyncMode S, class F>
  detail::IfAsync<S> update(Key key, F body) {
    update<S>(key, payload(), body);
  }

  /// If the key is present, runs `body` as update() does, and returns true. Suspends: until done.
  /// Messages: 2, or 0 at this core.
  template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
  detail::IfBlocking<S, bool> visit(Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<V, F, Fields...> Body;
    return Base::is_yes(this->perform_body(&Visit<Body>::apply, key, Body::bytes(body, with)));
  }
  template <SyncMode S = SyncMode::Blocking, class F>
  detail::IfBlocking<S, bool> visit(Key key, F body) {
    return visit(key, payload(), body);
  }

  /// Asynchronous, as update<async>.
  template <SyncMode S, class F, class... Fields>
  detail::IfAsync<S> visit(Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<V, F, Fields...> Body;
    this->template start<Visit<Body>>(key, Body::bytes(body, with));
  }
  template <SyncMode S, class F>
  detail::IfAsync<S> visit(Key key, F body) {
    visit<S>(key, payload(), body);
  }

  /// Calls `body(key, V&)` for each entry at its owner, in one task on each core. The bodies may
  /// change values. From: task. Suspends: until done. Messages: those of on_all_cores.
  template <class F>
  void forall_entries(F body) {
    this->template start_loop<detail::LoopOptions<>>(body);
  }

  /// Replaces each value by `body(key, const V&)`, in one task on each core. From: task. Suspends:
  /// until done. Messages: those of on_all_cores.
  template <class F>
  void transform(F body) {
    detail::check_closure(body);
    forall_entries(unchecked(Transform<F>{body}));
  }

  /// Keeps the entries for which `keeps(key, value)` is true. Returns the number of removed
  /// entries. The map must not be used during the call. From: task. Suspends: until all cores have
  /// answered.
  template <class F>
  int64_t filter(F keeps) {
    detail::check_closure(keeps);
    return this->filter_slots([keeps](GlobalMap& self, size_t slot) {
      const Table::Pin during_call(&self.table());
      const char* const entry = self.table().entry(slot);
      return keeps(self.key_at(slot), Value::template load_for<F, 1>(self.table(), entry));
    });
  }

  /// Returns the k largest entries, or all if there are fewer, the largest first. less(a, b) is
  /// true if the std::pair<K, V> a is smaller than b. From: task. Suspends: until all cores have
  /// answered. Messages: those of gather().
  template <class Less>
  std::vector<Entry> top_k(int64_t k, Less less) {
    return detail::largest_of_all<Entry>(k, less, [this](detail::Largest<Entry, Less>* largest) {
      Entry entry;
      this->for_each_slot([&](size_t slot) {
        set_entry(&entry, slot);
        largest->add(entry);
      });
    });
  }

  GlobalMap(int64_t capacity_hint, Combining mode)  // for create()
      : Base(capacity_hint, mode), sums_(this, detail::partial_sums_option(), &this->async_done_) {}

 private:
  friend Base;
  typedef detail::ByteTable Table;
  typedef typename detail::KeyForm<K>::InBody KeyInBody;

  static Table& table_of(void* structure) {
    return static_cast<GlobalMap&>(Base::at(structure)).table();
  }

  // The arguments of an operation are the bytes of a function object, then of a value.

  static std::string bytes_of(const V& value) {
    std::string bytes;
    detail::ValueBytes<V>::append(&bytes, value);
    return bytes;
  }
  template <class Op>
  static std::string with_op(const Op& op, const V& more) {
    static_assert(detail::travels<Op>::value && sizeof(Op) <= detail::CombineKind<V>::kMostBytes &&
                      alignof(Op) <= 8,
                  "the operation of insert_or_combine is sent with each batch: it must be "
                  "trivially copyable, of at most 16 bytes and aligned to at most 8");
    static_assert(
        detail::is_callable<const Op, const V&, const V&>::value,
        "the operation of insert_or_combine takes two values and returns one: V op(V, V)");
    detail::check_closure(op);
    std::string bytes(reinterpret_cast<const char*>(&op), sizeof(Op));
    detail::ValueBytes<V>::append(&bytes, more);
    return bytes;
  }

  template <class Op>
  static V value_in(View<char> arguments) {
    return detail::ValueBytes<V>::read(
        View<char>(arguments.data() + sizeof(Op), arguments.size() - sizeof(Op)));
  }

  struct Assign : detail::WriteOperation {
    static void replace(std::string* value, View<char> later) {
      value->assign(later.data(), later.size());
    }
    static constexpr detail::MergedOperation::Merge merge() { return &replace; }
    static void apply(void* structure, const detail::HashedKey& key, View<char> value,
                      std::string* to) {
      bool is_new;
      Table& table = table_of(structure);
      char* const entry = table.find_or_insert(key.hash, key.bytes, &is_new);
      Value::store_bytes(&table, entry, value);
      Base::answer(is_new, to);
    }
  };

  template <class Op>
  struct Combine : detail::WriteOperation {
    enum : size_t { kEqualBytes = std::is_empty<Op>::value ? 0 : sizeof(Op) };
    static void combine(std::string* arguments, View<char> later) {
      const Op op = detail::copy_plain<Op>(later.data());
      const V sum = V(op(value_in<Op>(*arguments), value_in<Op>(later)));
      arguments->resize(sizeof(Op));
      detail::ValueBytes<V>::append(arguments, sum);
    }
    static constexpr detail::MergedOperation::Merge merge() { return &combine; }
    static void apply(void* structure, const detail::HashedKey& key, View<char> arguments,
                      std::string* to) {
      const Op op = detail::copy_plain<Op>(arguments.data());
      Base::answer(combine_in(&table_of(structure), key, value_in<Op>(arguments), op), to);
    }
  };

  /// Returns true if the key is new.
  template <class Op>
  static bool combine_in(Table* table, const detail::HashedKey& key, const V& more, const Op& op) {
    bool is_new;
    char* const entry = table->find_or_insert(key.hash, key.bytes, &is_new);
    Value::store(table, entry, is_new ? more : combined(table, entry, more, op));
    return is_new;
  }

  template <class Op>
  static V combined(Table* table, const char* entry, const V& more, const Op& op) {
    const Table::Pin during_call(table);
    return V(op(Value::load(*table, entry), more));
  }

  typedef typename detail::ByteSums<V>::Kind SumKind;

  template <class Op>
  static void send_sum(void* map, const typename detail::ByteSums<V>::Sum& sum,
                       const detail::CombineKind<V>& combine) {
    const detail::HashedKey key(sum.key.bytes(), sum.hash);
    const Core owner = Base::owner_of(detail::KeyForm<K>::read(key.bytes), sum.hash);
    static_cast<GlobalMap*>(map)->template start_at<Combine<Op>>(
        owner, key, with_op(detail::copy_plain<Op>(combine.state()), sum.value));
  }

  struct Read : detail::ReadOperation {
    static void apply(void* structure, const detail::HashedKey& key, View<char>, std::string* to) {
      Table& table = table_of(structure);
      const char* const entry = table.find(key.hash, key.bytes);
      if (entry == nullptr) return;
      const View<char> value = Value::stored_bytes(table, entry);
      to->append(value.data(), value.size());
      to->push_back('1');
    }
  };

  template <class Body>
  struct Update {
    static void apply(void* structure, const detail::HashedKey& key, View<char> arguments,
                      std::string* to) {
      Body body(arguments);
      bool is_new;
      Table& table = table_of(structure);
      char* entry = table.find_or_insert(key.hash, key.bytes, &is_new);
      if (is_new) {
        Value::construct(&table, entry);
        entry = table.find(key.hash, key.bytes);
      }
      typedef typename Body::Result R;
      Base::template Result<R>::append(
          [&table, entry, &body]() -> R { return Value::change(&table, entry, body); }, to);
    }
  };

  template <class Body>
  struct Visit {
    static void apply(void* structure, const detail::HashedKey& key, View<char> arguments,
                      std::string* to) {
      Body body(arguments);
      Table& table = table_of(structure);
      char* const entry = table.find(key.hash, key.bytes);
      if (entry != nullptr) Value::change(&table, entry, body);
      Base::answer(entry != nullptr, to);
    }
  };

  template <class F>
  struct Transform {
    F body;
    void operator()(KeyInBody key, V& value) { value = body(key, static_cast<const V&>(value)); }
  };

  template <class F>
  struct OfKey {
    typedef void Result;
    enum : bool { kChanges = true };
    const K& key;
    F* body;
    void operator()(V& value) const { (*body)(KeyInBody(key), value); }
  };

  /// A body that accepts a temporary value does not change values. The test does not use const V&,
  /// because a generic body that changes values cannot be instantiated for it.
  template <class F>
  typename std::enable_if<detail::is_callable<F, KeyInBody, V>::value>::type visit_slot(size_t slot,
                                                                                        F& body) {
    const Table::Pin during_call(&this->table());
    const char* const entry = this->table().entry(slot);
    body(this->key_at(slot), Value::template load_for<F, 1>(this->table(), entry));
  }
  template <class F>
  typename std::enable_if<!detail::is_callable<F, KeyInBody, V>::value>::type visit_slot(
      size_t slot, F& body) {
    // The stored value may move the key.
    K key;
    this->copy_key(slot, &key);
    const OfKey<F> of_key = {key, &body};
    Value::change(&this->table(), this->table().entry(slot), of_key);
  }

  void set_entry(Entry* entry, size_t slot) {
    this->copy_key(slot, &entry->first);
    entry->second = Value::load(this->table(), this->table().entry(slot));
  }

  detail::ByteSums<V> sums_;
};

}  // namespace Grappa
