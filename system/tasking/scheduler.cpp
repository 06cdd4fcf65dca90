#include "system/tasking/scheduler.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <exception>

#include <sched.h>

namespace Grappa {
namespace detail {

Scheduler* the_scheduler = nullptr;

}  // namespace detail

Scheduler::Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks)
    : options_(options), hooks_(hooks), switches_until_poll_(options.switches_per_poll) {
  GRAPPA_CHECK(detail::the_scheduler == nullptr) << "a core has one scheduler";
  detail::the_scheduler = this;
}

Scheduler::~Scheduler() { detail::the_scheduler = nullptr; }

Worker* Scheduler::new_worker(size_t stack_bytes) {
  workers_.emplace_back(new Worker(stack_bytes));
  Worker* worker = workers_.back().get();
  make_context(&worker->context, worker->stack, worker_main, worker);
  return worker;
}

Worker* Scheduler::idle_worker() {
  if (idle_ == nullptr) return new_worker(options_.stack_bytes);
  Worker* worker = idle_;
  idle_ = worker->next;
  return worker;
}

/// Who runs when the current worker stops to. The dispatcher gets its turn after a number of
/// switches although others are ready: it polls, and starts a task beside workers that only yield.
Worker* Scheduler::next_worker() {
  if (!ready_.empty() && !stopping_ && --switches_until_poll_ > 0) return ready_.pop_front();
  return idle_worker();
}

void Scheduler::switch_to(Worker* next) {
  Worker* self = current_;
  if (next == self) return;  // alone, it yielded
  current_ = next;
  switch_context(self == nullptr ? &root_ : &self->context, &next->context);
}

void Scheduler::return_to_root() {
  Worker* self = current_;
  current_ = nullptr;
  switch_context(&self->context, &root_);
}

void Scheduler::yield() {
  GRAPPA_CHECK(current_ != nullptr) << "yield outside of a task: call it inside Grappa::run";
  if (current_->in_handler) hooks_.handler_suspends();
  ready_.push_back(current_);
  switch_to(next_worker());
}

void Scheduler::suspend() {
  GRAPPA_CHECK(current_ != nullptr)
      << "this call waits, and only a task can wait: call it inside Grappa::run";
  if (current_->in_handler) hooks_.handler_suspends();
  switch_to(next_worker());
}

void Scheduler::start_task(const Closure& body, TaskScope* scope) {
  if (scope != nullptr) scope->enroll(1);
  tasks_.push_back(Task{body, scope});
}

void Scheduler::start_main(const Closure& body) {
  GRAPPA_CHECK(current_ == nullptr) << "run inside of run";
  main_ = body;
  main_worker_ = new_worker(options_.main_stack_bytes);
}

void Scheduler::run_task(const Task& task) {
  Worker* self = current_;
  ++live_tasks_;
  self->scope = task.scope;
  Closure body = task.body;
  body.run_and_destroy();
  --live_tasks_;
  stalled_turns_ = 0;
  self->scope = nullptr;
  if (task.scope != nullptr) task.scope->complete(1);
}

bool Scheduler::may_start_task() const {
  if (tasks_.empty() || draining_) return false;
  if (live_tasks_ < options_.num_workers) return true;
  // All workers there may be are taken. They may be waiting for what a queued task will do: by
  // suspending, or by yielding for ever.
  return ready_.empty() ? idle_rounds_ > options_.idle_rounds_before_growth
                        : stalled_turns_ > options_.stalled_turns_before_growth;
}

/// A round in which no worker and no task could run.
void Scheduler::idle_round(bool received) {
  ++idle_rounds_;
  if (received || (hooks_.flush != nullptr && hooks_.flush())) return;
  // Others may need the processor, on a machine with more cores of ours than processors above all.
  if (idle_rounds_ > options_.idle_rounds_before_yield) ::sched_yield();
}

void Scheduler::become_idle() {
  current_->next = idle_;
  idle_ = current_;
}

/// The life of a worker that has nothing of its own to do.
void Scheduler::dispatch() {
  for (;;) {
    const bool nothing_to_run = ready_.empty() && !may_start_task();
    bool received = false;
    if (--switches_until_poll_ <= 0 || nothing_to_run || stopping_) {
      switches_until_poll_ = options_.switches_per_poll;
      received = hooks_.poll != nullptr && hooks_.poll();
    }
    if (draining_ ? !received : stopping_) {
      become_idle();
      return_to_root();
      continue;
    }
    if (draining_) continue;
    ++stalled_turns_;
    if (may_start_task()) {
      idle_rounds_ = 0;
      stalled_turns_ = 0;
      run_task(Task(tasks_.pop_front()));
    }
    if (!ready_.empty()) {
      idle_rounds_ = 0;
      Worker* next = ready_.pop_front();
      become_idle();
      switch_to(next);
    } else if (nothing_to_run) {
      idle_round(received);
    }
  }
}

void Scheduler::live(void* self) {
  Scheduler& me = scheduler();
  if (self == me.main_worker_) {
    me.main_worker_ = nullptr;  // from now on a worker like any other
    me.run_task(Task{me.main_, nullptr});
  }
  me.dispatch();
}

void Scheduler::worker_main(void* self) {
  try {
    live(self);
  } catch (const std::exception& error) {
    GRAPPA_CHECK(false) << "an exception left a task or a message: " << error.what();
  } catch (...) {
    GRAPPA_CHECK(false) << "an exception that is no std::exception left a task or a message";
  }
}

void Scheduler::run() {
  GRAPPA_CHECK(current_ == nullptr) << "run inside of run";
  stopping_ = false;
  switch_to(main_worker_ != nullptr ? main_worker_ : idle_worker());
}

void Scheduler::drain() {
  GRAPPA_CHECK(current_ == nullptr) << "drain inside of run";
  draining_ = true;
  if (hooks_.flush != nullptr) hooks_.flush();
  switch_to(idle_worker());
  draining_ = false;
}

const Worker* Scheduler::worker_guarding(const void* address) const {
  for (const auto& worker : workers_) {
    if (worker->stack.guards(address)) return worker.get();
  }
  return nullptr;
}

}  // namespace Grappa
