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

Counter large_closures("tasking.large_closures", "tasks", "whose closure was put on the heap");

/// The clock is read every so many switches and tasks at least. Reading it costs as much as a
/// switch.
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
  GRAPPA_CHECK(is_absent(the_scheduler)) << "a core has one scheduler";
  the_scheduler = this;
  std::set_terminate(detail::check_failed_by_uncaught);
  adopt_thread(&root_fiber_);
  // Where each switch is recorded it is made with care, as where canaries are looked at: the fast
  // paths ask for both with one test.
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

/// Whether the network can wait. If so, there is a new budget of switches, by the rate of those
/// since the last poll, so that it lasts until the next one is due.
GRAPPA_NOINLINE bool Scheduler::may_go_on() {
  // A core that stops, or only drains, comes back to its poller at each switch.
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
  ready_.queue_soon();
  switches_ += granted_ - std::max(0, budget_);
  const uint64_t begin_ticks = ticks();
  const uint64_t elapsed = std::max<uint64_t>(1, begin_ticks - polled_ticks_);
  activity_.turn_to(Activity::Polling, begin_ticks);
  const bool received = hooks_.poll != nullptr && hooks_.poll();
  polled_ticks_ = ticks();
  // A poll that finds nothing to do is a part of the idleness, on which the next one follows.
  const bool idle = !received && (draining_ || (ready_.empty() && !may_start_task()));
  if (idle) activity_.correct(Activity::Idle);
  activity_.turn_to(Activity::Running, polled_ticks_);
  // To begin with as many switches as fitted into the interval last time.
  const uint64_t fitting = static_cast<uint64_t>(switches_) * poll_interval_ticks_ / elapsed;
  const uint64_t most =
      static_cast<uint64_t>(std::min(kSwitchesPerCheck, options_.switches_per_poll));
  if (switches_ > 0) granted_ = static_cast<int>(std::max<uint64_t>(1, std::min(fitting, most)));
  switches_ = 0;
  budget_ = stopping_ || draining_ ? 0 : granted_;
  return received;
}

/// Who runs when the current worker stops to.
ReadyQueue::Entry Scheduler::next() {
  if (ready_.empty()) ready_.queue_soon();
  if (ready_.empty() || (budget_ <= 0 && !may_go_on())) return idle_worker(Worker::Role::Polls);
  --budget_;
  return ready_.pop();
}

/// The stack that is about to be left may have overflown: others would run on what it has written
/// over. All stacks of an area are of one size, and a worker lies at the top of its own, so the
/// canary is found without a look at the worker. That is so for workers that run tasks; for the few
/// others it is somewhere in their stacks, and this may be a false alarm.
inline bool Scheduler::may_have_overflown() const {
  if (!canary_each_switch_ || unguarded_ == 0) return false;
  const char* const bottom = reinterpret_cast<const char*>(current_ + 1) - stacks_.stack_bytes();
  return stack_pointer() < bottom || !Stack::canary_is_alive(bottom);
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

/// Everything that is rare about suspending.
GRAPPA_NOINLINE void Scheduler::check_may_suspend() {
  GRAPPA_CHECK(current_ != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  if (!in_handler_) return;
  in_handler_ = false;
  turn_to(Activity::Running);  // the poll goes on in others' time
  hooks_.handler_suspends();
}

GRAPPA_NOINLINE void Scheduler::yield_with_care() {
  check_may_suspend();
  const bool poll_due = budget_ <= 0 && !may_go_on();
  if (poll_due || canary_each_switch_) check_canary();
  if (ready_.empty()) ready_.queue_soon();
  if (ready_.empty() && !poll_due) {  // alone
    --budget_;
    return;
  }
  if (poll_due || notes_each_switch_) note_leaving(*this);
  void** save = ready_.push_running(current_, scope_);
  leave(save, poll_due ? idle_worker(Worker::Role::Polls) : next());
}

GRAPPA_NOINLINE void Scheduler::suspend_with_care(WaitReason reason) {
  check_may_suspend();
  if (budget_ <= 0 || canary_each_switch_) check_canary();
  current_->scope = scope_;
  current_->waits = reason;
  if (GRAPPA_UNLIKELY(event_log() != nullptr)) {
    if (ready_.empty()) ready_.queue_soon();
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

// These two are what a program does all the time. What is rare is elsewhere, in calls at their end,
// so that they need no frame.

void Scheduler::yield() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || ready_.empty() || budget_ <= 0 ||
                      ready_.full() ||
                      (canary_each_switch_ && (notes_each_switch_ || may_have_overflown())))) {
    yield_with_care();
    return;
  }
  --budget_;
  void** save = ready_.push_running(current_, scope_);
  leave(save, ready_.pop());
}

void Scheduler::suspend(WaitReason reason) {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || ready_.empty() || budget_ <= 0 ||
                      (canary_each_switch_ && (notes_each_switch_ || may_have_overflown())))) {
    suspend_with_care(reason);
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
    // A poll that was due lets tasks start only now and then beside those who are ready.
    if (plain || budget_ <= 0 || !may_start_task()) return;
  }
  --budget_;
  note_frequent_leaving(*this);
  void** save = ready_.push_running(current_, scope_);
  leave(save, idle_worker(Worker::Role::RunsTasks));
}

