#pragma once

/// Flat combining on each core: tasks merge their requests in a *proxy*, which one task commits.
///
/// (B. Holt et al., "Flat Combining Synchronized Global Data Structures", PGAS 2013, sections 3.2
/// and 4; D. Hendler et al., "Flat combining and the synchronization-parallelism tradeoff", SPAA
/// 2010.) Tasks are not preempted, so a method of the proxy is atomic until it calls wait(). When a
/// commit starts, new requests use a new proxy. docs/design.md describes the reason, and how the
/// combiner selects the worker that commits. The tutorial and docs/combining.md have examples.
///
///     Open --close--> Committing --run_commit--> Committed --last handle--> destroyed
///
/// Invariants: a combiner has at most one open proxy. While requests wait in an open proxy, the
/// proxy has a combining worker or task, or a commit of the same combiner is in progress.

#include "system/base/check.hpp"
#include "system/base/checked_mode.hpp"
#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace Grappa {
namespace detail {

constexpr size_t kProxyRequests = 1024;  // requests of a full proxy, as in the paper

/// Maximum number of concurrent commits of async requests in a combiner. At this number, a task
/// that fills a proxy waits.
constexpr int kCommitsUnderWay = 4;

class Combiner;
struct Worker;

/// The requests of one proxy and the state of the proxy. Only Combiner changes the state.
struct RequestBatch {
  /// Abandoned: the proxy has no users. If it has a combining task, the task destroys the proxy.
  enum class State : uint8_t { Open, Committing, Committed, Abandoned };
  /// Worker: `combining_worker` is ready. SatisfiedWorker: its request has been removed, too.
  enum class Leader : uint8_t { Nobody, Worker, SatisfiedWorker, Task };

  Combiner* combiner = nullptr;
  void* storage = nullptr;          // address of the most derived object
  std::vector<uintptr_t> requests;  // a Worker*, or a TaskScope* + 1 if async; oldest first
  uint64_t removed = 0;             // number of requests merged and removed again
  int64_t users = 0;                // handles, and the commit in progress; keep the proxy alive
  Worker* combining_worker = nullptr;
  State state = State::Open;
  Leader leader = Leader::Nobody;

  uint64_t changes() const { return requests.size() + 2 * removed; }  // merges and removals so far
};

}  // namespace detail

/// The merged requests of one core. A derived class has fields for the requests, sync(), and
/// methods that merge one request and end with wait(). Each commit uses a new object.
class FCProxy {
 public:
  FCProxy() = default;
  virtual ~FCProxy() = default;
  FCProxy(const FCProxy&) = delete;
  FCProxy& operator=(const FCProxy&) = delete;

  /// Commits the merged requests globally and sets their answers. Called once, in a task. When
  /// sync() returns, the waiting tasks are woken. May suspend.
  virtual void sync() = 0;

  /// Returns true if the proxy is full. A full proxy is committed at once. Must not suspend.
  virtual bool is_full() const { return waiting_requests() >= detail::kProxyRequests; }

 protected:
  size_t waiting_requests() const { return batch_.requests.size(); }  // merged and not removed

  /// Adds a request of the calling task. Must be the last call of the method that merges the
  /// request. From: a method of the proxy, in a task or handler. Suspends: until sync() returns, or
  /// until wake_last() removes the request.
  void wait();

  /// Like wait(), but for an async request: the scope of the calling task waits instead of the
  /// task. Suspends: if the proxy is full while several commits are in progress. `operations` is
  /// the number of operations in reports: 0 if they were counted before.
  void complete_in_scope(uint64_t operations = 1);

  /// Completes and removes the latest merged request, because the calling method matches the
  /// request and neither needs a commit. There must be a merged request.
  void wake_last();

  /// Aborts the job if the commit has started. Methods may call this before they change fields.
  void check_open() const {
    if (GRAPPA_UNLIKELY(batch_.state != detail::RequestBatch::State::Open)) refuse();
  }

 private:
  friend class detail::Combiner;

  void refuse() const;

  detail::RequestBatch batch_;
};

