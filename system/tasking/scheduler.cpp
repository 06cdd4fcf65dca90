#include "system/tasking/scheduler.hpp"

#include "system/base/compiler.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/note_leaving.hpp"
#include "system/tasking/uncaught.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

namespace Grappa {
namespace detail {

GRAPPA_CORE_LOCAL(Scheduler*) the_scheduler = GRAPPA_ABSENT(Scheduler);

namespace {

Counter large_closures("tasking.large_closures", "tasks", "with a heap-allocated closure");

/// Maximum number of switches and tasks between two clock readings, each as costly as a switch.
constexpr int kSwitchesPerCheck = 32;

StackPlacement placement(const TaskingOptions& options) {
  const bool packed = options.stack_bytes < options.packed_below_bytes &&
                      options.num_workers > options.packed_above_workers;
  return packed ? StackPlacement::Packed : StackPlacement::Guarded;
}

uint64_t ticks_of(int64_t ns) {
  return static_cast<uint64_t>(static_cast<double>(ns) * ticks_per_ns());
}

size_t expected_workers(const TaskingOptions& options) {
  return static_cast<size_t>(std::max<int64_t>(1, options.num_workers));
}

}  // namespace

Scheduler::Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks)
    : options_(options),
      hooks_(hooks),
      ready_(options.prefetch_distance),
      limit_(options.num_workers, ticks_of(options.growth_period_ns)),
      granted_(std::min(kSwitchesPerCheck, options.switches_per_poll)),
      poll_interval_ticks_(ticks_of(options.poll_interval_ns)),
      activity_(ticks()),
      stacks_(options.stack_bytes, placement(options), expected_workers(options)),
      poll_stacks_(std::max(options.stack_bytes, options.poll_stack_bytes), StackPlacement::Guarded,
                   1),
      main_stacks_(std::max(options.stack_bytes, options.main_stack_bytes), StackPlacement::Guarded,
                   1) {
  GRAPPA_CHECK(is_absent(the_scheduler)) << "the core already has a scheduler";
  the_scheduler = this;
  std::set_terminate(detail::check_failed_by_uncaught);
  adopt_thread(&root_fiber_);
  // If each switch is recorded, each switch takes the slow path, as with canary checks. The fast
  // paths test both conditions at once.
  notes_each_switch_ = event_log() != nullptr && event_log()->each_switch();
  canary_each_switch_ = notes_each_switch_;
  idle(Worker::Role::RunsTasks) = {nullptr, &stacks_, Worker::Role::RunsTasks};
  idle(Worker::Role::Polls) = {nullptr, &poll_stacks_, Worker::Role::Polls};
  idle(Worker::Role::RunsMain) = {nullptr, &main_stacks_, Worker::Role::RunsMain};
}

Scheduler::~Scheduler() {
  for (Worker* worker : workers_) {
    if (worker != nullptr) end_worker(worker);
  }
  the_scheduler = GRAPPA_ABSENT(Scheduler);
}

ReadyQueue::Entry Scheduler::idle_worker(Worker::Role role) {
  IdleWorkers& kind = idle(role);
  Worker* worker = kind.first;
  if (GRAPPA_UNLIKELY(worker == nullptr)) {
    worker = new_worker(kind);
  } else {
    kind.first = worker->next;
  }
  return {worker->saved, nullptr, worker};
}

/// Returns true if no poll is due yet, and grants a new budget of switches. The budget lasts until
/// the next poll is due, at the rate of switches since the last poll.
GRAPPA_NOINLINE bool Scheduler::may_go_on() {
  // A core that stops or drains returns to its poller at each switch.
  if (stopping_ || draining_) return false;
  switches_ += granted_;
  granted_ = 0;
  const uint64_t elapsed = std::max<uint64_t>(1, ticks() - polled_ticks_);
  const int left = options_.switches_per_poll - switches_;
  if (elapsed >= poll_interval_ticks_ || left <= 0) return false;
  const uint64_t fitting =
      static_cast<uint64_t>(switches_) * (poll_interval_ticks_ - elapsed) / elapsed;
  const uint64_t most = static_cast<uint64_t>(std::min(kSwitchesPerCheck, left));
  granted_ = static_cast<int>(std::max<uint64_t>(1, std::min(fitting, most)));
  budget_ = granted_;
  return true;
}

void Scheduler::wake_sleepers() {
  const uint64_t now_ns = steady_ns();
  while (Worker* worker = sleepers_.next_due(now_ns)) wake(worker);
}

bool Scheduler::poll() {
  if (!sleepers_.empty()) wake_sleepers();
  ready_.queue_for_prefetch();
  switches_ += granted_ - std::max(0, budget_);
  const uint64_t begin_ticks = ticks();
  const uint64_t elapsed = std::max<uint64_t>(1, begin_ticks - polled_ticks_);
  activity_.turn_to(Activity::Polling, begin_ticks);
  const bool received = hooks_.poll != nullptr && hooks_.poll();
  polled_ticks_ = ticks();
  // A poll that finds no work counts as idle time.
  const bool idle = !received && (draining_ || (ready_.empty() && !may_start_task()));
  if (idle) activity_.correct(Activity::Idle);
  activity_.turn_to(Activity::Running, polled_ticks_);
  // The new budget is the number of switches that fitted into the last interval.
  const uint64_t fitting = static_cast<uint64_t>(switches_) * poll_interval_ticks_ / elapsed;
  const uint64_t most =
      static_cast<uint64_t>(std::min(kSwitchesPerCheck, options_.switches_per_poll));
  if (switches_ > 0) granted_ = static_cast<int>(std::max<uint64_t>(1, std::min(fitting, most)));
  switches_ = 0;
  budget_ = stopping_ || draining_ ? 0 : granted_;
  return received;
}

/// Selects the next worker.
ReadyQueue::Entry Scheduler::next() {
  if (ready_.empty()) ready_.queue_for_prefetch();
  if (ready_.empty() || (budget_ <= 0 && !may_go_on())) return idle_worker(Worker::Role::Polls);
  --budget_;
  return ready_.pop();
}

/// Returns true if the current stack may have overflowed; the next worker might then run on
/// overwritten memory. All stacks of an area have one size, and the Worker object is at the top of
/// its stack. The address of the canary is therefore known without access to the Worker. For the
/// few workers that do not run tasks, the address is inside their stacks, and the result may be a
/// false alarm.
inline bool Scheduler::may_have_overflown() const {
  if (!canary_each_switch_ || unguarded_ == 0) return false;
  const char* const bottom = reinterpret_cast<const char*>(current_ + 1) - stacks_.stack_bytes();
  return stack_pointer() < bottom || !Stack::canary_is_alive(bottom);
}

/// Switches from the current worker to another. The registers are saved at `save`. The compiler can
/// remove the caller's frame before the switch, because the caller does nothing afterwards. Only
/// the saved registers are then between the frame of the task and the saved stack pointer.
inline void Scheduler::leave(void** save, ReadyQueue::Entry next) {
  Worker* self = current_;
  current_ = next.worker;
  scope_ = next.scope;
  switch_context(save, next.saved, &self->fiber, &next.worker->fiber);
}

void Scheduler::leave_idle(ReadyQueue::Entry next) {
  IdleWorkers& kind = idle(current_->role);
  current_->next = kind.first;
  kind.first = current_;
  const bool polls = current_->role == Worker::Role::Polls;
  if (polls || next.worker->role == Worker::Role::Polls) {
    note_leaving(*this);
  } else {
    note_frequent_leaving(*this);
  }
  leave(&current_->saved, next);
}

void Scheduler::return_to_root() {
  Worker* self = current_;
  note_leaving(*this);
  IdleWorkers& kind = idle(self->role);
  self->next = kind.first;
  kind.first = self;
  current_ = nullptr;
  switch_context(&self->saved, root_, &self->fiber, &root_fiber_);
}

void Scheduler::enter_from_root(ReadyQueue::Entry next) {
  current_ = next.worker;
  if (event_log() != nullptr) event_log()->enter();
  switch_context(&root_, next.saved, &root_fiber_, &next.worker->fiber);
}

/// Handles the rare cases of a suspension.
GRAPPA_NOINLINE void Scheduler::check_may_suspend() {
  GRAPPA_CHECK(current_ != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  if (!in_handler_) return;
  in_handler_ = false;
  turn_to(Activity::Running);  // the poll ends here for the activity clock
  hooks_.handler_suspends();
}

GRAPPA_NOINLINE void Scheduler::yield_slow() {
  check_may_suspend();
  const bool poll_due = budget_ <= 0 && !may_go_on();
  if (poll_due || canary_each_switch_) check_canary();
  if (ready_.empty()) ready_.queue_for_prefetch();
  if (ready_.empty() && !poll_due) {  // alone
    --budget_;
    return;
  }
  if (poll_due || notes_each_switch_) note_leaving(*this);
  void** save = ready_.push_running(current_, scope_);
  leave(save, poll_due ? idle_worker(Worker::Role::Polls) : next());
}

GRAPPA_NOINLINE void Scheduler::suspend_slow(WaitReason reason) {
  check_may_suspend();
  if (budget_ <= 0 || canary_each_switch_) check_canary();
  current_->scope = scope_;
  current_->waits = reason;
  if (GRAPPA_UNLIKELY(event_log() != nullptr)) {
    if (ready_.empty()) ready_.queue_for_prefetch();
    const bool polls_next = ready_.empty() || (budget_ <= 0 && !may_go_on());
    if (polls_next || notes_each_switch_) return suspend_noted();
  }
  leave(&current_->saved, next());
}

GRAPPA_NOINLINE void Scheduler::suspend_noted() {
  const uint32_t self = current_->number;
  note_leaving(*this);
  leave(&current_->saved, next());
  if (event_log() != nullptr) event_log()->resume(self);
}

// The next two functions are the most frequent operations of a program. Rare cases are handled in
// tail calls, so these functions need no frame.

void Scheduler::yield() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || ready_.empty() || budget_ <= 0 ||
                      ready_.full() ||
                      (canary_each_switch_ && (notes_each_switch_ || may_have_overflown())))) {
    yield_slow();
    return;
  }
  --budget_;
  void** save = ready_.push_running(current_, scope_);
  leave(save, ready_.pop());
}

