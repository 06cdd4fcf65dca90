#include "system/tasking/scheduler.hpp"

#include "system/base/compiler.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/task.hpp"

#include <algorithm>
#include <cmath>

namespace Grappa::detail {

GRAPPA_CORE_LOCAL(Running*) the_scheduler = GRAPPA_ABSENT(Running);

namespace {

constexpr int kTasksInARow = 16;  // the maximum while workers are ready; not measured

/// If workers are ready, a helper task starts only once per this number of turns of the poller. The
/// ready workers do the same work as the helper, but may yield forever.
constexpr uint32_t kTurnsOfReadyWorkers = 256;

}  // namespace

Scheduler::Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks)
    : budget_(ticks_of(options.poll_interval_ns), options.switches_per_poll),
      notes_each_switch_(event_log() != nullptr && event_log()->each_switch()),
      ready_(options.prefetch_distance),
      pool_(options, first_instruction<worker_main>, notes_each_switch_),
      options_(options),
      hooks_(hooks),
      poller_(options_, hooks_, &budget_, ticks()),
      tasks_(options.num_workers, ticks_of(options.growth_period_ns),
             waits_[static_cast<size_t>(WaitReason::Source::Buffer)]) {
  GRAPPA_CHECK(is_absent(the_scheduler)) << "the core already has a scheduler";
  the_scheduler = this;
  adopt_thread(&root_fiber_);
}

Scheduler::~Scheduler() {
  GRAPPA_DCHECK(current_ == nullptr) << "a worker destroys its scheduler";
  the_scheduler = GRAPPA_ABSENT(Running);
}

ReadyQueue::Entry Scheduler::next() {
  if (ready_.empty()) ready_.queue_for_prefetch();
  if (ready_.empty() || budget_.due()) return take_worker(Worker::Role::Polls);
  budget_.spend();
  return ready_.pop();
}

void Scheduler::log_leaving() {
  const Worker& worker = *current_;
  event_log()->leave(worker.number, worker.runs, worker.role == Worker::Role::Polls,
                     static_cast<uint8_t>(worker.waits.kind()), worker.waits.detail(),
                     event_log()->each_switch() ? 0 : budget_.take_unnoted());
}

/// Switches to another worker and saves the registers at `save`. If this is the last action of a
/// caller, the caller needs no frame: only the saved registers are below the frame of the task.
inline void Scheduler::leave(void** save, ReadyQueue::Entry next) {
  Worker* self = current_;
  GRAPPA_DCHECK(self->state != Worker::State::Running)
      << "the state of a suspended worker was not set";
  GRAPPA_DCHECK(next.saved != nullptr) << "a worker to run has no saved context";
  GRAPPA_DCHECK(next.worker->waits.kind() == WaitReason::Kind::None) << "a waiting worker runs";
  const bool idle = next.worker->state == Worker::State::Idle;
  change_state(next.worker, idle ? Worker::State::Idle : Worker::State::Ready,
               Worker::State::Running);
  current_ = next.worker;
  scope_ = next.scope;
  switch_context(save, next.saved, &self->fiber, &next.worker->fiber);
}

void Scheduler::leave_idle(ReadyQueue::Entry next) {
  GRAPPA_DCHECK(!in_handler_) << "a worker becomes idle inside of a handler";
  const Worker::Role polls = Worker::Role::Polls;
  current_->role == polls || next.worker->role == polls ? note_leaving() : note_frequent_leaving();
  pool_.give_back(current_);
  change_state(current_, Worker::State::Running, Worker::State::Idle);
  leave(&current_->saved, next);
}

void Scheduler::return_to_root() {
  GRAPPA_DCHECK(stopping_ || draining_) << "run() returns without stop()";
  GRAPPA_DCHECK(root_ != nullptr) << "there is no root to return to";
  Worker* self = current_;
  note_leaving();
  pool_.give_back(self);
  change_state(self, Worker::State::Running, Worker::State::Idle);
  current_ = nullptr;
  switch_context(&self->saved, root_, &self->fiber, &root_fiber_);
}

void Scheduler::enter_from_root(ReadyQueue::Entry next) {
  change_state(next.worker, Worker::State::Idle, Worker::State::Running);
  current_ = next.worker;
  if (event_log() != nullptr) event_log()->enter();
  switch_context(&root_, next.saved, &root_fiber_, &next.worker->fiber);
  GRAPPA_DCHECK(current_ == nullptr) << "the root stack and a worker run at the same time";
}

