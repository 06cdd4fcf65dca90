#pragma once

/// What synchronization objects and delegates need of the scheduler: what runs, suspend, and wake.
///
/// This header is small because mutexes and events are members of the data structures of a program.

#include "system/base/core_local.hpp"
#include "system/tasking/wait_reason.hpp"

namespace Grappa {
namespace detail {

struct TaskScope;
struct Worker;

/// What runs on this core: the part of the scheduler that other modules read.
class Running {
 public:
  /// The running worker; null on the root stack.
  Worker* current() const { return current_; }

  /// The scope of the running task or handler, which new tasks join; null if there is none.
  TaskScope* scope() const { return scope_; }
  void set_scope(TaskScope* scope) { scope_ = scope; }

  /// True while the current worker runs the handlers of a buffer. Such a worker must not wait for a
  /// buffer. If the worker suspends, another worker runs the rest of the buffer (SchedulerHooks).
  bool in_handler() const { return in_handler_; }
  void set_in_handler(bool in_handler) { in_handler_ = in_handler; }

 protected:
  Worker* current_ = nullptr;
  TaskScope* scope_ = nullptr;
  bool in_handler_ = false;
};

/// The scheduler of this core.
extern GRAPPA_CORE_LOCAL(Running*) the_scheduler;

/// True on the thread of a core, between init and finalize.
inline bool in_job() { return !is_absent(the_scheduler); }

/// From: any, in a job.
inline Worker* current_worker() { return the_scheduler->current(); }
inline TaskScope* current_scope() { return the_scheduler->scope(); }

/// The worker of the running task or handler, which is about to suspend. Aborts the job if no task
/// runs.
Worker* waiting_worker();

/// Suspends the running worker until wake() is called with it. Reports print `reason`. From: task
/// or handler. Suspends: always.
void suspend(WaitReason reason);

/// Puts a suspended worker at the back of the ready queue.
void wake(Worker* worker);

/// Yields if the network is due. True if it did. From: any; does nothing but in a task. Suspends:
/// once in poll_interval_us at most.
bool yield_if_due();

/// Records for reports which body the running worker runs.
void set_running_body(const char* signature);

/// Replaces the reason of a suspended worker.
void change_reason(Worker* worker, WaitReason reason);

}  // namespace detail

/// Lets every other ready worker run first. From: task or handler. Suspends: always.
void yield();

/// Suspends the calling task for at least `seconds`. The task resumes when its core next selects
/// it. From: task or handler. Suspends: always.
void sleep_for(double seconds);

}  // namespace Grappa