void Scheduler::suspend(WaitReason reason) {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || ready_.empty() || budget_ <= 0 ||
                      (canary_each_switch_ && (notes_each_switch_ || may_have_overflown())))) {
    suspend_slow(reason);
    return;
  }
  --budget_;
  current_->scope = scope_;
  current_->waits = reason;
  leave(&current_->saved, ready_.pop());
}

void Scheduler::yield_after_start() {
  const bool plain = current_ != nullptr && !in_handler_ && budget_ > 0 && !may_have_overflown();
  if (!plain || !may_start_task()) {
    yield();
    // After a due poll, the poller starts tasks only occasionally while workers are ready.
    if (plain || budget_ <= 0 || !may_start_task()) return;
  }
  --budget_;
  note_frequent_leaving(*this);
  void** save = ready_.push_running(current_, scope_);
  leave(save, idle_worker(Worker::Role::RunsTasks));
}

void Scheduler::yield_for_prefetch() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || budget_ <= 0 || may_have_overflown())) {
    yield_slow();
    return;
  }
  ReadyQueue::Entry next;
  // NOLINTNEXTLINE(bugprone-branch-clone): the conditions between equal branches differ
  if (ready_.prefetching() == ReadyQueue::kPrefetching) {
    next = ready_.pop_prefetching();
  } else if (!ready_.empty()) {
    next = ready_.pop();
  } else if (may_start_task()) {
    next = idle_worker(Worker::Role::RunsTasks);
  } else if (ready_.prefetching() != 0) {
    next = ready_.pop_prefetching();
  } else {
    return;
  }
  --budget_;
  note_frequent_leaving(*this);
  leave(ready_.push_running_for_prefetch(current_, scope_), next);
}

