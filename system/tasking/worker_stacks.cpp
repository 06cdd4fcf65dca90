/// Creates and ends the workers of the scheduler and their stacks, and reports their memory.

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

Counter most_workers("tasking.workers", "workers", "at most at a time, including pollers");
Counter workers_ended("tasking.workers_ended", "workers",
                      "beyond num_workers, ended when no longer needed");
Counter stack_resident("tasking.stack_resident", "bytes", "of resident memory in stacks");
Counter worker_cost("tasking.worker_cost", "bytes", "of resident stack memory per worker",
                    Counter::Total::Max);
Counter high_water("tasking.stack_high_water", "bytes", "of one stack in use at most",
                   Counter::Total::Max);

/// A canary check adds one cache line to each switch. While all canaries fit into the second-level
/// cache beside the other data, the check costs a nanosecond and is made at every switch. With
/// 131,072 workers the check would add two thirds to the time of a switch. Above this limit the
/// canary is therefore checked only when a poll is due.
constexpr size_t kCanariesInCache = 4096;

/// Number of idle workers kept beyond num_workers, for the high-priority tasks of the runtime.
constexpr int64_t kExtraWorkers = 64;

}  // namespace

/// Reuses the number and the stack of an ended worker, or allocates new ones.
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
  // A new context inherits the floating-point environment of its creator. The creator may be a task
  // that has changed its environment, so the default is set here.
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

/// The limit of workers grows if the program needs more than num_workers, or if another core was
/// descheduled for long. After the limit has shrunk, the memory of surplus workers is released.
/// Each call ends one worker, so the core continues to poll.
void Scheduler::end_surplus_worker() {
  IdleWorkers& kind = idle(Worker::Role::RunsTasks);
  const bool surplus = task_workers_ > options_.num_workers + kExtraWorkers;
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
  constexpr uintptr_t kRootStackBytes = 8 * MiB;  // usual limit of the first thread on Linux
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