void Scheduler::yield_soon() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || budget_ <= 0 || may_have_overflown())) {
    yield_with_care();
    return;
  }
  ReadyQueue::Entry next;
  // NOLINTNEXTLINE(bugprone-branch-clone): two branches are alike, but others come between them
  if (ready_.soon() == ReadyQueue::kSoon) {
    next = ready_.pop_soon();
  } else if (!ready_.empty()) {
    next = ready_.pop();
  } else if (may_start_task()) {
    next = idle_worker(Worker::Role::RunsTasks);
  } else if (ready_.soon() != 0) {
    next = ready_.pop_soon();
  } else {
    return;
  }
  --budget_;
  note_frequent_leaving(*this);
  leave(ready_.push_running_soon(current_, scope_), next);
}

bool Scheduler::yield_if_due() {
  if (current_ == nullptr || in_handler_) return false;
  if (ticks() - polled_ticks_ < poll_interval_ticks_) return false;
  switches_ += granted_ - std::max(0, budget_);
  granted_ = 0;
  budget_ = 0;  // so that it asks the clock
  ++progress_;  // it has run all that time
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

void Scheduler::start_urgent_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  urgent_tasks_.push_back(Task{body, scope});
}

void Scheduler::start_optional_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  optional_tasks_.push_back(Task{body, scope});
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
  main_waits_ = true;
}

void Scheduler::run() {
  GRAPPA_CHECK(current_ == nullptr) << "run inside of run";
  stopping_ = false;
  polled_ticks_ = ticks();
  activity_.turn_to(Activity::Running, polled_ticks_);
  switches_ = 0;
  granted_ = std::min(kSwitchesPerCheck, options_.switches_per_poll);
  budget_ = granted_ - 1;  // who runs first has one
  const Worker::Role first = main_waits_ ? Worker::Role::RunsMain : Worker::Role::Polls;
  main_waits_ = false;
  enter_from_root(idle_worker(first));
}

void Scheduler::stop() {
  stopping_ = true;
  budget_ = 0;
}

void Scheduler::drain() {
  GRAPPA_CHECK(current_ == nullptr) << "drain inside of run";
  draining_ = true;
  if (hooks_.flush != nullptr) hooks_.flush();
  enter_from_root(idle_worker(Worker::Role::Polls));
  draining_ = false;
}

}  // namespace detail

void sleep_for(double seconds) {
  GRAPPA_CHECK(!std::isnan(seconds)) << "sleep_for a time that is not a number";
  constexpr double kLongest = 1e9;  // seconds
  const double ns = std::min(std::max(seconds, 0.0), kLongest) * 1e9;
  detail::scheduler().sleep_until(detail::steady_ns() + static_cast<uint64_t>(ns));
}

}  // namespace Grappa
