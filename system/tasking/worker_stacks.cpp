/// The workers of the scheduler and their stacks: made, ended, where they are, what they cost.

#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/overflow.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cfenv>
#include <new>

namespace Grappa {
namespace detail {
namespace {

Counter most_workers("tasking.workers", "workers", "at most at a time, pollers included");
Counter workers_ended("tasking.workers_ended", "workers",
                      "beyond num_workers, given up when they were not needed any more");
Counter stack_resident("tasking.stack_resident", "bytes", "of stacks in memory");
Counter worker_cost("tasking.worker_cost", "bytes", "of memory for a worker on average",
                    Counter::Total::Max);
Counter high_water("tasking.stack_high_water", "bytes", "of a worker's stack in use at most",
                   Counter::Total::Max);

/// A canary is a cache line more for each switch. As long as they fit the second-level cache beside
/// the rest, that is a nanosecond, and it is looked at whenever a worker is left. Beyond, a switch
/// would take two thirds more time among 131,072 workers; then it is looked at when a poll is due.
constexpr size_t kCanariesInCache = 4096;

/// So many beyond num_workers are kept: the runtime's urgent tasks come and go.
constexpr int64_t kSpareWorkers = 64;

}  // namespace

/// Where a worker has ended, or one place more.
Scheduler::Place Scheduler::take_place(const IdleWorkers& kind) {
  if (kind.role == Worker::Role::RunsTasks && !vacant_.empty()) {
    const Place place = vacant_.back();
    vacant_.pop_back();
    return place;
  }
  const Place place = {static_cast<uint32_t>(workers_.size()), kind.area->take()};
  workers_.push_back(nullptr);
  ++most_workers;
  return place;
}

GRAPPA_NOINLINE Worker* Scheduler::new_worker(const IdleWorkers& kind) {
  const Place place = take_place(kind);
  const Stack& stack = place.stack;
  Worker* worker = new (stack.top() - sizeof(Worker)) Worker(place.number, stack, kind.role);
  // A context begins with the floating-point environment of whoever makes it. That may be a task
  // which has changed its own.
  std::fenv_t mine;
  std::fegetenv(&mine);
  std::fesetenv(FE_DFL_ENV);
  worker->saved = make_context<worker_main>(worker, stack.bytes() - sizeof(Worker), &worker->fiber);
  std::fesetenv(&mine);
  workers_[place.number] = worker;
  if (kind.role == Worker::Role::RunsTasks) ++task_workers_;
  if (!stack.guarded()) set_unguarded(unguarded_ + 1);
  return worker;
}

void Scheduler::end_worker(Worker* worker) {
  workers_[worker->number] = nullptr;
  end_context(&worker->fiber);
  worker->~Worker();
}

/// The limit of workers grows when the program needs more than num_workers, and when another core
/// was out of its processor for long. When it has come back, the memory of those beyond does, too;
/// one at a time, so that the core goes on polling.
void Scheduler::end_surplus_worker() {
  IdleWorkers& kind = idle(Worker::Role::RunsTasks);
  const bool surplus = task_workers_ > options_.num_workers + kSpareWorkers;
  if (!surplus || live_tasks_ >= options_.num_workers || kind.first == nullptr) return;
  Worker* worker = kind.first;
  kind.first = worker->next;
  const Place place = {worker->number, worker->stack};
  high_water_of_ended_ = std::max(high_water_of_ended_, place.stack.high_water_bytes());
  end_worker(worker);
  kind.area->discard(place.stack);
  vacant_.push_back(place);
  --task_workers_;
  if (!place.stack.guarded()) set_unguarded(unguarded_ - 1);
  ++workers_ended;
}

void Scheduler::set_unguarded(size_t workers) {
  unguarded_ = workers;
  canary_each_switch_ = workers <= kCanariesInCache || notes_each_switch_;
}

GRAPPA_NOINLINE void Scheduler::check_canary() const {
  const Stack& stack = current_->stack;
  GRAPPA_CHECK(unguarded_ == 0 || stack.guarded() ||
               (stack_pointer() >= stack.bottom() && Stack::canary_is_alive(stack.bottom())))
      << overflow_sentence(*current_).text;
}

const Worker* Scheduler::worker_guarding(const void* address) const {
  for (const Worker* worker : workers_) {
    if (worker != nullptr && worker->stack.guards(address)) return worker;
  }
  return nullptr;
}

Scheduler::StackUse Scheduler::stack_use(const void* address) const {
  constexpr uintptr_t kRootStackBytes = 8 * MiB;  // Linux's usual limit for the first thread
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  const void* const here = __builtin_frame_address(0);
  const uintptr_t root = reinterpret_cast<uintptr_t>(current_ == nullptr ? here : root_);
  if (place < root && root - place <= kRootStackBytes) return StackUse::Unused;
  for (const Worker* worker : workers_) {
    if (worker == nullptr) continue;
    const char* const byte = static_cast<const char*>(address);
    const Stack& stack = worker->stack;
    if (byte < stack.bottom() || byte >= stack.top()) continue;
    const void* pointer = worker == current_ ? here : ready_.saved_of(worker);
    if (pointer == nullptr) pointer = worker->saved;
    return address < pointer ? StackUse::Unused : StackUse::InUse;
  }
  for (const StackArea* area : {&stacks_, &poll_stacks_, &main_stacks_}) {
    if (area->contains(address)) return StackUse::Unused;
  }
  return StackUse::NoStack;
}

size_t Scheduler::resident_stack_bytes() const {
  return stacks_.resident_bytes() + poll_stacks_.resident_bytes() + main_stacks_.resident_bytes();
}

void Scheduler::count_stacks() const {
  const size_t resident = resident_stack_bytes();
  stack_resident.set(resident);
  worker_cost.set(workers() == 0 ? 0 : resident / workers());
  size_t most = high_water_of_ended_;
  for (const Worker* worker : workers_) {
    if (worker != nullptr) most = std::max(most, worker->stack.high_water_bytes());
  }
  high_water.set(most);
}

}  // namespace detail
}  // namespace Grappa
