#include "system/tasking/scheduler.hpp"

#include "system/base/bits.hpp"
#include "system/base/compiler.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/overflow.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include <sched.h>

namespace Grappa {
namespace detail {

Scheduler* the_scheduler = nullptr;

}  // namespace detail

namespace {

Counter tasks_run("tasking.tasks", "tasks", "started");
Counter large_closures("tasking.large_closures", "tasks", "whose closure was put on the heap");
Counter grown("tasking.grown", "workers", "made beyond num_workers because all others waited");
Counter idle_sleeps("tasking.idle_sleeps", "times",
                    "the core slept because nothing had happened for long");
Counter workers_made("tasking.workers", "workers", "made, pollers included");
Counter stack_resident("tasking.stack_resident", "bytes", "of stacks in memory");
Counter worker_cost("tasking.worker_cost", "bytes", "of memory for a worker on average",
                    Counter::Total::Max);
Counter high_water("tasking.stack_high_water", "bytes", "of a worker's stack in use at most",
                   Counter::Total::Max);

/// Values of canary_mask_, which say for how many switches a canary is looked at. A canary is a
/// cache line more for each switch. As long as they fit the second-level cache beside the rest that
/// is a nanosecond. Beyond, with 131,072 workers, it would make a switch a third slower; an overflow
/// is then found a few switches of its worker later.
constexpr int kNever = -1;
constexpr int kEverySwitch = 0;
constexpr int kEverySoManySwitches = 32;  // a power of two
constexpr size_t kCanariesInCache = 4096;

StackPlacement placement(const TaskingOptions& options) {
  return options.stack_bytes < options.packed_below_bytes ? StackPlacement::Packed
                                                          : StackPlacement::Guarded;
}

size_t expected_workers(const TaskingOptions& options) {
  return static_cast<size_t>(std::max<int64_t>(1, options.num_workers));
}

}  // namespace

Scheduler::Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks)
    : options_(options),
      hooks_(hooks),
      budget_(options.switches_per_poll),
      canary_mask_(kNever),
      ready_(options.prefetch_distance),
      granted_(options.switches_per_poll),
      poll_interval_ticks_(
          static_cast<uint64_t>(static_cast<double>(options.poll_interval_ns) * ticks_per_ns())),
      stacks_(options.stack_bytes, placement(options), expected_workers(options)),
      poll_stacks_(std::max(options.stack_bytes, options.poll_stack_bytes), StackPlacement::Guarded,
                   1),
      main_stacks_(std::max(options.stack_bytes, options.main_stack_bytes), StackPlacement::Guarded,
                   1) {
  GRAPPA_CHECK(detail::the_scheduler == nullptr) << "a core has one scheduler";
  detail::the_scheduler = this;
  adopt_thread(&root_fiber_);
}

Scheduler::~Scheduler() {
  for (Worker* worker : workers_) {
    end_context(&worker->fiber);
    worker->~Worker();
  }
  detail::the_scheduler = nullptr;
}

Worker* Scheduler::new_worker(StackArea* area, bool polls) {
  const Stack stack = area->take();
  if (!stack.guarded()) {
    canary_mask_ = ++unguarded_ <= kCanariesInCache ? kEverySwitch : kEverySoManySwitches - 1;
  }
  Worker* worker =
      new (stack.top() - sizeof(Worker)) Worker(static_cast<uint32_t>(workers_.size()), stack);
  worker->polls = polls;
  worker->saved = make_context<worker_main>(worker, stack.bytes() - sizeof(Worker), &worker->fiber);
  workers_.push_back(worker);
  ++workers_made;
  return worker;
}

GRAPPA_NOINLINE ReadyQueue::Entry Scheduler::idle_entry(Worker** idle, StackArea* area,
                                                        bool polls) {
  Worker* worker = *idle;
  if (worker == nullptr) {
    worker = new_worker(area, polls);
  } else {
    *idle = worker->next;
  }
  return {worker->saved, nullptr, worker};
}

/// Who runs when the current worker stops to. A poller gets its turn after a number of switches
/// although others are ready.
inline ReadyQueue::Entry Scheduler::next() {
  if (!ready_.empty() && --budget_ > 0) return ready_.pop();
  return idle_poller();
}

/// The stack that is about to be left may have overflown: others would run on what it has written
/// over. All stacks of an area are of one size, and a worker lies at the top of its own, so the
/// canary is found without a look at the worker. That is so for workers that run tasks; for the few
/// others it is somewhere in their stacks, and this may be a false alarm.
inline bool Scheduler::may_have_overflown() const {
  return (budget_ & canary_mask_) == 0 &&
         !Stack::canary_is_alive(reinterpret_cast<const char*>(current_ + 1) -
                                 stacks_.stack_bytes());
}

/// Switches from the current worker to another. `save` is where its registers go. Nothing of the
/// caller's is needed afterwards, so its frame is gone before the switch: only what the registers
/// need lies between the frame of the task and the saved stack pointer.
inline void Scheduler::leave(void** save, ReadyQueue::Entry next) {
  Worker* self = current_;
  current_ = next.worker;
  scope_ = next.scope;
  switch_context(save, next.saved, &self->fiber, &next.worker->fiber);
}

