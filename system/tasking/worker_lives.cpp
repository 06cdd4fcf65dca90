/// The main loops of the workers.

#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/note_leaving.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>

#include <sched.h>

namespace Grappa {
namespace detail {
namespace {

Counter tasks_run("tasking.tasks", "tasks", "started");
Counter grown("tasking.grown", "workers", "created beyond num_workers because all others waited");
Counter idle_sleeps("tasking.idle_sleeps", "times",
                    "the core slept after a long time without work");

/// Number of tasks that start one after the other although workers are ready.
constexpr int kTasksInARow = 16;

/// One task in this many is taken from a queue other than the first.
constexpr uint32_t kTurnsOfTheFirstQueue = 16;

/// Turns of the poller with ready workers before a helper task starts. The ready workers can do the
/// work of the helper task, but they may also yield forever.
constexpr uint32_t kTurnsOfReadyWorkers = 256;

}  // namespace

void Scheduler::run_body(Closure body, TaskScope* scope) {
  Worker* self = current_;
  silent_rounds_ = 0;
  scope_ = scope;
  self->runs = body.signature();
  body.run_and_destroy();
  if (unguarded_ != 0) check_canary();
  note_frequent_leaving(*this);
  self->runs = nullptr;
  scope_ = nullptr;
}

void Scheduler::run_task(const Task& task) {
  ++live_tasks_;
  ++tasks_run;
  TaskScope* const scope = task.scope;
  run_body(task.body, scope);
  --live_tasks_;
  ++progress_;
  limit_.task_ended(live_tasks_);
  if (scope != nullptr) scope->complete(1);
}

bool Scheduler::may_start_task() const {
  const size_t queued = tasks_.size() + stealable_tasks_.size() + helper_tasks();
  const bool allowed = queued != 0 && limit_.allows(live_tasks_);
  return (allowed || !high_priority_tasks_.empty()) && !stopping_;
}

/// Called when tasks are queued but the limit of started tasks is reached. Tasks that yield, sleep
/// or wait for replies may resume without new workers. Helper tasks are not needed. Other cores
/// return buffers.
void Scheduler::consider_growth() {
  const bool unsure =
      !ready_.empty() || !sleepers_.empty() || waits_for_others_ != 0 || !has_needed_tasks();
  limit_.not_allowed(polled_ticks_, progress_,
                     waits_for_buffers_ != 0 ? Standstill::Elsewhere
                     : unsure                ? Standstill::Unsure
                                             : Standstill::Sure);
}

/// Tasks that only this core can run come first, but they must not delay the other tasks forever.
Task Scheduler::take_task() {
  if (!high_priority_tasks_.empty()) return high_priority_tasks_.pop_front();
  if (live_tasks_ >= options_.num_workers) ++grown;
  const bool others_first = ++tasks_taken_ % kTurnsOfTheFirstQueue == 0;
  if (others_first && !stealable_tasks_.empty()) return stealable_tasks_.pop_back().task;
  if (others_first && helper_tasks() != 0) return helper_tasks_.pop_front();
  if (!tasks_.empty()) return tasks_.pop_front();
  if (helper_tasks() != 0) return helper_tasks_.pop_front();
  return stealable_tasks_.pop_back().task;
}

/// Main loop of the worker that runs the main task. One iteration per run().
void Scheduler::run_main() {
  for (;;) {
    run_body(main_, nullptr);
    leave_idle(next());
  }
}

/// Main loop of a worker that runs tasks.
void Scheduler::run_tasks() {
  for (;;) {
    for (int in_a_row = 0; may_start_task(); ++in_a_row) {
      if (in_a_row >= kTasksInARow && !ready_.empty()) break;
      run_task(take_task());
      if (--budget_ <= 0 && !may_go_on()) break;
    }
    leave_idle(next());
  }
}

/// Ends a round of the poller in which no worker and no task could run.
void Scheduler::idle_round(bool received) {
  const bool moved = received || (hooks_.flush != nullptr && hooks_.flush());
  activity_.correct(moved ? Activity::Polling : Activity::Idle);
  if (moved) {
    silent_rounds_ = 0;
    return;
  }
  if (hooks_.steal != nullptr && queued_tasks() == 0 && live_tasks_ < options_.num_workers) {
    hooks_.steal();
  }
  if (hooks_.quiescent != nullptr && is_quiescent()) hooks_.quiescent(silent_rounds_ == 0);
  back_off();
}

/// Returns true if the core cannot make progress until a message arrives. Called in a round without
/// progress. Helper tasks that wait for a buffer are ignored.
bool Scheduler::is_quiescent() const {
  return sleepers_.empty() && !has_needed_tasks() && helper_tasks() == 0;
}

/// Yields the processor, which other processes may need, above all on an oversubscribed node.
void Scheduler::back_off() {
  ++silent_rounds_;
  if (silent_rounds_ <= options_.idle_rounds_before_yield) return;
  end_surplus_worker();
  if (silent_rounds_ > options_.idle_rounds_before_sleep) {
    ++idle_sleeps;
    sleep_thread_ns(static_cast<uint64_t>(options_.idle_sleep_ns));
  } else {
    ::sched_yield();
  }
}

/// Main loop of a poller.
void Scheduler::poll_and_dispatch() {
  for (;;) {
    const bool received = poll();
    if (draining_ ? !received : stopping_) {
      activity_.correct(Activity::Idle);  // until the other cores arrive
      return_to_root();
      continue;
    }
    if (draining_) continue;
    if (!stealable_tasks_.empty() && hooks_.share != nullptr) hooks_.share();
    if (queued_tasks() != 0 && !limit_.allows(live_tasks_)) consider_growth();
    // Queued tasks and ready workers take turns, so neither starves.
    const bool beside_ready =
        !started_last_turn_ && (has_needed_tasks() || ++turns_ % kTurnsOfReadyWorkers == 0);
    if (may_start_task() && (ready_.empty() || beside_ready)) {
      started_last_turn_ = true;
      leave_idle(idle_worker(Worker::Role::RunsTasks));
    } else if (!ready_.empty()) {
      started_last_turn_ = false;
      silent_rounds_ = 0;
      --budget_;
      leave_idle(ready_.pop());
    } else {
      idle_round(received);
    }
  }
}

void Scheduler::live() {
  switch (current_->role) {
    case Worker::Role::RunsTasks: run_tasks(); break;
    case Worker::Role::Polls: poll_and_dispatch(); break;
    case Worker::Role::RunsMain: run_main(); break;
  }
}

/// Exceptions: see uncaught.hpp.
void Scheduler::worker_main() { scheduler().live(); }

}  // namespace detail
}  // namespace Grappa
