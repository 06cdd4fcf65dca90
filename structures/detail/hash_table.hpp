#pragma once

/// The base of GlobalSet and GlobalMap. The hash of a key determines the owner of the key. Only the
/// owner accesses the cell of the key, in handlers and tasks that do not suspend meanwhile, so each
/// operation takes effect at one moment without a lock. Unless a function documents otherwise:
/// Messages: 2 for each batch and each other core that owns keys of the batch, or on several
/// locales those of gatherers (table_proxy.hpp); none for a key of the same core. In mode none: 2
/// for each operation. In mode centralized: 2 more for each operation of another core than the
/// master.
///
/// An operation on a key of the same core accesses the table directly, without the proxy, unless
/// the table is slow: the batch of a proxy prefetches the cells of its keys.

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "structures/detail/known_keys.hpp"
#include "structures/detail/table_proxy.hpp"
#include "system/base/check.hpp"
#include "system/global/delegate.hpp"
#include "system/global/payload.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/symmetric.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace Grappa { namespace detail {

template <SyncMode S, class R>
using IfBlocking = typename std::enable_if<S == SyncMode::Blocking, R>::type;

struct EqualityOperator {
  template <class K>
  auto operator()(const K& a, const K& b) const -> decltype(a == b);
};

/// True if Equal can compare keys. For std::equal_to, the operator== of the keys is checked.
template <class K, class Equal>
struct Compares : is_callable<const Equal, const K&, const K&> {};
template <class K>
struct Compares<K, std::equal_to<K>> : is_callable<const EqualityOperator, const K&, const K&> {};

/// The compile-time check of a key type.
template <class K, class Hash, class Equal>
struct CanBeKey {
  static_assert(IsElement<K>::value, "");
  static_assert(is_callable<const Hash, const K&>::value,
                "this hash cannot be called with a key: give GlobalSet<K, Hash> or "
                "GlobalMap<K, V, Hash> a struct with size_t operator()(const K&) const");
  static_assert(std::is_empty<Hash>::value && std::is_default_constructible<Hash>::value,
                "the hash of a global set or map must be a function object without state, since "
                "every core creates its own: a struct with size_t operator()(const K&) const");
  static_assert(Compares<K, Equal>::value,
                "keys cannot be compared: define operator== for them, or pass an Equal with "
                "bool operator()(const K&, const K&) const");
  static_assert(
      std::is_empty<Equal>::value && std::is_default_constructible<Equal>::value,
      "the equality of a global set or map must be a function object without state, since "
      "every core creates its own: a struct with bool operator()(const K&, const K&) const");
  static constexpr bool value = true;
};

/// The operations of sets and maps. Structure is derived from this class. V is void for a set.
template <class Structure, class K, class V, class Hash, class Equal>
class HashTable {
  typedef detail::Cells<K, V> Cells;
  typedef detail::TableProxy<K, V, Hash, Equal> TableProxy;
  typedef FlatCombiner<TableProxy> Gatherer;

 public:
  typedef K key_type;
  typedef Structure Looped;

  /// Creates an empty structure with memory for `capacity_hint` keys on all cores together. The
  /// memory grows as needed. From: task. Suspends: until all cores have created their parts.
  static GlobalAddress<Structure> create(int64_t capacity_hint = 0,
                                         Combining mode = default_combining()) {
    GRAPPA_CHECK(capacity_hint >= 0)
        << "invalid capacity hint of " << capacity_hint << " keys, expected 0 or more";
    return symmetric<Structure>(capacity_hint, mode);
  }

  /// Destroys the structure. From: task, once, after all operations. Suspends: until done.
  void destroy() { global_free(make_global(static_cast<Structure*>(this), 0)); }

  /// Removes the key. Returns true if the key was present. Suspends: until done. Messages: 2; for a
  /// set, if a core may have cached the key, also 4 for each other core and 2.
  bool erase(const K& key) {
    const Erased first = delegate::call(owner(key), unchecked(Erase{key, false}));
    if (first != Erased::MayBeCached) return first == Erased::Yes;
    ++structure_counters::announced;
    call_on_each_core(unchecked([this, key] { part_.known.block(key); }));
    const Erased erased = delegate::call(owner(key), unchecked(Erase{key, true}));
    call_on_each_core(unchecked([this, key] { part_.known.unblock(key); }));
    return erased == Erased::Yes;
  }

