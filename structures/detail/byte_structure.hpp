#pragma once

/// The operations of global sets and maps whose keys or values differ in length: strings, vectors
/// and types with a Serialize. Each core has the entries of its keys in a ByteTable.
///
/// Blocking operations of one core's tasks are combined (byte_proxy.hpp), unless they run a body of
/// the program. Bodies and async operations are sent in delegates of their own. Unless documented
/// otherwise: From: task or handler. Messages: 2 for each commit and owner. On several locales, the
/// keys of other locales take 2 for each gatherer, which sends 2 to each owner for the batches that
/// it has merged. None if this core is the owner. An operation on a key of this core may return
/// without suspending.
///
/// Bodies run on an entry in place, so they must not suspend, and must not change the structure by
/// a blocking call: both abort the job. Async calls of a body take effect after the body. Async
/// operations of one task on one key may take effect in any order.

#include "structures/combining.hpp"
#include "structures/detail/byte_forms.hpp"
#include "structures/detail/byte_proxy.hpp"
#include "structures/detail/byte_table.hpp"
#include "structures/detail/entry_body.hpp"
#include "structures/detail/hash_table.hpp"
#include "structures/detail/key_form.hpp"
#include "structures/detail/owner_table.hpp"
#include "structures/flat_combiner.hpp"
#include "system/base/check.hpp"
#include "system/global/delegate.hpp"
#include "system/global/local_access.hpp"
#include "system/global/payload.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

namespace Grappa { namespace detail {

/// Structure is derived from this class. V is void for a set.
template <class Structure, class K, class V, class Hash, class Equal>
class ByteStructure {
  static_assert(std::is_same<Equal, std::equal_to<K>>::value,
                "the keys of a global set or map with entries of variable length are compared "
                "byte by byte, so Equal must be std::equal_to");

 public:
  typedef K key_type;
  /// StringView for std::string, and View<T> for a std::vector<T> that is copied as bytes.
  typedef typename KeyForm<K>::Argument Key;

  /// Creates an empty structure with an index for `capacity_hint` keys on all cores together. The
  /// memory grows as needed. From: task. Suspends: until all cores have created their parts.
  static GlobalAddress<Structure> create(int64_t capacity_hint = 0,
                                         Combining mode = default_combining()) {
    GRAPPA_CHECK(capacity_hint >= 0)
        << "invalid capacity hint of " << capacity_hint << " keys, expected 0 or more";
    return symmetric<Structure>(capacity_hint, mode);
  }

  /// Destroys the structure. From: task, once, after all operations. Suspends: until done.
  void destroy() { global_free(make_global(static_cast<Structure*>(this), 0)); }

  /// Returns true if the key is present. Suspends: until the answer arrives.
  bool contains(Key key) { return is_yes(perform<Find>(key, View<char>())); }

  /// Removes the key. Returns true if the key was present. Suspends: until done.
  bool erase(Key key) { return is_yes(perform<Remove>(key, View<char>())); }

  /// The number of keys, exact without concurrent changes. From: task. Suspends: until done.
  int64_t size() const {
    return sum_all_cores([this] { return static_cast<int64_t>(table_.size()); });
  }
  bool empty() const { return size() == 0; }

  /// The memory of the entries and indexes of all cores, in bytes. From: task. Suspends: until
  /// all cores have answered.
  int64_t memory_bytes() const {
    return sum_all_cores([this] { return static_cast<int64_t>(table_.memory_bytes()); });
  }

  /// Removes all keys. The structure must not be used during the call. From: task. Suspends: until
  /// all cores have answered.
  void clear() {
    call_on_all_cores([this] { table_.clear(); });
  }

  /// Waits for all async operations on this structure that any core started before the call. From:
  /// task. Suspends: until they have completed. Messages: those of two or more reductions.
  void sync_all_cores() const {
    // As in HashTable::sync_all_cores.
    for (;;) {
      const uint64_t done = sum_all_cores([this] { return async_done_; });
      if (sum_all_cores([this] { return async_started_; }) == done) return;
      yield();
    }
  }

  Combining combining() const { return mode_; }

  typedef Structure Looped;  // for forall()

  /// Runs the loop over the entries with the template arguments of all loops. Structure has
  /// `visit_slot(slot, body)`.
  template <class Options, class F>
  void start_loop(const F& body) {
    check_closure(body);
    const auto part = [this, body] {
      F here = body;
      for_each_slot(
          [this, &here](size_t slot) { static_cast<Structure*>(this)->visit_slot(slot, here); });
    };
    LoopStart<Options>::blocking_or_async([part] { start_on_cores(mycore(), cores(), part); });
  }

 protected:
  typedef ValueForm<V> Value;