bool Scheduler::yield_if_due() {
  if (current_ == nullptr || in_handler_) return false;
  if (ticks() - polled_ticks_ < poll_interval_ticks_) return false;
  switches_ += granted_ - std::max(0, budget_);
  granted_ = 0;
  budget_ = 0;  // forces yield() to read the clock
  ++progress_;  // the task has run since the last poll
  yield();
  return true;
}

void Scheduler::sleep_until(uint64_t deadline_ns) {
  sleepers_.add(deadline_ns, current_);
  suspend(WaitReason(WaitReason::Kind::Time, deadline_ns / 1000000));
}

void Scheduler::start_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  if (!body.is_inline()) ++large_closures;
  tasks_.push_back(Task{body, scope});
}

void Scheduler::start_high_priority_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  high_priority_tasks_.push_back(Task{body, scope});
}

void Scheduler::start_helper_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  helper_tasks_.push_back(Task{body, scope});
}

void Scheduler::start_stealable_task(const StealableTask& task) {
  if (task.task.scope != nullptr) task.task.scope->enroll(1);
  if (!task.task.body.is_inline()) ++large_closures;
  stealable_tasks_.push_back(task);
}

bool Scheduler::take_stealable_task(StealableTask* task) {
  if (stealable_tasks_.empty()) return false;
  *task = stealable_tasks_.pop_front();
  return true;
}

void Scheduler::start_main(const Closure& body) {
  GRAPPA_CHECK(current_ == nullptr) << "run was called inside of run";
  main_ = body;
  main_waits_ = true;
}

void Scheduler::run() {
  GRAPPA_CHECK(current_ == nullptr) << "run was called inside of run";
  stopping_ = false;
  polled_ticks_ = ticks();
  activity_.turn_to(Activity::Running, polled_ticks_);
  switches_ = 0;
  granted_ = std::min(kSwitchesPerCheck, options_.switches_per_poll);
  budget_ = granted_ - 1;  // the first worker uses one switch
  const Worker::Role first = main_waits_ ? Worker::Role::RunsMain : Worker::Role::Polls;
  main_waits_ = false;
  enter_from_root(idle_worker(first));
}

void Scheduler::stop() {
  stopping_ = true;
  budget_ = 0;
}

void Scheduler::drain() {
  GRAPPA_CHECK(current_ == nullptr) << "drain was called inside of run";
  draining_ = true;
  if (hooks_.flush != nullptr) hooks_.flush();
  enter_from_root(idle_worker(Worker::Role::Polls));
  draining_ = false;
}

}  // namespace detail

void sleep_for(double seconds) {
  GRAPPA_CHECK(!std::isnan(seconds)) << "sleep_for: the time is not a number (NaN)";
  constexpr double kLongest = 1e9;  // seconds
  const double ns = std::min(std::max(seconds, 0.0), kLongest) * 1e9;
  detail::scheduler().sleep_until(detail::steady_ns() + static_cast<uint64_t>(ns));
}

}  // namespace Grappa
