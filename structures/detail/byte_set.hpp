#pragma once

/// A set of keys that differ in length, such as strings or vectors, distributed over all cores.
///
///     GlobalAddress<GlobalSet<std::string>> seen = GlobalSet<std::string>::create();
///     if (seen->insert("word")) { ... }   // new
///     seen->insert<async>(view);
///
/// detail/byte_structure.hpp documents create, destroy, contains, erase, size, empty, clear and
/// sync_all_cores, and the defaults of the contracts.

#include "structures/detail/byte_structure.hpp"
#include "structures/detail/hash_table.hpp"
#include "structures/detail/key_form.hpp"
#include "structures/detail/largest.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace Grappa {

/// A key has 0 to 1,048,576 bytes. Keys are equal if their bytes are equal. The memory is described
/// in detail/byte_table.hpp.
template <class K, class Hash, class Equal>
class GlobalSet<K, Hash, Equal, true>
    : public detail::ByteStructure<GlobalSet<K, Hash, Equal, true>, K, void, Hash, Equal> {
  typedef detail::ByteStructure<GlobalSet, K, void, Hash, Equal> Base;

 public:
  typedef typename Base::Key Key;

  /// Inserts a copy of the key. Returns true if the key is new. Suspends: until done.
  template <SyncMode S = SyncMode::Blocking>
  detail::IfBlocking<S, bool> insert(Key key) {
    return Base::is_yes(this->template perform<Insert>(key, View<char>()));
  }

  /// An asynchronous insert: the caller's scope waits. Suspends: in a task, while no message buffer
  /// is free. Messages: 1.
  template <SyncMode S>
  detail::IfAsync<S> insert(Key key) {
    this->template start<Insert>(key, View<char>());
  }

  /// Like insert<async>. If the key is new, `body(key)` runs at the owner, atomically with the
  /// insert. The body must not suspend: a suspension aborts the job. If several tasks insert a key,
  /// the body of one of them runs.
  template <SyncMode S, class F>
  detail::IfAsync<S> insert(Key key, F body) {
    static_assert(detail::is_callable<F, KeyInBody>::value,
                  "the body of insert<async>(key, body) takes a key");
    static_assert(detail::WireSafe<F>::value, "");
    detail::check_closure(body);
    this->template start<InsertAndCall<F>>(
        key, View<char>(reinterpret_cast<const char*>(&body), sizeof(F)));
  }

  bool lookup(Key key) { return this->contains(key); }

  /// Calls `body(key)` for each key at its owner, in one task on each core. From: task. Suspends:
  /// until done. Messages: those of on_all_cores.
  template <class F>
  void forall_keys(F body) {
    this->template start_loop<detail::LoopOptions<>>(body);
  }

  /// Keeps the keys for which `keeps(key)` is true. Returns the number of removed keys. The set
  /// must not be used during the call. From: task. Suspends: until all cores have answered.
  template <class F>
  int64_t filter(F keeps) {
    detail::check_closure(keeps);
    return this->filter_slots([keeps](GlobalSet& self, size_t slot) {
      const detail::ByteTable::Pin during_call(&self.table());
      return keeps(self.key_at(slot));
    });
  }

  /// Returns the k largest keys, or all if there are fewer, the largest first. less(a, b) compares
  /// two keys of type K, which must be default-constructible, and must not suspend. From: task.
  /// Suspends: until all cores have answered. Messages: those of gather().
  template <class Less>
  std::vector<K> top_k(int64_t k, Less less) {
    return detail::largest_of_all<K>(k, less, [this](detail::Largest<K, Less>* largest) {
      K key;
      this->for_each_slot([&](size_t slot) {
        this->copy_key(slot, &key);
        largest->add(key);
      });
    });
  }

  GlobalSet(int64_t capacity_hint, Combining mode) : Base(capacity_hint, mode) {}  // for create()

 private:
  friend Base;
  typedef typename detail::KeyForm<K>::InBody KeyInBody;

  template <class F>
  void visit_slot(size_t slot, F& body) {
    static_assert(detail::is_callable<F, KeyInBody>::value,
                  "the body of a loop over a set takes a key");
    const detail::ByteTable::Pin during_call(&this->table());
    body(this->key_at(slot));
  }

  /// Inserts a key. Returns true if the key is new.
  static bool insert_at(void* structure, const detail::HashedKey& key) {
    bool is_new;
    table_of(structure).find_or_insert(key.hash, key.bytes, &is_new);
    return is_new;
  }

  static detail::ByteTable& table_of(void* structure) {
    return static_cast<GlobalSet&>(Base::at(structure)).table();
  }

  struct Insert : detail::WriteOperation {
    static void apply(void* structure, const detail::HashedKey& key, View<char>, std::string* to) {
      Base::answer(insert_at(structure, key), to);
    }
  };

  template <class F>
  struct InsertAndCall {
    static void apply(void* structure, const detail::HashedKey& key, View<char> arguments,
                      std::string*) {
      if (!insert_at(structure, key)) return;
      F body = detail::copy_plain<F>(arguments.data());
      const detail::ByteTable::Pin during_call(&table_of(structure));
      body(detail::KeyForm<K>::read(key.bytes));
    }
  };
};

}  // namespace Grappa