  /// The number of keys, exact without concurrent changes. From: task. Suspends: until done.
  int64_t size() const {
    return sum_all_cores([this] { return static_cast<int64_t>(part_.table.size()); });
  }
  bool empty() const { return size() == 0; }

  /// Removes all keys, but keeps the memory. The structure must not be used during the call.
  /// From: task. Suspends: until all cores have answered.
  void clear() {
    call_on_all_cores([this] {
      part_.table.clear();
      part_.known.clear();
    });
  }

  /// Waits for all async operations on this structure that any core started before the call. If
  /// cores always start new operations, the call does not return. From: task. Suspends: until the
  /// operations have completed. Messages: the messages of two or more reductions.
  void sync_all_cores() const {
    // If the sums are equal, at some moment between them no operation was in progress (F. Mattern,
    // "Algorithms for distributed termination detection", Distributed Computing 2, 1987).
    for (;;) {
      const uint64_t done = sum_all_cores([this] { return async_done_; });
      if (sum_all_cores([this] { return async_started_; }) == done) return;
      yield();
    }
  }

  Combining combining() const { return mode_; }

  /// Runs forall_keys or forall_entries with the template arguments of all loops, for forall().
  template <class Options, class F>
  void start_loop(const F& body) {
    check_closure(body);
    const auto part = [this, body] {
      const auto n = static_cast<int64_t>(part_.table.size());
      LocalLoop<CellLoop<F>>::run(n, loop_chunk(n, Options::threshold()), {body, this, n, 0});
    };
    LoopStart<Options>::blocking_or_async([part] { start_on_cores(mycore(), cores(), part); });
  }

 protected:
  typedef typename Cells::Kind Kind;
  typedef typename Cells::Write Write;

  HashTable(int64_t capacity_hint, Combining mode)
      : mode_(mode),
        part_{{}, KnownKeys<K, Hash, Equal>(caches() ? known_keys_option() : 0)},
        gatherer_(&part_, typename TableProxy::Spare(), kGatheredRequests,
                  static_cast<Gatherer*>(nullptr)),
        combiner_(&part_, typename TableProxy::Spare(),
                  gathers_requests(mode) ? kGatheredRequests : kProxyRequests,
                  gathers_requests(mode) ? &gatherer_ : nullptr) {
    if (capacity_hint == 0) return;
    part_.table.reserve(
        div_up(static_cast<uint64_t>(capacity_hint), static_cast<uint64_t>(cores())));
  }

  typedef typename Cells::Entry Cell;

  /// Calls `visit(cell)` for each cell of this core. `visit` must not suspend or change the table.
  template <class Visit>
  void for_each_cell(const Visit& visit) {
    const MustNotSuspend until_return;
    auto& cells = part_.table;
    for (size_t i = cells.occupied_from(0); i != cells.end(); i = cells.occupied_from(i + 1)) {
      visit(*cells.at(i));
    }
  }

  /// Removes the cells for which `keeps(cell)` is false. Returns their number, of all cores.
  template <class Keeps>
  int64_t filter_cells(const Keeps& keeps) {
    return sum_all_cores([this, keeps]() -> int64_t {
      const MustNotSuspend until_return;
      part_.known.clear();
      return static_cast<int64_t>(part_.table.filter(keeps));
    });
  }

  OwnerTable<K, V, Hash, Equal>& table() { return part_.table; }
  const OwnerTable<K, V, Hash, Equal>& table() const { return part_.table; }

  static Core core_of(const K& key) { return owner_of_hash(KeyHash<K, Hash>()(key)); }
  GlobalAddress<HashTable> on(Core core) { return make_global(this, core); }
  GlobalAddress<HashTable> owner(const K& key) { return on(core_of(key)); }

  /// Performs the write `at`. Returns true if the key is new.
  template <class At>
  bool write(const At& at) {
    const K& key = at.what.key;
    if (is_for_master()) {
      return delegate::call(counted_master(),
                            unchecked([at](HashTable& self) { return self.write(at); }));
    }
    if (mode_ == Combining::None) return delegate::call(owner(key), unchecked(at));
    if (is_here(key)) {
      part_.known.add_own(key);
      return at(*this);
    }
    const auto epoch = part_.known.begin(key);
    const bool is_new = combiner_->write(at.kind(), at.what);
    part_.known.end(key, epoch, true);
    return is_new;
  }