  ByteStructure(int64_t capacity_hint, Combining mode, size_t value_bytes = Value::kBytes)
      : mode_(mode),
        table_(value_bytes),
        gatherer_(static_cast<void*>(this), &table_, ByteProxy::Spare(), kGatheredRequests,
                  static_cast<FlatCombiner<ByteProxy>*>(nullptr)),
        combiner_(static_cast<void*>(this), &table_, ByteProxy::Spare(),
                  gathers_requests(mode) ? kGatheredRequests : kProxyRequests,
                  gathers_requests(mode) ? &gatherer_ : nullptr) {
    if (capacity_hint == 0) return;
    table_.reserve(div_up(static_cast<uint64_t>(capacity_hint), static_cast<uint64_t>(cores())));
  }

  ByteTable& table() { return table_; }
  const ByteTable& table() const { return table_; }

  typename KeyForm<K>::Stored key_at(size_t slot) const {
    return KeyForm<K>::read(table_.key_of(table_.entry(slot)));
  }

  /// Copies a key for the time when its entry may move.
  void copy_key(size_t slot, std::string* key) const {
    const View<char> bytes = table_.key_of(table_.entry(slot));
    key->assign(bytes.data(), bytes.size());
  }
  template <class Other>
  void copy_key(size_t slot, Other* key) const {
    *key = key_at(slot);
  }

  static Core owner_of(Key key, uint64_t bytes_hash) {
    return owner_of_hash(OwnerHash<K, Hash>::of(key, bytes_hash));
  }

  static ByteStructure& at(void* structure) { return *static_cast<ByteStructure*>(structure); }

  /// Performs the operation at the owner of the key, and returns its answer. `Operation` is derived
  /// from ReadOperation or WriteOperation.
  template <class Operation>
  std::string perform(Key key, View<char> arguments) {
    const KeyForm<K> form(key);
    const HashedKey hashed(form.bytes());
    return perform_at(owner_of(key, hashed.hash), &MergedAs<Operation>::value, hashed, arguments);
  }

  /// Performs an operation that runs a body of the program. It is not part of a batch, because the
  /// work that the body starts belongs to the scope of this call.
  std::string perform_body(ByteOperation operation, Key key, View<char> arguments) {
    const KeyForm<K> form(key);
    const HashedKey hashed(form.bytes());
    const Core owner = owner_of(key, hashed.hash);
    if (owner == mycore()) return perform_here(operation, hashed, arguments);
    return perform_alone(owner, operation, hashed, arguments);
  }

  /// Starts an operation whose answer is not needed. `Operation::apply` is a ByteOperation.
  template <class Operation>
  void start(Key key, View<char> arguments) {
    ++async_started_;
    const KeyForm<K> form(key);
    const HashedKey hashed(form.bytes());
    start_at<Operation>(owner_of(key, hashed.hash), hashed, arguments);
  }

  /// Returns true if an async operation should be executed at once. Otherwise a message to the
  /// owner, which may be this core, executes it. Messages prefetch the slots and entries of their
  /// keys, so they are faster if the table does not fit into the cache.
  bool is_here(Core owner, uint64_t hash) {
    // In a body, the table of this core must not change.
    if (owner != mycore() || mode_ == Combining::None || table_.is_pinned()) return false;
    if (local_access_.overlaps()) return false;
    if (!local_access_.plain()) local_access_.sample(table_.place(hash));
    return true;
  }

  /// Starts an operation that is in async_started_.
  template <class Operation>
  void start_at(Core owner, const HashedKey& key, View<char> arguments) {
    if (is_here(owner, key.hash)) return Started<Operation>{this}(key.hash, key.bytes, arguments);
    delegate::call<async>(owner, payload(key.hash, key.bytes, arguments),
                          unchecked(Started<Operation>{this}));
  }

  /// Calls `visit(slot)` for each entry of this core. Aborts if the structure changes meanwhile.
  /// Suspends: if a network poll is due.
  template <class Visit>
  void for_each_slot(const Visit& visit) {
    const uint64_t changes = table_.changes();
    int64_t n = 0;
    for (size_t slot = table_.next(0); slot != table_.end(); slot = table_.next(slot + 1)) {
      {
        const MustNotSuspend during_visit;
        visit(slot);
      }
      if (++n % kEntriesPerLook == 0) yield_if_due();
      GRAPPA_CHECK(changes == table_.changes())
          << "a global set or map was changed while a loop over it was running: collect the "
             "changes, and make them after the loop";
    }
  }

