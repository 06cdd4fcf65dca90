#pragma once

/// Flat combining on each core: tasks merge their requests in a *proxy*, which one task commits.
///
/// (B. Holt et al., "Flat Combining Synchronized Global Data Structures", PGAS 2013, sections 3.2
/// and 4; D. Hendler et al., "Flat combining and the synchronization-parallelism tradeoff", SPAA
/// 2010.) Neither a publication list nor a lock is needed: tasks are not preempted, so a method of
/// the proxy is atomic up to its wait().
///
///     class CounterProxy : public FCProxy {
///      public:
///       explicit CounterProxy(GlobalAddress<int64_t> total) : total_(total) {}
///       void add(int64_t n) { sum_ += n; wait(); }
///       void sync() override { delegate::increment(total_, sum_); }
///       ...
///     };
///     FlatCombiner<CounterProxy> counter(total);   // one on each core
///     counter->add(3);                             // returns after the commit
///
/// The *combiner* is the worker of the first request in a proxy, if no commit is in progress. The
/// combiner yields to other ready workers, which merge their requests, and commits when no more
/// requests arrive. While a commit is in progress, requests collect in the next proxy; when the
/// commit is done, one of the waiting workers becomes its combiner. A worker that fills a proxy
/// commits it at once. As soon as a commit starts, new requests go to a new proxy: answers of the
/// old one would miss operations of other cores in the meantime and violate the global order.
///
/// Invariants: a proxy is first open, then being committed, then committed. A combiner object has
/// at most one open proxy. While requests wait in an open proxy, the proxy has a combining worker
/// or task, or a commit of the same FlatCombiner is in progress. All functions act on one core.

#include "structures/options.hpp"
#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/base/type_name.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <utility>
#include <vector>

namespace Grappa {

class FCProxy;

namespace detail {

/// The base of FlatCombiner, independent of the type of the proxies.
class CombinerBase {
 public:
  CombinerBase(const CombinerBase&) = delete;
  CombinerBase& operator=(const CombinerBase&) = delete;

 protected:
  typedef std::function<FCProxy*(void* place)> Maker;

  CombinerBase(size_t proxy_bytes, size_t proxy_alignment, Maker make);
  ~CombinerBase();

  /// The proxy that accepts requests.
  FCProxy* current() {
    if (GRAPPA_UNLIKELY(current_ == nullptr)) make_current();
    return current_;
  }

 private:
  friend class Grappa::FCProxy;

  void make_current();
  void recycle(FCProxy* proxy);
  void commit(FCProxy* proxy);
  void commit_in_task(FCProxy* proxy);
  void start_commit(FCProxy* proxy);
  void run_commit(FCProxy* proxy);
  void appoint(FCProxy* proxy);

  /// State of the combining task of a proxy with only async requests. It may outlive the proxy.
  struct CombiningTask {
    FCProxy* proxy;  // null if the proxy is destroyed
  };

  const size_t proxy_bytes_;
  const size_t proxy_alignment_;
  const Maker make_;
  FCProxy* current_ = nullptr;
  int commits_under_way_ = 0;
  std::vector<void*> free_storage_;
  std::vector<std::vector<uintptr_t>> free_requests_;  // empty vectors with capacity
  int64_t proxies_ = 0;                                // number of live proxies
};

}  // namespace detail

/// The merged requests of one core. Derived classes have fields for the requests, methods that
/// merge one request and end with wait(), and sync(). Each commit uses a new object.
class FCProxy {
 public:
  FCProxy() = default;
  virtual ~FCProxy() = default;
  FCProxy(const FCProxy&) = delete;
  FCProxy& operator=(const FCProxy&) = delete;

  /// Commits the merged requests globally and sets their answers. Called once, in a task. The
  /// waiting requests are woken when it returns. May suspend.
  virtual void sync() = 0;

  /// Returns whether no further request can be merged: then the proxy is committed at once.
  virtual bool is_full() const { return waiting_requests() >= detail::kProxyRequests; }

 protected:
  /// The number of requests that were merged and not removed again.
  size_t waiting_requests() const { return requests_.size(); }

  /// The last call of a method that merges a request of the calling task. From: a method of the
  /// proxy, in a task or handler. Suspends: until sync() returns or wake_last() matches it.
  void wait();

  /// As wait(), for an async request: the scope of the calling task waits instead of the task.
  /// Suspends: if the proxy is full while several commits are in progress.
  void complete_in_scope();