  /// If the key is present, writes its value to `place` and returns true.
  bool lookup(const K& key, void* place) {
    if (is_for_master()) {
      return found_at(counted_master(), place, [key](HashTable& self) {
        FoundValue there;
        there.found = self.lookup(key, there.value.data());
        return there;
      });
    }
    if (mode_ == Combining::None) return found_at(owner(key), place, Lookup{key});
    if (is_here(key)) {
      const bool found = Cells::read(part_.table, key, place);
      if (found) part_.known.add_own(key);
      return found;
    }
    const auto epoch = part_.known.begin(key);
    const bool found = combiner_->lookup(key, place);
    part_.known.end(key, epoch, found);
    return found;
  }

  /// Returns true if this core has cached the key, so that an operation on a set needs no more.
  bool is_known(const K& key) {
    if (!part_.known.has(key)) return false;
    ++structure_counters::known;
    return true;
  }

  /// In each mode, sends the write to the owner in a run. This is fastest if few keys are equal.
  template <class At>
  void write_at_owner_async(const At& at) {
    ++async_started_;
    start(at);
  }
  template <class At, class... Fields>
  void write_at_owner_async(const At& at, const Payload<Fields...>& with) {
    ++async_started_;
    delegate::call<async>(owner(at.what.key), with, unchecked(Started<At>(at)));
  }

  template <class At, class F>
  void write_at_owner_async(const At& at, const F& then) {
    check_closure(then);
    ++async_started_;
    delegate::call<async>(owner(at.what.key), unchecked(StartedThen<At, F>(at, then)));
  }

  /// If the write adds the key, runs `body(key)` at the owner.
  template <class At, class F>
  void write_at_owner_async_if_new(const At& at, const F& body) {
    check_closure(body);
    ++async_started_;
    delegate::call<async>(owner(at.what.key), unchecked(StartedIfNew<At, F>(at, body)));
  }

  /// In the modes that combine, performs the write if this core owns the key, as an operation that
  /// counted as started. Returns false if the write was not performed.
  template <class At>
  bool write_here(const At& at) {
    if (mode_ == Combining::None || !is_here(at.what.key)) return false;
    at(*this);
    ++async_done_;
    return true;
  }

  /// Returns true if this core sends the operation to the master.
  bool is_for_master() const { return mode_ == Combining::Centralized && mycore() != kMaster; }

  /// Returns the structure on the master, and counts a message to it.
  GlobalAddress<HashTable> counted_master() {
    ++structure_counters::master_messages;
    return on(kMaster);
  }

  /// Returns true if this core owns the key, and should access its table directly.
  bool is_here(const K& key) {
    if (cores() != 1) {
      if (core_of(key) != mycore() || access_.overlaps()) return false;
      if (!access_.plain()) {
        access_.sample(part_.table.size() == 0 ? this : part_.table.place(key));
      }
    }
    ++structure_counters::local;
    return true;
  }

  template <class At>
  void start(const At& at) {
    delegate::call<async>(owner(at.what.key), unchecked(Started<At>(at)));
  }

  // The delegates below run on a HashTable. A run of delegates prefetches the buckets of its
  // keys, unless they have payloads.

  struct WriteAt {
    Write what;
    Kind kind() const { return Kind(); }
    bool operator()(HashTable& self) const { return Cells::write(self.part_.table, kind(), what); }
    void prefetch(const HashTable* self) const { self->part_.table.prefetch(what.key); }
  };

  template <class Op>
  struct CombineAt {
    Write what;
    [[no_unique_address]] Op op;
    Kind kind() const { return Kind::of(op); }
    bool operator()(HashTable& self) const {
      const auto change = [this](V* value, const V& more) { Kind::change(op, value, more); };
      return Cells::write(self.part_.table, change, what);
    }
    void prefetch(const HashTable* self) const { self->part_.table.prefetch(what.key); }
  };

  const Combining mode_;
  uint64_t async_started_ = 0;  // async operations that this core has started
  uint64_t async_done_ = 0;     // async operations that have completed on this core

