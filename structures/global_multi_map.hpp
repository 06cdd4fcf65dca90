#pragma once

/// A map from each key to a list of values, distributed over all cores.
///
///     GlobalAddress<GlobalMultiMap<std::string, int64_t>> lines =
///         GlobalMultiMap<std::string, int64_t>::create();
///     lines->insert<async>(word, number);
///     for (const int64_t number : lines->values(word)) { ... }
///
/// K and V have a Serialize (message/serialize.hpp), such as integers, strings and vectors, and are
/// default-constructible. V is not an empty type. A key has 0 to 1,048,576 bytes, and the list of a
/// key at most 4,294,967,295 bytes. Keys are equal if their bytes are equal. The values of a key
/// lie one after another at the owner of the key, in the order of their inserts, with 4 bytes more
/// for each value of variable length. detail/byte_table.hpp describes the memory. An insert takes a
/// time in proportion to its value, averaged over many inserts.
///
/// A multimap is linearizable (combining.hpp): the operations of one key take effect one after
/// another. detail/byte_structure.hpp documents create, destroy, contains, erase (of a key with all
/// of its values), clear and sync_all_cores, how operations are combined, and the defaults of the
/// contracts.

#include "structures/detail/byte_forms.hpp"
#include "structures/detail/byte_structure.hpp"
#include "structures/detail/largest.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa {

template <class K, class V, class Hash = std::hash<K>>
class GlobalMultiMap : public detail::ByteStructure<GlobalMultiMap<K, V, Hash>, K, std::vector<V>,
                                                    Hash, std::equal_to<K>> {
  typedef detail::ByteStructure<GlobalMultiMap, K, std::vector<V>, Hash, std::equal_to<K>> Base;
  typedef typename Base::Value Value;
  typedef detail::ByteTable Table;
  typedef detail::ListBytes<V> List;
  static_assert(detail::CanSerialize<V>::value && !detail::HoldsView<V>::value,
                "the values of a global multimap must have a Serialize, and hold no views: "
                "specialise Grappa::Serialize for the type");

 public:
  typedef V mapped_type;
  typedef typename Base::Key Key;

  /// Appends a value to the list of the key. Returns true if the key is new. Suspends: until done.
  template <SyncMode S = SyncMode::Blocking>
  detail::IfBlocking<S, bool> insert(Key key, const V& value) {
    return Base::is_yes(this->template perform<Append>(key, bytes_of(value)));
  }

  /// Asynchronous: the caller's scope waits. The order of two async inserts is not defined.
  /// Suspends: in a task, while no message buffer is free. Messages: 1.
  template <SyncMode S>
  detail::IfAsync<S> insert(Key key, const V& value) {
    this->template start<Append>(key, bytes_of(value));
  }

  /// Returns a copy of the values of the key, which are none if the key is absent. Suspends: until
  /// the answer arrives.
  std::vector<V> values(Key key) {
    return detail::ValueBytes<std::vector<V>>::read(
        this->template perform<Read>(key, View<char>()));
  }

  /// The number of values of the key. Suspends: until the answer arrives.
  int64_t count(Key key) {
    return detail::copy_plain<int64_t>(this->template perform<Count>(key, View<char>()).data());
  }

  /// Runs `body(std::vector<V>&, fields...)` on a copy of the list at the owner, with the fields of
  /// `with`. Stores the list, and returns the result of the body. The list is empty if the key is
  /// absent; a key whose list is empty afterwards is absent. The body is atomic on its key, and
  /// must not suspend: a suspension aborts the job. Suspends: until done. Messages: 2, or 0 at this
  /// core.
  template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
  detail::IfBlocking<S, typename detail::EntryResult<std::vector<V>, F, Fields...>::type> update(
      Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<std::vector<V>, F, Fields...> Body;
    return Base::template Result<typename Body::Result>::from(
        this->perform_body(&Update<Body>::apply, key, Body::bytes(body, with)));
  }
  template <SyncMode S = SyncMode::Blocking, class F>
  detail::IfBlocking<S, typename detail::EntryResult<std::vector<V>, F>::type> update(Key key,
                                                                                      F body) {
    return update(key, payload(), body);
  }

  /// Asynchronous: the caller's scope waits. Discards the result. Suspends: in a task, while no
  /// message buffer is free. Messages: 1.
  template <SyncMode S, class F, class... Fields>
  detail::IfAsync<S> update(Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<std::vector<V>, F, Fields...> Body;
    this->template start<Update<Body>>(key, Body::bytes(body, with));
  }
  template <SyncMode S, class F>
  detail::IfAsync<S> update(Key key, F body) {
    update<S>(key, payload(), body);
  }

  /// If the key is present, runs `body` as update() does, and returns true. Otherwise returns
  /// false. Suspends: until done. Messages: 2, or 0 at this core.
  template <SyncMode S = SyncMode::Blocking, class F, class... Fields>
  detail::IfBlocking<S, bool> visit(Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<std::vector<V>, F, Fields...> Body;
    return Base::is_yes(this->perform_body(&Visit<Body>::apply, key, Body::bytes(body, with)));
  }
  template <SyncMode S = SyncMode::Blocking, class F>
  detail::IfBlocking<S, bool> visit(Key key, F body) {
    return visit(key, payload(), body);
  }

  /// Asynchronous, as update<async>.
  template <SyncMode S, class F, class... Fields>
  detail::IfAsync<S> visit(Key key, const Payload<Fields...>& with, F body) {
    typedef detail::EntryBody<std::vector<V>, F, Fields...> Body;
    this->template start<Visit<Body>>(key, Body::bytes(body, with));
  }
  template <SyncMode S, class F>
  detail::IfAsync<S> visit(Key key, F body) {
    visit<S>(key, payload(), body);
  }

  /// The number of values of all keys, exact without concurrent changes. Takes a time in proportion
  /// to the number of keys of a core, and to their values if these have a variable length. From:
  /// task. Suspends: until all cores have answered.
  int64_t size() const {
    return sum_all_cores([this] {
      int64_t n = 0;
      const Table& table = this->table();
      for (size_t slot = table.next(0); slot < table.end(); slot = table.next(slot + 1)) {
        n += List::count(list_at(slot));
        if (slot % kSlotsPerLook == 0) detail::yield_if_due();
      }
      return n;
    });
  }

  /// The number of keys that have values, exact without concurrent changes. From: task. Suspends:
  /// until all cores have answered.
  int64_t keys() const { return this->Base::size(); }

  /// Calls `body(key, value)` for each value at its owner, in one task on each core. From: task.
  /// Suspends: until done. Messages: those of on_all_cores.
  template <class F>
  void forall_entries(F body) {
    this->template start_loop<detail::LoopOptions<>>(body);
  }

  /// Calls `body(key, const std::vector<V>& values)` for each key at its owner, in one task on each
  /// core. From: task. Suspends: until done. Messages: those of on_all_cores.
  template <class F>
  void forall_keys(F body) {
    detail::check_closure(body);
    on_all_cores(unchecked([this, body]() mutable {
      this->for_each_slot([this, &body](size_t slot) {
        const Table::Pin during_call(&this->table());
        const std::vector<V> values = detail::ValueBytes<std::vector<V>>::read(list_at(slot));
        body(this->key_at(slot), values);
      });
    }));
  }

  /// Replaces each value by `body(key, const V&)`, in one task on each core. From: task. Suspends:
  /// until done. Messages: those of on_all_cores.
  template <class F>
  void transform(F body) {
    detail::check_closure(body);
    on_all_cores(unchecked([this, body]() mutable {
      this->for_each_slot([this, &body](size_t slot) {
        std::vector<V> values = detail::ValueBytes<std::vector<V>>::read(list_at(slot));
        {
          const Table::Pin during_calls(&this->table());
          const auto& key = this->key_at(slot);
          for (size_t i = 0; i < values.size(); ++i) {
            const V value = values[i];
            values[i] = body(key, value);
          }
        }
        Value::store(&this->table(), this->table().entry(slot), values);
      });
    }));
  }

  /// Returns the k largest keys with their values, or all if there are fewer, the largest first.
  /// less(a, b) is true if the std::pair<K, std::vector<V>> a is smaller than b. `less` must not
  /// suspend. From: task. Suspends: until all cores have answered. Messages: those of gather().
  template <class Less>
  std::vector<std::pair<K, std::vector<V>>> top_k(int64_t k, Less less) {
    typedef std::pair<K, std::vector<V>> Entry;
    return detail::largest_of_all<Entry>(k, less, [this](detail::Largest<Entry, Less>* largest) {
      Entry entry;
      this->for_each_slot([&](size_t slot) {
        this->copy_key(slot, &entry.first);
        entry.second = detail::ValueBytes<std::vector<V>>::read(list_at(slot));
        largest->add(entry);
      });
    });
  }

  /// Keeps the keys, with all their values, for which `keeps(key, const std::vector<V>& values)` is
  /// true. Returns the number of removed keys. The multimap must not be used during the call. From:
  /// task. Suspends: until all cores have answered.
  template <class F>
  int64_t filter(F keeps) {
    detail::check_closure(keeps);
    return this->filter_slots([keeps](GlobalMultiMap& self, size_t slot) {
      const Table::Pin during_call(&self.table());
      const std::vector<V> values = detail::ValueBytes<std::vector<V>>::read(self.list_at(slot));
      return keeps(self.key_at(slot), values);
    });
  }

  GlobalMultiMap(int64_t capacity_hint, Combining mode)  // for create()
      : Base(capacity_hint, mode, Table::kGrowing) {}

 private:
  friend Base;

  template <class F>
  void visit_slot(size_t slot, F& body) {
    const Table::Pin during_calls(&this->table());
    List::for_each_bytes(list_at(slot), [this, &body, slot](View<char> bytes) {
      body(this->key_at(slot), detail::ValueBytes<V>::read(bytes));
    });
  }

  enum : size_t { kSlotsPerLook = 256 };

  static Table& table_of(void* structure) {
    return static_cast<GlobalMultiMap&>(Base::at(structure)).table();
  }

  View<char> list_at(size_t slot) const {
    return this->table().value_of(this->table().entry(slot));
  }

  static std::string bytes_of(const V& value) {
    std::string bytes;
    List::append(&bytes, value);
    return bytes;
  }

  struct Append : detail::WriteOperation {
    static void append(std::string* values, View<char> later) {
      values->append(later.data(), later.size());
    }
    static constexpr detail::MergedOperation::Merge merge() { return &append; }
    static void apply(void* structure, const detail::HashedKey& key, View<char> value,
                      std::string* to) {
      bool is_new;
      Table& table = table_of(structure);
      char* const entry = table.find_or_insert(key.hash, key.bytes, &is_new);
      table.append_value(entry, value);
      Base::answer(is_new, to);
    }
  };

  struct Read : detail::ReadOperation {
    static void apply(void* structure, const detail::HashedKey& key, View<char>, std::string* to) {
      const Table& table = table_of(structure);
      const char* const entry = table.find(key.hash, key.bytes);
      if (entry == nullptr) return;
      const View<char> list = table.value_of(entry);
      to->append(list.data(), list.size());
    }
  };

  struct Count : detail::ReadOperation {
    static void apply(void* structure, const detail::HashedKey& key, View<char>, std::string* to) {
      const Table& table = table_of(structure);
      const char* const entry = table.find(key.hash, key.bytes);
      const int64_t n = entry == nullptr ? 0 : List::count(table.value_of(entry));
      to->append(reinterpret_cast<const char*>(&n), sizeof n);
    }
  };

  /// Runs the body on the list of a key, and stores the list. `entry` is null if the key is absent.
  template <class Call>
  static void change(Table* table, const detail::HashedKey& key, char* entry, Call&& call) {
    std::vector<V> values;
    if (entry != nullptr) values = Value::load(*table, entry);
    {
      const Table::Pin during_call(table);
      call(values);
    }
    if (values.empty()) {
      if (entry != nullptr) table->erase(key.hash, key.bytes);
      return;
    }
    bool is_new;
    if (entry == nullptr) entry = table->find_or_insert(key.hash, key.bytes, &is_new);
    Value::store(table, entry, values);
  }

  template <class Body>
  struct Update {
    static void apply(void* structure, const detail::HashedKey& key, View<char> arguments,
                      std::string* to) {
      typedef typename Body::Result R;
      Body body(arguments);
      Table& table = table_of(structure);
      change(&table, key, table.find(key.hash, key.bytes), [&body, to](std::vector<V>& values) {
        Base::template Result<R>::append([&body, &values]() -> R { return body(values); }, to);
      });
    }
  };

  template <class Body>
  struct Visit {
    static void apply(void* structure, const detail::HashedKey& key, View<char> arguments,
                      std::string* to) {
      Body body(arguments);
      Table& table = table_of(structure);
      char* const entry = table.find(key.hash, key.bytes);
      if (entry != nullptr) change(&table, key, entry, body);
      Base::answer(entry != nullptr, to);
    }
  };
};

}  // namespace Grappa