GRAPPA_NOINLINE void Scheduler::check_may_suspend() {
  GRAPPA_CHECK(current_ != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  if (!in_handler_) return;
  in_handler_ = false;
  turn_to(Activity::Running);  // the time of the poll ends here
  hooks_.handler_suspends();
}

/// Tests all rare conditions of the fast paths together.
inline bool Scheduler::needs_slow_path() const {
  return current_ == nullptr || in_handler_ || ready_.empty() || budget_.spent() ||
         (GRAPPA_UNLIKELY(pool_.checks_each_switch()) &&
          (notes_each_switch_ || pool_.may_have_overflown(current_)));
}

inline void Scheduler::wait_as(WaitReason reason) {
  GRAPPA_DCHECK(reason.kind() != WaitReason::Kind::None) << "a worker waits for nothing";
  GRAPPA_DCHECK(current_->waits.kind() == WaitReason::Kind::None) << "a waiting worker waits";
  change_state(current_, Worker::State::Running, Worker::State::Waiting);
  current_->scope = scope_;
  current_->waits = reason;
  ++waits(reason);
}

GRAPPA_NOINLINE void Scheduler::yield_slow() {
  check_may_suspend();
  const bool poll_due = budget_.due();
  if (poll_due || pool_.checks_each_switch()) pool_.check_canary(current_);
  if (ready_.empty()) ready_.queue_for_prefetch();
  if (ready_.empty() && !poll_due) return budget_.spend();  // no other worker
  if (poll_due || notes_each_switch_) note_leaving();
  change_state(current_, Worker::State::Running, Worker::State::Ready);
  void** save = ready_.push_running(current_, scope_);
  leave(save, poll_due ? take_worker(Worker::Role::Polls) : next());
}

GRAPPA_NOINLINE void Scheduler::suspend_slow(WaitReason reason) {
  check_may_suspend();
  if (budget_.spent() || pool_.checks_each_switch()) pool_.check_canary(current_);
  wait_as(reason);
  if (GRAPPA_UNLIKELY(event_log() != nullptr)) {
    if (ready_.empty()) ready_.queue_for_prefetch();
    const bool polls_next = ready_.empty() || budget_.due();
    if (polls_next || notes_each_switch_) return suspend_noted();
  }
  leave(&current_->saved, next());
}

GRAPPA_NOINLINE void Scheduler::suspend_noted() {
  const uint32_t self = current_->number;
  note_leaving();
  leave(&current_->saved, next());
  if (event_log() != nullptr) event_log()->resume(self);
}

// The two most frequent operations. Rare cases are tail calls, so these functions need no frame.

void Scheduler::yield() {
  if (GRAPPA_UNLIKELY(needs_slow_path() || ready_.full())) return yield_slow();
  budget_.spend();
  change_state(current_, Worker::State::Running, Worker::State::Ready);
  void** save = ready_.push_running(current_, scope_);
  leave(save, ready_.pop());
}

void Scheduler::suspend(WaitReason reason) {
  if (GRAPPA_UNLIKELY(needs_slow_path())) return suspend_slow(reason);
  budget_.spend();
  wait_as(reason);
  leave(&current_->saved, ready_.pop());
}

void Scheduler::yield_after_start() {
  const bool plain = current_ != nullptr && !in_handler_ && !budget_.spent() &&
                     !pool_.may_have_overflown(current_);
  if (!plain || !may_start_task()) {
    yield();
    // After a due poll, the poller starts tasks only occasionally while workers are ready.
    if (plain || budget_.spent() || !may_start_task()) return;
  }
  budget_.spend();
  note_frequent_leaving();
  change_state(current_, Worker::State::Running, Worker::State::Ready);
  void** save = ready_.push_running(current_, scope_);
  leave(save, take_worker(Worker::Role::RunsTasks));
}

void Scheduler::yield_for_prefetch() {
  if (GRAPPA_UNLIKELY(current_ == nullptr || in_handler_ || budget_.spent() ||
                      pool_.may_have_overflown(current_))) {
    return yield_slow();
  }
  ReadyQueue::Entry next;
  const bool full = ready_.prefetching() == ReadyQueue::kPrefetching;
  if (!full && !ready_.empty()) {
    next = ready_.pop();
  } else if (!full && may_start_task()) {
    next = take_worker(Worker::Role::RunsTasks);
  } else if (ready_.prefetching() != 0) {
    next = ready_.pop_prefetching();
  } else {
    return;
  }
  budget_.spend();
  note_frequent_leaving();
  change_state(current_, Worker::State::Running, Worker::State::Ready);
  leave(ready_.push_running_for_prefetch(current_, scope_), next);
}

bool Scheduler::yield_is_due() const {
  return current_ != nullptr && !in_handler_ && budget_.interval_is_over(ticks());
}

bool Scheduler::yield_if_due() {
  if (!yield_is_due()) return false;
  budget_.revoke();
  ++progress_;  // the task has run since the last poll
  yield();
  return true;
}

void Scheduler::sleep_until(uint64_t deadline_ns) {
  GRAPPA_DCHECK(current_ != nullptr) << "the root stack cannot sleep";
  sleepers_.emplace(deadline_ns, current_);
  suspend(WaitReason(WaitReason::Kind::Time, deadline_ns / 1000000));
}

void Scheduler::run_body(Closure body, TaskScope* scope) {
  Worker* self = current_;
  GRAPPA_DCHECK(self->runs == nullptr) << "a worker runs two bodies";
  GRAPPA_DCHECK(scope_ == nullptr) << "a worker begins in the scope of another task";
  poller_.moved();
  scope_ = scope;
  self->runs = body.signature();
  body.run_and_destroy();
  GRAPPA_DCHECK(current_ == self) << "a body ends on another worker";
  // The main task may enter the default event, which ends with the job.
  GRAPPA_DCHECK(scope_ == scope || self->role == Worker::Role::RunsMain)
      << "the scope changed while a body ran";
  if (pool_.has_unguarded()) pool_.check_canary(self);
  note_frequent_leaving();
  self->runs = nullptr;
  scope_ = nullptr;
}

void Scheduler::run_tasks() {
  for (;;) {
    for (int in_a_row = 0; may_start_task(); ++in_a_row) {
      if (in_a_row >= kTasksInARow && !ready_.empty()) break;
      const Task task = tasks_.take();
      tasks_.started();
      run_body(task.body, task.scope);
      tasks_.ended();
      ++progress_;
      if (task.scope != nullptr) task.scope->complete(1);
      budget_.spend();
      if (budget_.due()) break;
    }
    leave_idle(next());
  }
}

bool Scheduler::poll() {
  const uint64_t now_ns = sleepers_.empty() ? 0 : steady_ns();
  while (!sleepers_.empty() && sleepers_.begin()->first <= now_ns) {
    wake(sleepers_.extract(sleepers_.begin()).mapped());
  }
  ready_.queue_for_prefetch();
  const bool received =
      poller_.poll([this] { return draining_ || (ready_.empty() && !may_start_task()); });
  ready_.queue_for_prefetch();  // the successors of a suspended handler may have prefetched
  if (GRAPPA_UNLIKELY(virtual_time != nullptr)) ready_.reorder(virtual_time);
  return received;
}

uint64_t Scheduler::wake_ns() const {
  uint64_t wake = sleepers_.empty() ? UINT64_MAX : sleepers_.begin()->first;
  // The limit on tasks grows after a time and a number of turns.
  const auto turn_ns = static_cast<uint64_t>(options_.growth_period_ns / WorkerLimit::kTurns);
  if (tasks_.held_up()) wake = std::min(wake, steady_ns() + turn_ns);
  return wake;
}

void Scheduler::poll_and_dispatch() {
  for (;;) {
    const bool received = poll();
    if (draining_ ? !received : stopping_) {
      poller_.correct(Activity::Idle);  // until the other cores have also stopped
      return_to_root();
      continue;
    }
    if (draining_) continue;
    if (tasks_.stealable() != 0 && hooks_.share != nullptr) hooks_.share();
    if (tasks_.held_up()) {
      const bool others = waits_[static_cast<size_t>(WaitReason::Source::OtherCore)] != 0;
      const bool unsure = !ready_.empty() || !sleepers_.empty() || others;
      tasks_.consider_growth(budget_.polled_ticks(), progress_, unsure);
    }
    // Starts and resumptions alternate, so neither queued tasks nor ready workers wait forever.
    const bool beside_ready =
        !started_last_turn_ && (tasks_.has_needed() || ++turns_ % kTurnsOfReadyWorkers == 0);
    if (may_start_task() && (ready_.empty() || beside_ready)) {
      started_last_turn_ = true;
      leave_idle(take_worker(Worker::Role::RunsTasks));
    } else if (!ready_.empty()) {
      started_last_turn_ = false;
      poller_.moved();
      budget_.spend();
      leave_idle(ready_.pop());
    } else {
      GRAPPA_DCHECK(ready_workers() == 0) << "a core with ready workers is idle";
      const bool may_steal = tasks_.size() == 0 && tasks_.live() < options_.num_workers;
      const bool quiescent = sleepers_.empty() && tasks_.quiescent();
      if (poller_.idle_round(received, may_steal, quiescent, wake_ns())) {
        pool_.retire_surplus(tasks_.live());
      }
    }
  }
}

/// No worker has an exception handler. If an exception leaves a task, std::terminate is therefore
/// called at the point of the throw, so a core dump still shows the frames of the task.
void Scheduler::worker_main() {
  Scheduler& self = scheduler();
  switch (self.current_->role) {
    case Worker::Role::RunsTasks: self.run_tasks(); break;
    case Worker::Role::Polls: self.poll_and_dispatch(); break;
    case Worker::Role::RunsMain:
      for (;; self.leave_idle(self.next())) self.run_body(self.main_, nullptr);  // once per run()
  }
}

void Scheduler::start_main(const Closure& body) {
  GRAPPA_CHECK(current_ == nullptr) << "run was called inside of run";
  GRAPPA_DCHECK(!main_waits_) << "start_main was called twice for one run";
  main_ = body;
  main_waits_ = true;
}

void Scheduler::run() {
  GRAPPA_CHECK(current_ == nullptr) << "run was called inside of run";
  stopping_ = false;
  const uint64_t now_ticks = ticks();
  poller_.turn_to(Activity::Running, now_ticks);
  budget_.open(now_ticks);
  const Worker::Role first = main_waits_ ? Worker::Role::RunsMain : Worker::Role::Polls;
  main_waits_ = false;
  enter_from_root(take_worker(first));
}

void Scheduler::stop() {
  GRAPPA_DCHECK(current_ != nullptr) << "stop was called outside of run";
  stopping_ = true;
  budget_.close();
}

void Scheduler::drain() {
  GRAPPA_CHECK(current_ == nullptr) << "drain was called inside of run";
  draining_ = true;
  budget_.close();
  if (hooks_.flush != nullptr) hooks_.flush();
  enter_from_root(take_worker(Worker::Role::Polls));
  draining_ = false;
}

Scheduler::StackUse Scheduler::stack_use(const void* address) const {
  constexpr size_t kRootStackBytes = 8 * MiB;  // Linux's usual limit for the first thread
  const void* const here = __builtin_frame_address(0);
  const char* const root = static_cast<const char*>(current_ == nullptr ? here : root_);
  if (address < root && address >= root - kRootStackBytes) return StackUse::Unused;
  if (const Worker* const owner = pool_.whose(&Stack::contains, address)) {
    const void* pointer = owner == current_ ? here : ready_.saved_of(owner);
    if (pointer == nullptr) pointer = owner->saved;
    return address < pointer ? StackUse::Unused : StackUse::InUse;
  }
  return pool_.in_stack_area(address) ? StackUse::Unused : StackUse::NoStack;
}

// The functions of suspend.hpp and task.hpp.

Worker* waiting_worker() {
  GRAPPA_CHECK(in_job() && current_worker() != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  return current_worker();
}

void suspend(WaitReason reason) { scheduler().suspend(reason); }
void wake(Worker* worker) { scheduler().wake(worker); }
void change_reason(Worker* worker, WaitReason reason) { scheduler().change_reason(worker, reason); }
bool yield_if_due() { return scheduler().yield_if_due(); }
void set_running_body(const char* signature) { current_worker()->runs = signature; }

void start_task(const Closure& body, TaskScope* scope) { scheduler().tasks().push(body, scope); }
void start_helper_task(const Closure& body, TaskScope* scope) {
  scheduler().tasks().push_helper(body, scope);
}
void start_stealable_task(const StealableTask& task) { scheduler().tasks().push_stealable(task); }

}  // namespace Grappa::detail

void Grappa::yield() { detail::scheduler().yield(); }

void Grappa::sleep_for(double seconds) {
  GRAPPA_CHECK(!std::isnan(seconds)) << "sleep_for: the time is not a number (NaN)";
  constexpr double kLongest = 1e9;  // seconds
  const double ns = std::min(std::max(seconds, 0.0), kLongest) * 1e9;
  detail::scheduler().sleep_until(detail::steady_ns() + static_cast<uint64_t>(ns));
}
