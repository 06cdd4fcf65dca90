#include "structures/flat_combiner.hpp"

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/event_log.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace Grappa {
namespace detail {
namespace {

typedef RequestBatch::State State;
typedef RequestBatch::Leader Leader;

/// Maximum number of yields before the commit of a proxy that is not full, to bound the delay.
constexpr int kGatheringRounds = 16;
constexpr size_t kPrefetchDistance = 16;  // in workers, when a batch wakes its callers
constexpr uint64_t kRequestNs = 10;       // charged in simulations
constexpr uintptr_t kAsync = 1;           // tag of a request that is a TaskScope*

bool is_async(uintptr_t request) { return (request & kAsync) != 0; }
Worker* worker_of(uintptr_t request) { return reinterpret_cast<Worker*>(request); }
TaskScope* scope_of(uintptr_t request) { return reinterpret_cast<TaskScope*>(request - kAsync); }

void merge(RequestBatch& batch, uintptr_t request, uint64_t operations) {
  GRAPPA_DCHECK(batch.users > 0) << "a request through a stored pointer to a proxy";
  batch.requests.push_back(request);
  charge_ns(kRequestNs);
  structure_counters::operations += operations;
}

void suspend_until_committed(const FCProxy* proxy) {
  suspend(WaitReason(WaitReason::Kind::Combiner, proxy));
}

void set_leader(RequestBatch& batch, Leader leader, Worker* worker) {
  GRAPPA_DCHECK(batch.leader == Leader::Nobody) << "a proxy has two combining workers";
  batch.leader = leader;
  batch.combining_worker = worker;
}

void change_state(RequestBatch& batch, State from, State to) {
  GRAPPA_DCHECK(batch.state == from) << "a proxy is in state " << static_cast<int>(batch.state)
                                     << ", not " << static_cast<int>(from);
  batch.state = to;
}

// Wakes the callers of all requests, except the current and the combining worker, which are ready.
void wake_all(const RequestBatch& batch) {
  Worker* const self = current_worker();
  TaskScope* scope = nullptr;
  int64_t completed = 0;
  for (size_t i = 0; i < batch.requests.size(); ++i) {
    const uintptr_t request = batch.requests[i];
    if (i + kPrefetchDistance < batch.requests.size()) {
      GRAPPA_PREFETCH(reinterpret_cast<const void*>(batch.requests[i + kPrefetchDistance]));
    }
    if (is_async(request)) {
      if (scope_of(request) != scope) {
        if (scope != nullptr) scope->complete(completed);
        scope = scope_of(request);
        completed = 0;
      }
      ++completed;
    } else if (worker_of(request) != self && worker_of(request) != batch.combining_worker) {
      scheduler().wake(worker_of(request));
    }
  }
  if (scope != nullptr) scope->complete(completed);
}

}  // namespace

Combiner::Combiner(size_t proxy_bytes, size_t proxy_alignment, MakeProxy make_proxy)
    : proxy_bytes_(proxy_bytes),
      proxy_alignment_(proxy_alignment),
      make_proxy_(std::move(make_proxy)) {}

Combiner::~Combiner() {
  if (open_ != nullptr && open_->batch_.users == 0 && open_->batch_.requests.empty()) retire(open_);
  GRAPPA_CHECK(proxies_ == 0)
      << "a flat-combined structure was destroyed while operations on it were in progress";
  for (const Memory& memory : free_) std::free(memory.storage);
}

void Combiner::open() {
  if (free_.empty()) {
    free_.push_back({allocate_local(1, proxy_bytes_, proxy_alignment_, "FlatCombiner"), {}});
  }
  Memory memory = std::move(free_.back());
  free_.pop_back();
  FCProxy* const proxy = make_proxy_(memory.storage);
  proxy->batch_.combiner = this;
  proxy->batch_.storage = memory.storage;
  proxy->batch_.requests = std::move(memory.requests);
  ++proxies_;
  GRAPPA_DCHECK(open_ == nullptr) << "the constructor of a proxy suspended";
  open_ = proxy;
}

void Combiner::close(FCProxy* proxy) {
  change_state(proxy->batch_, State::Open, State::Committing);
  open_ = nullptr;
  enter(proxy);
  ++commits_;
  ++structure_counters::commits;
}

void Combiner::run_commit(FCProxy* proxy) {
  const uint64_t begin_ticks = event_log() == nullptr ? 0 : ticks();
  proxy->sync();
  if (event_log() != nullptr) {
    event_log()->committed(begin_ticks, static_cast<uint32_t>(proxy->batch_.requests.size()));
  }
  change_state(proxy->batch_, State::Committing, State::Committed);
  --commits_;
  wake_all(proxy->batch_);
  appoint();
  leave(proxy);
}

void Combiner::commit(FCProxy* proxy) {
  close(proxy);
  run_commit(proxy);
}

// Destroys a proxy without users. If the proxy has a combining task, the task destroys the proxy,
// perhaps after the combiner has been destroyed.
void Combiner::retire(FCProxy* proxy) {
  --proxies_;
  change_state(proxy->batch_, proxy == open_ ? State::Open : State::Committed, State::Abandoned);
  if (proxy->batch_.leader != Leader::Task) free_.push_back(destroy(proxy));
}

Combiner::Memory Combiner::destroy(FCProxy* proxy) {
  Memory memory = {proxy->batch_.storage, std::move(proxy->batch_.requests)};
  memory.requests.clear();
  proxy->~FCProxy();
  return memory;
}

// If requests wait, the proxy has no leader and no commit is in progress, selects the worker that
// has waited longest as leader. If all requests are async, starts a combining task instead.
void Combiner::appoint() {
  FCProxy* const proxy = open_;
  if (commits_ != 0 || proxy == nullptr) return;
  RequestBatch& batch = proxy->batch_;
  if (batch.requests.empty() || batch.leader != Leader::Nobody) return;
  const auto waiting = std::find_if_not(batch.requests.begin(), batch.requests.end(), is_async);
  if (waiting != batch.requests.end()) {
    set_leader(batch, Leader::Worker, worker_of(*waiting));
    scheduler().wake(worker_of(*waiting));
  } else {
    set_leader(batch, Leader::Task, nullptr);
    scheduler().tasks().push_high_priority(Closure::make([proxy] { combine(proxy); }), nullptr);
  }
}

// Yields to other workers while new requests arrive. Returns false if another worker commits the
// proxy, if the caller's request has been removed, or if the proxy is abandoned.
bool Combiner::gather(const RequestBatch& batch) {
  const auto to_be_committed = [&batch] {
    return batch.state == State::Open && batch.leader != Leader::SatisfiedWorker;
  };
  for (int round = 0; round < kGatheringRounds && to_be_committed(); ++round) {
    const uint64_t before = batch.changes();
    scheduler().yield_after_start();
    if (batch.changes() == before) break;
  }
  return to_be_committed();
}

// Runs in the combining worker or task. Not inlined, so that the stack frame of wait() stays small.
GRAPPA_NOINLINE void Combiner::combine(FCProxy* proxy) {
  RequestBatch& batch = proxy->batch_;
  const bool commits = gather(batch);
  const Leader leader = batch.leader;
  GRAPPA_DCHECK(leader != Leader::Nobody) << "a proxy has no combining worker";
  batch.leader = Leader::Nobody;
  batch.combining_worker = nullptr;
  if (batch.state == State::Abandoned) {
    std::free(destroy(proxy).storage);
  } else if (commits && !batch.requests.empty()) {
    batch.combiner->commit(proxy);
  } else if (leader == Leader::SatisfiedWorker) {
    batch.combiner->appoint();
  } else if (leader == Leader::Worker && batch.state == State::Committing) {
    suspend_until_committed(proxy);  // another worker commits the full proxy
  }
}

Combiner::Snapshot Combiner::snapshot(const FCProxy* proxy) {
  constexpr size_t kMostBytes = 256;  // large arrays are last and change with earlier fields
  const RequestBatch& batch = proxy->batch_;
  const char* const begin = reinterpret_cast<const char*>(proxy) + sizeof(FCProxy);
  const char* const end = static_cast<const char*>(batch.storage) + batch.combiner->proxy_bytes_;
  const size_t bytes = std::min(static_cast<size_t>(end - begin), kMostBytes);
  return {batch.changes(), std::hash<std::string_view>()(std::string_view(begin, bytes))};
}

void Combiner::check_merged(const FCProxy* proxy, Snapshot before, const char* signature) {
  const RequestBatch& batch = proxy->batch_;
  if (batch.state != State::Open || batch.changes() != before.changes) return;
  size_t length = 0;
  const char* const name = type_name_in(signature, &length);
  GRAPPA_CHECK(snapshot(proxy).fields == before.fields)
      << "a method of the proxy " << std::string_view(name, length)
      << " has changed the proxy but has merged no request, so the change may never be committed: "
         "end the method with wait() or complete_in_scope()";
}

}  // namespace detail

using namespace detail;

// The callers of these functions have entered the proxy.

void FCProxy::wait() {
  Worker* const self = current_worker();
  if (GRAPPA_UNLIKELY(self == nullptr)) waiting_worker();  // aborts the job
  check_open();
  merge(batch_, reinterpret_cast<uintptr_t>(self), 1);
  Combiner* const combiner = batch_.combiner;
  if (is_full()) return combiner->commit(this);
  if (combiner->commits_ == 0 && batch_.leader == Leader::Nobody) {
    set_leader(batch_, Leader::Worker, self);
  } else {
    suspend_until_committed(this);
    if (batch_.combining_worker != self) return;
  }
  Combiner::combine(this);
}

void FCProxy::complete_in_scope(uint64_t operations) {
  check_open();
  TaskScope* const scope = current_scope();
  if (scope != nullptr) scope->enroll(1);
  merge(batch_, reinterpret_cast<uintptr_t>(scope) + kAsync, operations);
  Combiner* const combiner = batch_.combiner;
  if (!is_full()) {
    combiner->appoint();
  } else if (combiner->commits_ < kCommitsUnderWay || scheduler().in_handler()) {
    combiner->close(this);
    const Closure commit = Closure::make([combiner, this] { combiner->run_commit(this); });
    scheduler().tasks().push_high_priority(commit, nullptr);
  } else {
    combiner->commit(this);
  }
}

void FCProxy::wake_last() {
  check_open();
  GRAPPA_DCHECK(!batch_.requests.empty()) << "wake_last without a request";
  const uintptr_t request = batch_.requests.back();
  batch_.requests.pop_back();
  ++batch_.removed;
  ++structure_counters::operations;
  ++structure_counters::matched_pairs;
  if (is_async(request)) {
    if (scope_of(request) != nullptr) scope_of(request)->complete(1);
  } else if (worker_of(request) == batch_.combining_worker) {
    batch_.leader = Leader::SatisfiedWorker;  // the worker is ready
  } else {
    scheduler().wake(worker_of(request));
  }
}

// In `combiner->push(f())`, the compiler may call `operator->` before f(), and f() may suspend.
GRAPPA_NOINLINE void FCProxy::refuse() const {
  GRAPPA_CHECK(batch_.state == RequestBatch::State::Open)
      << "a request was made to a proxy whose commit has started: if computing the arguments of a "
         "combined operation may suspend, compute them before the call";
}

}  // namespace Grappa