namespace detail {

/// The state machine of combining: the part of FlatCombiner without the type of the proxy.
class Combiner {
 public:
  typedef std::function<FCProxy*(void* storage)> MakeProxy;

  Combiner(size_t proxy_bytes, size_t proxy_alignment, MakeProxy make_proxy);
  ~Combiner();
  Combiner(const Combiner&) = delete;
  Combiner& operator=(const Combiner&) = delete;

  FCProxy* open_proxy() {
    if (GRAPPA_UNLIKELY(open_ == nullptr)) open();
    return open_;
  }

  // A proxy with users is not destroyed.
  static void enter(FCProxy* proxy) { ++proxy->batch_.users; }
  static void leave(FCProxy* proxy) {
    RequestBatch& batch = proxy->batch_;
    GRAPPA_DCHECK(batch.users > 0) << "a proxy is left more often than entered";
    if (--batch.users == 0 && batch.state == RequestBatch::State::Committed) {
      batch.combiner->retire(proxy);
    }
  }

  /// The state of an open proxy, for checked mode. Only a method that merges may change the state.
  struct Snapshot {
    uint64_t changes;
    size_t fields;  // a hash of the fields of the derived class
  };
  static Snapshot snapshot(const FCProxy* proxy);
  static void check_merged(const FCProxy* proxy, Snapshot before, const char* signature);

 private:
  friend class Grappa::FCProxy;

  struct Memory {  // memory of a destroyed proxy
    void* storage;
    std::vector<uintptr_t> requests;
  };

  void open();
  void close(FCProxy* proxy);
  void run_commit(FCProxy* proxy);
  void commit(FCProxy* proxy);
  void retire(FCProxy* proxy);
  static Memory destroy(FCProxy* proxy);
  void appoint();
  static bool gather(const RequestBatch& batch);
  static void combine(FCProxy* proxy);

  const size_t proxy_bytes_;
  const size_t proxy_alignment_;
  const MakeProxy make_proxy_;
  FCProxy* open_ = nullptr;
  int commits_ = 0;      // in progress
  int64_t proxies_ = 0;  // proxies that are open or have users
  std::vector<Memory> free_;
};

}  // namespace detail

/// Passes requests to the open proxy. A combiner is usually a member of a symmetric object.
template <class Proxy>
class FlatCombiner {
 public:
  struct Leave {
    detail::Combiner::Snapshot before;  // set in checked mode only

    void operator()(Proxy* proxy) const {
      if (GRAPPA_UNLIKELY(detail::checked_mode())) {
        detail::Combiner::check_merged(base_of(proxy), before, detail::type_signature<Proxy>());
      }
      detail::Combiner::leave(base_of(proxy));
    }
  };
  /// A pointer to the proxy that was open when the handle was created. Keeps the proxy alive.
  typedef std::unique_ptr<Proxy, Leave> Handle;

  /// Each proxy is constructed as Proxy(args...), from copies of the arguments.
  template <class... Args>
  explicit FlatCombiner(Args... args)
      : combiner_(sizeof(Proxy), alignof(Proxy),
                  [args...](void* storage) { return base_of(new (storage) Proxy(args...)); }) {}

  /// Returns the open proxy for one call: `combiner->push(x)`. Do not store the pointer.
  Handle operator->() {
    FCProxy* const proxy = combiner_.open_proxy();
    detail::Combiner::enter(proxy);
    Leave leave = {{0, 0}};
    if (GRAPPA_UNLIKELY(detail::checked_mode())) leave.before = detail::Combiner::snapshot(proxy);
    return Handle(derived(proxy), leave);
  }

  /// Runs `body(proxy)` with the open proxy and returns the result.
  template <class F>
  auto combine(F body) -> decltype(body(std::declval<Proxy&>())) {
    return body(*operator->());
  }

 private:
  // In the paper's example, FCProxy is a private base. Only a C-style cast converts to it.
  static FCProxy* base_of(Proxy* proxy) { return (FCProxy*)proxy; }
  static Proxy* derived(FCProxy* proxy) { return (Proxy*)proxy; }

  detail::Combiner combiner_;
};

}  // namespace Grappa