void Scheduler::leave_idle(Worker** idle, ReadyQueue::Entry next) {
  current_->next = *idle;
  *idle = current_;
  leave(&current_->saved, next);
}

void Scheduler::return_to_root() {
  Worker* self = current_;
  self->next = idle_pollers_;
  idle_pollers_ = self;
  current_ = nullptr;
  switch_context(&self->saved, root_, &self->fiber, &root_fiber_);
}

void Scheduler::enter_from_root(ReadyQueue::Entry next) {
  current_ = next.worker;
  switch_context(&root_, next.saved, &root_fiber_, &next.worker->fiber);
  scope_ = nullptr;
}

/// Everything that is rare about suspending.
GRAPPA_NOINLINE void Scheduler::check_may_suspend() {
  GRAPPA_CHECK(current_ != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  check_canary();
  if (!in_handler_) return;
  in_handler_ = false;
  hooks_.handler_suspends();
}

GRAPPA_NOINLINE void Scheduler::check_canary() const {
  const Stack& stack = current_->stack;
  GRAPPA_CHECK(stack.guarded() || Stack::canary_is_alive(stack.bottom()))
      << overflow_sentence(*current_).text;
}

GRAPPA_NOINLINE void Scheduler::yield_with_care() {
  check_may_suspend();
  if (ready_.empty() && --budget_ > 0) return;  // alone
  void** save = ready_.push_running(current_, scope_);
  leave(save, --budget_ > 0 ? ready_.pop() : idle_poller());
}

GRAPPA_NOINLINE void Scheduler::suspend_with_care() {
  check_may_suspend();
  current_->scope = scope_;
  leave(&current_->saved, next());
}

// These two are what a program does all the time. What is rare is elsewhere, in calls at their end,
// so that they need no frame.

void Scheduler::yield() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || ready_.empty() || budget_ <= 1 ||
                      ready_.full() || may_have_overflown())) {
    yield_with_care();
    return;
  }
  --budget_;
  void** save = ready_.push_running(current_, scope_);
  leave(save, ready_.pop());
}

void Scheduler::suspend() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || ready_.empty() || budget_ <= 1 ||
                      may_have_overflown())) {
    suspend_with_care();
    return;
  }
  --budget_;
  current_->scope = scope_;
  leave(&current_->saved, ready_.pop());
}

void Scheduler::sleep_until(uint64_t deadline_ns) {
  sleepers_.add(deadline_ns, current_);
  suspend();
}

void Scheduler::start_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  if (!body.is_inline()) ++large_closures;
  tasks_.push_back(Task{body, scope});
}

void Scheduler::start_public_task(const PublicTask& task) {
  if (task.task.scope != nullptr) task.task.scope->enroll(1);
  if (!task.task.body.is_inline()) ++large_closures;
  public_tasks_.push_back(task);
}

bool Scheduler::take_public_task(PublicTask* task) {
  if (public_tasks_.empty()) return false;
  *task = public_tasks_.pop_front();
  return true;
}

void Scheduler::start_main(const Closure& body) {
  GRAPPA_CHECK(current_ == nullptr) << "run inside of run";
  main_ = body;
  main_worker_ = new_worker(&main_stacks_, false);
}

void Scheduler::run_task(const Task& task) {
  Worker* self = current_;
  ++live_tasks_;
  ++tasks_run;
  idle_rounds_ = 0;
  silent_rounds_ = 0;
  stalled_turns_ = 0;
  Closure body = task.body;
  TaskScope* const scope = task.scope;
  scope_ = scope;
  self->runs = body.signature();
  body.run_and_destroy();
  self->runs = nullptr;
  scope_ = nullptr;
  --live_tasks_;
  stalled_turns_ = 0;
  if (scope != nullptr) scope->complete(1);
}

bool Scheduler::may_start_task() const {
  if (queued_tasks() == 0 || stopping_ || draining_) return false;
  if (live_tasks_ < options_.num_workers) return true;
  // All workers there may be are taken. They may be waiting for what a queued task will do: by
  // suspending, or by yielding for ever.
  return ready_.empty() ? idle_rounds_ > options_.idle_rounds_before_growth
                        : stalled_turns_ > options_.stalled_turns_before_growth;
}

Task Scheduler::take_task() {
  if (live_tasks_ >= options_.num_workers) ++grown;
  return tasks_.empty() ? public_tasks_.pop_back().task : tasks_.pop_front();
}

/// The life of a worker that runs tasks: as many as there are, while nobody else wants to run.
void Scheduler::run_tasks() {
  for (;;) {
    while (may_start_task()) {
      run_task(take_task());
      if (--budget_ <= 0 || !ready_.empty()) break;
    }
    leave_idle(&idle_workers_, next());
  }
}

