#include "system/tasking/worker_pool.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/base/traits.hpp"
#include "system/observe/counters.hpp"

#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <iterator>
#include <new>

namespace Grappa::detail {
namespace {

Counter most_workers("tasking.workers", "workers", "at most at a time, pollers included");
Counter workers_ended("tasking.workers_ended", "workers",
                      "beyond num_workers, ended when they were not needed any more");
Counter stack_resident("tasking.stack_resident", "bytes", "of stacks in memory");
Counter worker_cost("tasking.worker_cost", "bytes", "of memory for a worker on average",
                    Counter::Total::Max);
Counter high_water("tasking.stack_high_water", "bytes", "of a worker's stack in use at most",
                   Counter::Total::Max);

/// Up to this number, the canaries fit into the second-level cache: a check takes a nanosecond.
/// With 131,072 workers, checks would make a switch two thirds longer, so only polls check.
constexpr size_t kCanariesInCache = 4096;

/// Number of kept workers beyond num_workers. High-priority tasks need such workers repeatedly.
constexpr int64_t kExtraWorkers = 64;

StackPlacement placement(const TaskingOptions& options) {
  const bool packed = options.stack_bytes < options.packed_below_bytes &&
                      options.num_workers > options.packed_above_workers;
  return packed ? StackPlacement::Packed : StackPlacement::Guarded;
}

}  // namespace

OverflowSentence overflow_sentence(const Worker& worker) {
  constexpr size_t kLongestName = 160;
  size_t length = 0;
  const char* name = type_name_in(worker.runs == nullptr ? "nothing" : worker.runs, &length);
  OverflowSentence sentence;
  std::snprintf(sentence.text, sizeof sentence.text,
                "worker %u, running %.*s, overflowed its stack of %zu bytes; raise "
                "--stack_bytes, or keep large objects off the stack",
                worker.number, static_cast<int>(std::min(length, kLongestName)), name,
                worker.stack.bytes);
  return sentence;
}

WorkerPool::WorkerPool(const TaskingOptions& options, void (*entry)(Transfer),
                       bool check_each_switch)
    : checks_each_switch_(check_each_switch),
      always_checks_(check_each_switch),
      kinds_{{{options.stack_bytes, placement(options),
               static_cast<size_t>(std::max<int64_t>(1, options.num_workers))},
              nullptr},
             {{std::max(options.stack_bytes, options.poll_stack_bytes)}, nullptr},
             {{std::max(options.stack_bytes, options.main_stack_bytes)}, nullptr}},
      num_workers_(options.num_workers),
      entry_(entry) {}

WorkerPool::~WorkerPool() {
  for (Worker* worker : workers_) {
    if (worker != nullptr) destroy(worker);
  }
}

GRAPPA_NOINLINE Worker* WorkerPool::create(Worker::Role role) {
  Vacancy place = {};
  if (role == Worker::Role::RunsTasks && !vacant_.empty()) {
    place = vacant_.back();
    vacant_.pop_back();
  } else {
    place = {static_cast<uint32_t>(workers_.size()), kind(role).stacks.take()};
    workers_.push_back(nullptr);
    ++most_workers;
  }
  const Stack& stack = place.stack;
  GRAPPA_DCHECK(workers_[place.number] == nullptr) << "two workers have the same number";
  Worker* worker = new (stack.top() - sizeof(Worker)) Worker(place.number, stack, role);
  // A context inherits the floating-point environment, which the running task may have changed.
  std::fenv_t mine;
  std::fegetenv(&mine);
  std::fesetenv(FE_DFL_ENV);
  worker->saved = make_context(worker, stack.bytes - sizeof(Worker), entry_, &worker->fiber);
  std::fesetenv(&mine);
  workers_[place.number] = worker;
  if (role == Worker::Role::RunsTasks) ++task_workers_;
  if (!stack.guarded()) set_unguarded(unguarded_ + 1);
  return worker;
}

void WorkerPool::destroy(Worker* worker) {
  GRAPPA_DCHECK(workers_[worker->number] == worker) << "a worker is destroyed twice";
  GRAPPA_DCHECK(worker->state != Worker::State::Running) << "a running worker is destroyed";
  workers_[worker->number] = nullptr;
  end_context(&worker->fiber);
  worker->~Worker();
}

/// Ends at most one worker per call, so that the core keeps polling.
void WorkerPool::retire_surplus(int64_t live_tasks) {
  Kind& tasks = kind(Worker::Role::RunsTasks);
  const bool surplus = task_workers_ > num_workers_ + kExtraWorkers;
  if (!surplus || live_tasks >= num_workers_ || tasks.idle == nullptr) return;
  Worker* worker = tasks.idle;
  GRAPPA_DCHECK(worker->state == Worker::State::Idle) << "a worker that is not idle was retired";
  tasks.idle = worker->next;
  const Vacancy place = {worker->number, worker->stack};
  high_water_of_retired_ = std::max(high_water_of_retired_, place.stack.high_water_bytes());
  destroy(worker);
  tasks.stacks.discard(place.stack);
  vacant_.push_back(place);
  --task_workers_;
  if (!place.stack.guarded()) set_unguarded(unguarded_ - 1);
  ++workers_ended;
}

void WorkerPool::set_unguarded(size_t workers) {
  GRAPPA_DCHECK(workers <= size() + 1) << "more unguarded workers than workers";
  unguarded_ = workers;
  checks_each_switch_ = workers <= kCanariesInCache || always_checks_;
}

GRAPPA_NOINLINE void WorkerPool::check_canary(const Worker* worker) const {
  const Stack& stack = worker->stack;
  GRAPPA_CHECK(unguarded_ == 0 || stack.guarded() ||
               (stack_pointer() >= stack.bottom && Stack::canary_is_alive(stack.bottom)))
      << overflow_sentence(*worker).text;
}

const Worker* WorkerPool::whose(bool (Stack::*holds)(const void*) const,
                                const void* address) const {
  for (const Worker* worker : workers_) {
    if (worker != nullptr && (worker->stack.*holds)(address)) return worker;
  }
  return nullptr;
}

bool WorkerPool::in_stack_area(const void* address) const {
  return std::any_of(std::begin(kinds_), std::end(kinds_),
                     [address](const Kind& kind) { return kind.stacks.contains(address); });
}

void WorkerPool::count_stacks() const {
  size_t resident = 0;
  for (const Kind& kind : kinds_) resident += kind.stacks.resident_bytes();
  stack_resident.set(resident);
  worker_cost.set(size() == 0 ? 0 : resident / size());
  size_t most = high_water_of_retired_;
  for (const Worker* worker : workers_) {
    if (worker != nullptr) most = std::max(most, worker->stack.high_water_bytes());
  }
  high_water.set(most);
}

}  // namespace Grappa::detail
