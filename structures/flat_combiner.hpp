#pragma once

/// Flat combining on each core: tasks merge their requests into a *proxy*, and one of them commits
/// it for all.
///
/// (B. Holt et al., "Flat Combining Synchronized Global Data Structures", PGAS 2013, sections 3.2
/// and 4; D. Hendler et al., "Flat combining and the synchronization-parallelism tradeoff", SPAA
/// 2010.) No publication list and no lock is needed: nothing preempts a task, so a method of the
/// proxy is atomic up to its wait().
///
///     class CounterProxy : public FCProxy {
///      public:
///       explicit CounterProxy(GlobalAddress<int64_t> total) : total_(total) {}
///       void add(int64_t n) { sum_ += n; wait(); }
///       void sync() override { delegate::increment(total_, sum_); }
///       ...
///     };
///     FlatCombiner<CounterProxy> counter(total);   // one on each core
///     counter->add(3);                             // returns when it is in the total
///
/// Who commits: the first whose request finds nobody else at it is *in charge*. It lets the other
/// ready workers merge theirs and commits when no more come; while a commit is under way requests
/// gather, and when it is done one of those that wait is put in charge. Who fills a proxy commits
/// it at once. As soon as a commit starts, new requests go to a fresh proxy: answers from the old
/// one would not reflect what other cores have done meanwhile, and break the global order.
///
/// Invariants: a proxy is open, being committed, or committed, in this order, and at most one of a
/// combiner is open. While requests wait in an open proxy, a worker is in charge of it or a commit
/// of this combiner is under way. All: of one core.

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

/// A FlatCombiner, whatever its proxies are.
class CombinerBase {
 public:
  CombinerBase(const CombinerBase&) = delete;
  CombinerBase& operator=(const CombinerBase&) = delete;

 protected:
  typedef std::function<FCProxy*(void* place)> Maker;

  CombinerBase(size_t proxy_bytes, size_t proxy_alignment, Maker make);
  ~CombinerBase();

  /// The proxy that takes requests.
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
  void put_in_charge(FCProxy* proxy);

  /// Of the task that is in charge of a proxy whose requests are async: outlives it if need be.
  struct Charge {
    FCProxy* proxy;  // null if that is gone: then there is nothing to do
  };

  const size_t proxy_bytes_;
  const size_t proxy_alignment_;
  const Maker make_;
  FCProxy* current_ = nullptr;
  int commits_under_way_ = 0;
  std::vector<void*> free_places_;
  std::vector<std::vector<uintptr_t>> spare_requests_;  // empty lists with room
  int64_t proxies_ = 0;                                 // that there are
};

}  // namespace detail

/// The requests of one core, merged. Derive from it: fields that hold what was asked for, methods
/// that merge one request and end with wait(), and sync(). A fresh object is made for each commit.
class FCProxy {
 public:
  FCProxy() = default;
  virtual ~FCProxy() = default;
  FCProxy(const FCProxy&) = delete;
  FCProxy& operator=(const FCProxy&) = delete;

  /// Commits globally what has been merged, and fills in the answers. Called once, in a task. The
  /// requests that wait are woken when it returns. May suspend.
  virtual void sync() = 0;

  /// Whether no further request can be merged: then it is committed at once.
  virtual bool is_full() const { return waiting_requests() >= detail::kProxyRequests; }

 protected:
  /// Requests that have been merged and not been taken out.
  size_t waiting_requests() const { return requests_.size(); }

  /// The calling task's request has been merged. From: a method of the proxy, last, in a task or
  /// handler. Suspends: until sync() has returned, or wake_last() has taken the request out.
  void wait();

  /// The same for an async request: the scope of the calling task waits, not the task. Suspends: if
  /// the proxy is full while several commits are under way.
  void complete_in_scope();

  /// The latest request that was merged is satisfied, by one that need not be committed either, and
  /// is taken out. There is one.
  void wake_last();

  /// Ends the job with a sentence if the proxy is being committed already, as wait() does: for
  /// methods that must not write to one that is full.
  void check_open() const {
    if (GRAPPA_UNLIKELY(state_ != State::Open)) refuse();
  }

 private:
  friend class detail::CombinerBase;
  template <class P>
  friend class FlatCombiner;

  enum class State : uint8_t { Open, Committing, Committed };

  /// In checked mode: the state of an open proxy, which a method changes only if it merges a
  /// request.
  struct Snapshot {
    uint64_t merged;
    size_t fields;  // a hash of the fields of the derived class
  };
  Snapshot snapshot() const { return Snapshot{merged_, hash_of_fields()}; }
  size_t hash_of_fields() const;
  void check_merged(Snapshot before, const char* signature) const;

  // Apart, so that wait() needs hardly a frame: the stack of a worker that waits is cold, and each
  // line of it costs.
  void refuse() const;
  static void refuse_without_task();

  typedef detail::CombinerBase::Charge Charge;

  void attend(detail::Worker* self);
  static void attend_as_task(Charge* charge);
  bool gather(const Charge* charge);
  void wake_all();
  void leave() {
    if (--users_ == 0 && state_ == State::Committed) combiner_->recycle(this);
  }

  detail::CombinerBase* combiner_ = nullptr;
  void* place_ = nullptr;                // where the object is, whatever it is derived from
  std::vector<uintptr_t> requests_;      // a Worker*, or a TaskScope* + 1 if async; oldest first
  uint64_t merged_ = 0;                  // requests so far
  int64_t users_ = 0;                    // handles, and who commits: until they are gone it stays
  detail::Worker* in_charge_ = nullptr;  // a requester that is ready, though its request waits
  bool in_charge_satisfied_ = false;
  Charge* charge_ = nullptr;  // of a task, which has no request
  State state_ = State::Open;
  detail::Worker* committer_ = nullptr;
};

/// A proxy to which requests go, always the open one. Not copyable and never moves, since tasks
/// wait in it; a member of what lies on each core.
template <class Proxy>
class FlatCombiner : public detail::CombinerBase {
 public:
  /// Behaves as a pointer to the proxy that was open when it was made, which lives as long.
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

  /// Each proxy is made as Proxy(args...), from copies of these.
  template <class... Args>
  explicit FlatCombiner(Args... args)
      : CombinerBase(sizeof(Proxy), alignof(Proxy),
                     [args...](void* place) { return base_of(new (place) Proxy(args...)); }) {}

  /// For one call: `combiner->push(x)`. A pointer that is kept would name the proxy of then.
  Handle operator->() { return Handle(derived(current())); }

  /// Runs `body(proxy)` with the open proxy and returns what it returns.
  template <class F>
  auto combine(F body) -> decltype(body(std::declval<Proxy&>())) {
    const Handle handle(derived(current()));
    return body(*handle);
  }

 private:
  // C-style casts, which see a base class even where it is a private one: as in the paper's
  // example, `class GlobalStackProxy : Grappa::FCProxy`.
  static FCProxy* base_of(Proxy* proxy) { return (FCProxy*)proxy; }
  static Proxy* derived(FCProxy* proxy) { return (Proxy*)proxy; }
};

}  // namespace Grappa