/// How many switches make a poll interval, by how many it were since the last poll.
void Scheduler::reckon_budget(uint64_t now) {
  const uint64_t elapsed = std::max<uint64_t>(1, now - polled_ticks_);
  const uint64_t used = static_cast<uint64_t>(std::max(1, granted_ - budget_));
  const uint64_t fitting = used * poll_interval_ticks_ / elapsed;
  const uint64_t most = static_cast<uint64_t>(options_.switches_per_poll);
  granted_ = static_cast<int>(std::max<uint64_t>(1, std::min(fitting, most)));
}

void Scheduler::wake_sleepers() {
  const uint64_t now_ns = steady_ns();
  while (Worker* worker = sleepers_.next_due(now_ns)) wake(worker);
}

bool Scheduler::poll() {
  if (idle_rounds_ == 0) reckon_budget(ticks());
  if (!sleepers_.empty()) wake_sleepers();
  const bool received = hooks_.poll != nullptr && hooks_.poll();
  polled_ticks_ = ticks();
  // A core that stops, or only drains, comes back to its poller at each switch.
  budget_ = stopping_ || draining_ ? 0 : granted_;
  return received;
}

/// A round in which no worker and no task could run.
void Scheduler::idle_round(bool received) {
  ++idle_rounds_;
  if (received || (hooks_.flush != nullptr && hooks_.flush())) {
    silent_rounds_ = 0;
    return;
  }
  if (hooks_.steal != nullptr) hooks_.steal();
  back_off();
}

/// Others may need the processor, on a machine with more cores of ours than processors above all.
void Scheduler::back_off() {
  ++silent_rounds_;
  if (silent_rounds_ > options_.idle_rounds_before_sleep) {
    ++idle_sleeps;
    sleep_thread_ns(static_cast<uint64_t>(options_.idle_sleep_ns));
  } else if (silent_rounds_ > options_.idle_rounds_before_yield) {
    ::sched_yield();
  }
}

/// The life of a worker that polls.
void Scheduler::poll_and_dispatch() {
  for (;;) {
    const bool received = poll();
    if (draining_ ? !received : stopping_) {
      return_to_root();
      continue;
    }
    if (draining_) continue;
    ++stalled_turns_;
    if (!public_tasks_.empty() && hooks_.share != nullptr) hooks_.share();
    if (may_start_task()) {
      leave_idle(&idle_pollers_, idle_worker());
    } else if (!ready_.empty()) {
      idle_rounds_ = 0;
      silent_rounds_ = 0;
      leave_idle(&idle_pollers_, ready_.pop());
    } else {
      idle_round(received);
    }
  }
}

void Scheduler::live() {
  Worker* self = current_;
  scope_ = nullptr;
  if (self == main_worker_) {
    main_worker_ = nullptr;  // from now on a worker like any other
    run_task(Task{main_, nullptr});
  }
  if (self->polls) poll_and_dispatch();
  run_tasks();
}

void Scheduler::worker_main() {
  try {
    scheduler().live();
  } catch (const std::exception& error) {
    GRAPPA_CHECK(false) << "an exception left a task or a message: " << error.what();
  } catch (...) {
    GRAPPA_CHECK(false) << "an exception that is no std::exception left a task or a message";
  }
}

void Scheduler::run() {
  GRAPPA_CHECK(current_ == nullptr) << "run inside of run";
  stopping_ = false;
  budget_ = granted_;
  polled_ticks_ = ticks();
  enter_from_root(main_worker_ != nullptr
                      ? ReadyQueue::Entry{main_worker_->saved, nullptr, main_worker_}
                      : idle_poller());
}

void Scheduler::stop() {
  stopping_ = true;
  budget_ = 0;
}

void Scheduler::drain() {
  GRAPPA_CHECK(current_ == nullptr) << "drain inside of run";
  draining_ = true;
  if (hooks_.flush != nullptr) hooks_.flush();
  enter_from_root(idle_poller());
  draining_ = false;
}

const Worker* Scheduler::worker_guarding(const void* address) const {
  for (const Worker* worker : workers_) {
    if (worker->stack.guards(address)) return worker;
  }
  return nullptr;
}

void Scheduler::count_stacks() const {
  const size_t resident =
      stacks_.resident_bytes() + poll_stacks_.resident_bytes() + main_stacks_.resident_bytes();
  stack_resident.set(resident);
  worker_cost.set(workers_.empty() ? 0 : resident / workers_.size());
  size_t most = 0;
  for (const Worker* worker : workers_) most = std::max(most, worker->stack.high_water_bytes());
  high_water.set(most);
}

void sleep_for(double seconds) {
  GRAPPA_CHECK(!std::isnan(seconds)) << "sleep_for a time that is not a number";
  constexpr double kLongest = 1e9;  // seconds
  const double ns = std::min(std::max(seconds, 0.0), kLongest) * 1e9;
  scheduler().sleep_until(steady_ns() + static_cast<uint64_t>(ns));
}

}  // namespace Grappa