 private:
  enum : Core { kMaster = 0 };

  /// A wait for the proxy costs more than an access to a shared cache, which takes 50 or 110 ns at
  /// different times on one machine. An access to memory takes 100 or 180 ns. When it takes 100 ns,
  /// it counts as fast, and operations on 2^24 keys may be a fifth slower than through the proxy.
  static constexpr double kSlowTableNs = 130;

  typedef Found<char[Cells::kValueBytes + 1]> FoundValue;

  bool caches() const { return std::is_void<V>::value && mode_ == Combining::Distributed; }

  // Unlike call_on_all_cores, this function may also be called in handlers.
  template <class F>
  static void call_on_each_core(const F& body) {
    std::vector<Future<void>> calls;
    for (Core core = 0; core < cores(); ++core) calls.push_back(delegate::call_future(core, body));
    for (Future<void>& call : calls) call.get();
  }

  template <class F>
  bool found_at(GlobalAddress<HashTable> address, void* place, const F& lookup) {
    FoundValue found = delegate::call(address, unchecked(lookup));
    if (found.found && Cells::kValueBytes != 0) {
      std::memcpy(place, found.value.data(), Cells::kValueBytes);
    }
    return found.found;
  }

  /// The loop on one core. Each iteration takes the next cell and ignores its own index.
  template <class F>
  struct CellLoop {
    F body;
    HashTable* self;
    int64_t n;
    size_t next;
    void operator()(int64_t, int64_t count) {
      for (int64_t k = 0; k < count; ++k) {
        const size_t cell = self->part_.table.occupied_from(next);
        GRAPPA_CHECK(static_cast<int64_t>(self->part_.table.size()) == n &&
                     cell != self->part_.table.end())
            << "a global set or map was changed while a loop over it was running: collect the "
               "changes, and make them after the loop";
        next = cell + 1;
        Cells::visit(body, self->part_.table.at(cell));
      }
    }
  };

  enum class Erased : uint8_t { No, Yes, MayBeCached };

  struct Erase {
    K key;
    bool blocked;  // in all caches
    Erased operator()(HashTable& self) const {
      if (self.part_.table.find(key) == nullptr) return Erased::No;  // no core has it cached
      if (!blocked && self.part_.known.is_marked(key)) return Erased::MayBeCached;
      self.part_.known.drop_own(key);
      self.part_.table.erase(key);
      return Erased::Yes;
    }
    void prefetch(const HashTable* self) const { self->part_.table.prefetch(key); }
  };

  struct Lookup {
    K key;
    FoundValue operator()(HashTable& self) const {
      FoundValue found;
      found.found = Cells::read(self.part_.table, key, found.value.data());
      return found;
    }
    void prefetch(const HashTable* self) const { self->part_.table.prefetch(key); }
  };

  template <class At>
  struct Started : At {
    explicit Started(const At& at) : At(at) {}
    template <class... Fields>
    auto operator()(HashTable& self, Fields&&... fields)
        -> decltype(std::declval<At&>()(self, std::forward<Fields>(fields)...), void()) {
      At::operator()(self, std::forward<Fields>(fields)...);
      ++self.async_done_;
    }
  };

  template <class At, class F>
  struct StartedThen : At {
    F then;
    Core caller = mycore();

    StartedThen(const At& at, const F& its_then) : At(at), then(its_then) {}
    void operator()(HashTable& self) const {
      At::operator()(self);
      const F copy = then;
      delegate::call<async>(self.on(caller), unchecked([copy](HashTable& caller_self) mutable {
                              copy();
                              ++caller_self.async_done_;
                            }));
    }
  };

  template <class At, class F>
  struct StartedIfNew : At {
    F body;

    StartedIfNew(const At& at, const F& its_body) : At(at), body(its_body) {}
    void operator()(HashTable& self) {
      if (At::operator()(self)) body(this->what.key);
      ++self.async_done_;
    }
  };

  TablePart<K, V, Hash, Equal> part_;  // must precede the combiner, whose proxies use it
  LocalAccess access_{kSlowTableNs};   // to the table of this core
  Gatherer gatherer_;                  // of requests of this core's neighbours
  FlatCombiner<TableProxy> combiner_;
};

}}  // namespace Grappa::detail
