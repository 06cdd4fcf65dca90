#include "structures/flat_combiner.hpp"

#include "structures/counters.hpp"
#include "structures/detail/local_memory.hpp"
#include "system/base/check.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/event_log.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/suspend.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string_view>

namespace Grappa {
namespace {

/// Prefetch distance, in workers, while the callers of a batch are woken.
constexpr size_t kPrefetchDistance = 16;

constexpr uintptr_t kAsync = 1;  // tag of a request that is a TaskScope*

bool is_async(uintptr_t request) { return (request & kAsync) != 0; }
detail::Worker* worker_of(uintptr_t request) { return reinterpret_cast<detail::Worker*>(request); }
detail::TaskScope* scope_of(uintptr_t request) {
  return reinterpret_cast<detail::TaskScope*>(request - kAsync);
}

detail::WaitReason to_be_committed(const FCProxy* proxy) {
  return detail::WaitReason(detail::WaitReason::Kind::Combiner, proxy);
}

}  // namespace

namespace detail {

CombinerBase::CombinerBase(size_t proxy_bytes, size_t proxy_alignment, Maker make)
    : proxy_bytes_(proxy_bytes), proxy_alignment_(proxy_alignment), make_(std::move(make)) {}

CombinerBase::~CombinerBase() {
  if (current_ != nullptr && current_->users_ == 0 && current_->requests_.empty()) {
    recycle(current_);
  }
  GRAPPA_CHECK(proxies_ == 0)
      << "a flat-combined structure was destroyed while operations on it were in progress";
  for (void* place : free_storage_) std::free(place);
}

void CombinerBase::make_current() {
  if (free_storage_.empty()) {
    free_storage_.push_back(allocate_local(1, proxy_bytes_, proxy_alignment_, "FlatCombiner"));
  }
  void* const place = free_storage_.back();
  free_storage_.pop_back();
  FCProxy* proxy = make_(place);
  proxy->combiner_ = this;
  proxy->storage_ = place;
  if (!free_requests_.empty()) {
    proxy->requests_ = std::move(free_requests_.back());
    free_requests_.pop_back();
  }
  ++proxies_;
  current_ = proxy;
}

void CombinerBase::recycle(FCProxy* proxy) {
  void* place = proxy->storage_;
  if (proxy->combining_task_ != nullptr) proxy->combining_task_->proxy = nullptr;
  proxy->requests_.clear();
  free_requests_.push_back(std::move(proxy->requests_));
  proxy->~FCProxy();
  free_storage_.push_back(place);
  --proxies_;
}

// Afterwards new requests go to a new proxy.
void CombinerBase::start_commit(FCProxy* proxy) {
  GRAPPA_DCHECK(proxy == current_ && proxy->state_ == FCProxy::State::Open);
  current_ = nullptr;
  proxy->state_ = FCProxy::State::Committing;
  ++proxy->users_;
  ++commits_under_way_;
  ++structure_counters::commits;
}

void CombinerBase::run_commit(FCProxy* proxy) {
  proxy->committer_ = scheduler().current();
  const uint64_t begin_ticks = event_log() == nullptr ? 0 : ticks();
  proxy->sync();
  if (event_log() != nullptr) {
    event_log()->committed(begin_ticks, static_cast<uint32_t>(proxy->requests_.size()));
  }
  proxy->state_ = FCProxy::State::Committed;
  --commits_under_way_;
  proxy->wake_all();
  if (commits_under_way_ == 0 && current_ != nullptr) appoint(current_);
  proxy->leave();
}

void CombinerBase::commit(FCProxy* proxy) {
  start_commit(proxy);
  run_commit(proxy);
}

void CombinerBase::commit_in_task(FCProxy* proxy) {
  start_commit(proxy);
  scheduler().start_high_priority_task(Closure::make([this, proxy] { run_commit(proxy); }),
                                       nullptr);
}

// Selects a combiner for an open proxy that has requests and no combiner: the worker that has
// waited longest, or a new task if all requests are async.
void CombinerBase::appoint(FCProxy* proxy) {
  if (proxy->requests_.empty() || proxy->combining_worker_ != nullptr ||
      proxy->combining_task_ != nullptr)
    return;
  const auto waiting = std::find_if_not(proxy->requests_.begin(), proxy->requests_.end(), is_async);
  if (waiting != proxy->requests_.end()) {
    proxy->combining_worker_ = worker_of(*waiting);
    proxy->combining_worker_satisfied_ = false;
    scheduler().wake(proxy->combining_worker_);
  } else {
    CombiningTask* const task = new CombiningTask{proxy};
    proxy->combining_task_ = task;
    scheduler().start_high_priority_task(Closure::make([task] { FCProxy::combine_as_task(task); }),
                                         nullptr);
  }
}

}  // namespace detail

// In `combiner->push(f())`, the compiler may evaluate `operator->` before f().
GRAPPA_NOINLINE void FCProxy::refuse() const {
  GRAPPA_CHECK(state_ == State::Open)
      << "a request was made to a proxy whose commit has started: if computing the arguments of a "
         "combined operation may suspend, compute them before the call";
}

// Hashes only the first fields: large arrays of requests change together with them.
size_t FCProxy::hash_of_fields() const {
  constexpr size_t kMostBytes = 256;
  const char* const begin = reinterpret_cast<const char*>(this) + sizeof(FCProxy);
  const char* const end = static_cast<const char*>(storage_) + combiner_->proxy_bytes_;
  const size_t bytes = std::min(static_cast<size_t>(end - begin), kMostBytes);
  return std::hash<std::string_view>()(std::string_view(begin, bytes));
}

void FCProxy::check_merged(Snapshot before, const char* signature) const {
  if (state_ != State::Open || merged_ != before.merged) return;
  size_t length = 0;
  const char* const name = detail::type_name_in(signature, &length);
  GRAPPA_CHECK(hash_of_fields() == before.fields)
      << "a method of the proxy " << std::string_view(name, length)
      << " has changed the proxy but has merged no request, so the change may never be committed: "
         "end the method with wait() or complete_in_scope()";
}

GRAPPA_NOINLINE void FCProxy::refuse_without_task() {
  GRAPPA_CHECK(detail::scheduler().current() != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
}

void FCProxy::wait() {
  detail::Worker* const self = detail::scheduler().current();
  if (GRAPPA_UNLIKELY(self == nullptr)) refuse_without_task();
  check_open();
  requests_.push_back(reinterpret_cast<uintptr_t>(self));
  ++merged_;
  ++detail::structure_counters::operations;
  if (is_full()) return combiner_->commit(this);
  if (combiner_->commits_under_way_ == 0 && combining_worker_ == nullptr &&
      combining_task_ == nullptr) {
    combining_worker_ = self;
    combining_worker_satisfied_ = false;
  } else {
    detail::suspend(to_be_committed(this));
    if (combining_worker_ != self) return;
  }
  combine(self);
}

void FCProxy::complete_in_scope() {
  check_open();
  detail::TaskScope* const scope = detail::scheduler().scope();
  if (scope != nullptr) scope->enroll(1);
  requests_.push_back(reinterpret_cast<uintptr_t>(scope) + kAsync);
  ++merged_;
  ++detail::structure_counters::operations;
  if (!is_full()) {
    if (combiner_->commits_under_way_ == 0) combiner_->appoint(this);
  } else if (combiner_->commits_under_way_ < detail::kCommitsUnderWay ||
             detail::scheduler().in_handler()) {
    combiner_->commit_in_task(this);
  } else {
    combiner_->commit(this);
  }
}

void FCProxy::wake_last() {
  check_open();
  GRAPPA_DCHECK(!requests_.empty());
  const uintptr_t request = requests_.back();
  requests_.pop_back();
  ++merged_;
  ++detail::structure_counters::operations;
  ++detail::structure_counters::matched_pairs;
  if (is_async(request)) {
    if (scope_of(request) != nullptr) scope_of(request)->complete(1);
  } else if (worker_of(request) == combining_worker_) {
    combining_worker_satisfied_ = true;  // the worker is ready
  } else {
    detail::scheduler().wake(worker_of(request));
  }
}

// Yields to other workers, which merge their requests, while new requests arrive. Returns false
// if the caller has nothing left to commit: another worker commits the proxy, the request of the
// caller has been matched, or the proxy of the combining task is destroyed.
bool FCProxy::gather(const CombiningTask* task) {
  for (int round = 0; round < detail::kGatheringRounds; ++round) {
    const uint64_t before = merged_;
    detail::scheduler().yield_after_start();
    if (task != nullptr && task->proxy == nullptr) return false;
    if (state_ != State::Open || combining_worker_satisfied_) return false;
    if (merged_ == before) break;
  }
  return true;
}

// Runs in the combining worker, whose own request waits in this proxy.
void FCProxy::combine(detail::Worker* self) {
  GRAPPA_DCHECK(combining_worker_ == self);
  if (state_ == State::Open && !combining_worker_satisfied_ && gather(nullptr)) {
    combining_worker_ = nullptr;
    return combiner_->commit(this);
  }
  const bool satisfied = combining_worker_satisfied_;
  combining_worker_ = nullptr;
  combining_worker_satisfied_ = false;
  if (satisfied) {
    if (state_ == State::Open && combiner_->commits_under_way_ == 0) combiner_->appoint(this);
  } else if (state_ == State::Committing) {
    detail::suspend(to_be_committed(this));  // another worker commits the full proxy
  }
}

void FCProxy::combine_as_task(CombiningTask* task) {
  FCProxy* proxy = task->proxy;
  const bool to_be_committed = proxy != nullptr && proxy->gather(task);
  proxy = task->proxy;
  delete task;
  if (proxy == nullptr) return;
  proxy->combining_task_ = nullptr;
  if (to_be_committed && !proxy->requests_.empty()) proxy->combiner_->commit(proxy);
}

// Wakes the callers of all requests, except the committer and the combining worker: they run.
void FCProxy::wake_all() {
  detail::TaskScope* scope = nullptr;
  int64_t completed = 0;
  for (size_t i = 0; i < requests_.size(); ++i) {
    const uintptr_t request = requests_[i];
    if (i + kPrefetchDistance < requests_.size()) {
      GRAPPA_PREFETCH(reinterpret_cast<const void*>(requests_[i + kPrefetchDistance]));
    }
    if (is_async(request)) {
      if (scope_of(request) != scope) {
        if (scope != nullptr) scope->complete(completed);
        scope = scope_of(request);
        completed = 0;
      }
      ++completed;
    } else if (worker_of(request) != committer_ && worker_of(request) != combining_worker_) {
      detail::scheduler().wake(worker_of(request));
    }
  }
  if (scope != nullptr) scope->complete(completed);
}

}  // namespace Grappa