  /// Completes and removes the latest merged request, which is matched by a request that need not
  /// be committed either. There must be such a request.
  void wake_last();

  /// Aborts the job with an error message if the commit of the proxy has started, as wait() does:
  /// for methods that must not write to a full proxy.
  void check_open() const {
    if (GRAPPA_UNLIKELY(state_ != State::Open)) refuse();
  }

 private:
  friend class detail::CombinerBase;
  template <class P>
  friend class FlatCombiner;

  enum class State : uint8_t { Open, Committing, Committed };

  /// In checked mode: the state of an open proxy. Only methods that merge a request may change it.
  struct Snapshot {
    uint64_t merged;
    size_t fields;  // a hash of the fields of the derived class
  };
  Snapshot snapshot() const { return Snapshot{merged_, hash_of_fields()}; }
  size_t hash_of_fields() const;
  void check_merged(Snapshot before, const char* signature) const;

  // Separate functions keep the stack frame of wait() small: the stack of a waiting worker is cold,
  // and each cache line costs time.
  void refuse() const;
  static void refuse_without_task();

  typedef detail::CombinerBase::CombiningTask CombiningTask;

  void combine(detail::Worker* self);
  static void combine_as_task(CombiningTask* task);
  bool gather(const CombiningTask* task);
  void wake_all();
  void leave() {
    if (--users_ == 0 && state_ == State::Committed) combiner_->recycle(this);
  }

  detail::CombinerBase* combiner_ = nullptr;
  void* storage_ = nullptr;          // address of the most derived object
  std::vector<uintptr_t> requests_;  // a Worker*, or a TaskScope* + 1 if async; oldest first
  uint64_t merged_ = 0;              // number of requests merged so far
  int64_t users_ = 0;                // handles and the committer: they keep the proxy alive
  detail::Worker* combining_worker_ = nullptr;  // a ready worker whose request still waits
  bool combining_worker_satisfied_ = false;
  CombiningTask* combining_task_ = nullptr;  // state of the combining task, if any
  State state_ = State::Open;
  detail::Worker* committer_ = nullptr;
};

/// Passes requests to the open proxy. The combiner is neither copyable nor movable, since tasks
/// wait in its proxies. It is usually a member of a symmetric object.
template <class Proxy>
class FlatCombiner : public detail::CombinerBase {
 public:
  /// A pointer to the proxy that was open when the handle was created. The handle keeps it alive.
  class Handle {
   public:
    explicit Handle(Proxy* proxy) : proxy_(proxy) {
      ++base_of(proxy)->users_;
      if (GRAPPA_UNLIKELY(detail::checked_mode())) before_ = base_of(proxy)->snapshot();
    }
    Handle(Handle&& other) noexcept : proxy_(other.proxy_) {
      other.proxy_ = nullptr;
      if (GRAPPA_UNLIKELY(detail::checked_mode())) before_ = other.before_;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
      if (proxy_ == nullptr) return;
      if (GRAPPA_UNLIKELY(detail::checked_mode())) {
        base_of(proxy_)->check_merged(before_, detail::type_signature<Proxy>());
      }
      base_of(proxy_)->leave();
    }

    Proxy* operator->() const { return proxy_; }
    Proxy& operator*() const { return *proxy_; }

   private:
    Proxy* proxy_;
    FCProxy::Snapshot before_;  // set in checked mode only
  };

  /// Each proxy is constructed as Proxy(args...), from copies of the arguments.
  template <class... Args>
  explicit FlatCombiner(Args... args)
      : CombinerBase(sizeof(Proxy), alignof(Proxy),
                     [args...](void* place) { return base_of(new (place) Proxy(args...)); }) {}

  /// For one call: `combiner->push(x)`. A stored pointer would refer to an old proxy.
  Handle operator->() { return Handle(derived(current())); }

  /// Runs `body(proxy)` with the open proxy and returns the result.
  template <class F>
  auto combine(F body) -> decltype(body(std::declval<Proxy&>())) {
    const Handle handle(derived(current()));
    return body(*handle);
  }

 private:
  // C-style casts, which also convert to a private base class: as in the paper's example, `class
  // GlobalStackProxy : Grappa::FCProxy`.
  static FCProxy* base_of(Proxy* proxy) { return (FCProxy*)proxy; }
  static Proxy* derived(FCProxy* proxy) { return (Proxy*)proxy; }
};

}  // namespace Grappa