  /// Removes the entries for which `keeps(slot)` is false. Returns their number, of all cores.
  template <class Keeps>
  int64_t filter_slots(const Keeps& keeps) {
    return sum_all_cores([this, keeps]() -> int64_t {
      const MustNotSuspend until_return;
      const size_t before = table_.size();
      // An erase moves the next entry to the same slot.
      for (size_t slot = table_.next(0); slot != table_.end();) {
        if (keeps(static_cast<Structure&>(*this), slot)) {
          slot = table_.next(slot + 1);
          continue;
        }
        const std::string key = table_.key_of(table_.entry(slot)).copy();
        table_.erase(hash_bytes(key), key);
        slot = table_.next(slot);
      }
      return static_cast<int64_t>(before - table_.size());
    });
  }

  /// The result of a body as an answer. `call()` runs the body.
  template <class R, class = void>
  struct Result {
    static R from(std::string&& answer) { return read_from<R>(&answer); }
    template <class Call>
    static void append(const Call& call, std::string* to) {
      ValueBytes<R>::append(to, call());
    }
  };
  template <class Unused>
  struct Result<void, Unused> {
    static void from(std::string&&) {}
    template <class Call>
    static void append(const Call& call, std::string*) {
      call();
    }
  };

  static void answer(bool yes, std::string* to) { to->push_back(yes ? '1' : '0'); }
  static bool is_yes(const std::string& answer) { return answer.front() == '1'; }

  uint64_t async_started_ = 0;  // async operations that this core has started
  uint64_t async_done_ = 0;     // async operations that have completed on this core
  const Combining mode_;

 private:
  enum : Core { kMaster = 0 };
  enum : int64_t { kEntriesPerLook = 256 };

  struct Find : ReadOperation {
    static void apply(void* structure, const HashedKey& key, View<char>, std::string* to) {
      answer(at(structure).table_.find(key.hash, key.bytes) != nullptr, to);
    }
  };
  struct Remove : WriteOperation {
    static void apply(void* structure, const HashedKey& key, View<char>, std::string* to) {
      answer(at(structure).table_.erase(key.hash, key.bytes), to);
    }
  };

  std::string perform_at(Core owner, const MergedOperation* operation, const HashedKey& key,
                         View<char> arguments) {
    if (mode_ == Combining::Centralized && mycore() != kMaster) {
      ++structure_counters::master_messages;
      return delegate::call(kMaster, payload(key.hash, key.bytes, arguments),
                            unchecked(AtMaster{this, operation, owner}));
    }
    if (mode_ == Combining::None) return perform_alone(owner, operation->apply, key, arguments);
    if (owner == mycore()) return perform_here(operation->apply, key, arguments);
    return combiner_->perform(owner, operation, key, arguments);
  }

  std::string perform_here(ByteOperation operation, const HashedKey& key, View<char> arguments) {
    ++structure_counters::local;
    return AtOwner{this, operation}(key.hash, key.bytes, arguments);
  }

  std::string perform_alone(Core owner, ByteOperation operation, const HashedKey& key,
                            View<char> arguments) {
    return delegate::call(owner, payload(key.hash, key.bytes, arguments),
                          unchecked(AtOwner{this, operation}));
  }

  struct AtOwner {
    ByteStructure* self;
    ByteOperation operation;
    std::string operator()(uint64_t hash, View<char> key, View<char> arguments) const {
      const MustNotSuspend until_return;
      std::string answer;
      charge_ns(kByteOperationNs);
      operation(self, HashedKey(key, hash), arguments, &answer);
      return answer;
    }
  };

  /// The master combines the operations of all cores. The body takes strings, so it may suspend.
  struct AtMaster {
    ByteStructure* self;
    const MergedOperation* operation;
    Core owner;
    std::string operator()(uint64_t hash, const std::string& key,
                           const std::string& arguments) const {
      return self->perform_at(owner, operation, HashedKey(key, hash), arguments);
    }
  };

  template <class Operation>
  struct Started {
    ByteStructure* self;
    void operator()(uint64_t hash, View<char> key, View<char> arguments) const {
      const MustNotSuspend until_return;
      std::string unused;
      charge_ns(kByteOperationNs);
      Operation::apply(self, HashedKey(key, hash), arguments, &unused);
      ++self->async_done_;
    }
    void prefetch(const void* fields, size_t, int stage) const {
      const uint64_t hash = copy_plain<uint64_t>(fields);  // the first field
      if (stage == 0) {
        self->table_.prefetch_slot(hash);
      } else {
        self->table_.prefetch_entry(hash);
      }
    }
  };

  LocalAccess local_access_;  // to the entries of this core
  ByteTable table_;
  FlatCombiner<ByteProxy> gatherer_;  // of requests of this core's neighbours
  FlatCombiner<ByteProxy> combiner_;
};

}}  // namespace Grappa::detail
