#pragma once

/// The scheduler of one core, which decides which worker runs next.
///
/// A switch happens only where a worker suspends or yields. Code between two such points is atomic
/// on its core. There is no scheduler thread: a worker that suspends switches directly to the next
/// ready worker. If a poll is due or no worker is ready, the worker switches to a *poller*. A
/// poller is a worker that polls, runs handlers, and starts tasks. Tasks run on separate workers,
/// whose stacks may be small. Such a worker runs one task after the other while no other worker is
/// ready.
/// Invariants: Each worker is running, ready, waiting, or idle. Exactly one context runs at a time:
/// that of a worker, or the root, which is the stack that called run().

#include "system/base/check.hpp"
#include "system/base/closure.hpp"
#include "system/base/core_local.hpp"
#include "system/base/growing_ring.hpp"
#include "system/tasking/activity.hpp"
#include "system/tasking/hooks.hpp"
#include "system/tasking/options.hpp"
#include "system/tasking/ready_queue.hpp"
#include "system/tasking/sleepers.hpp"
#include "system/tasking/task.hpp"
#include "system/tasking/worker.hpp"
#include "system/tasking/worker_limit.hpp"

#include <cstdint>
#include <vector>

namespace Grappa {

namespace detail {

class Scheduler {
 public:
  Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// The running worker; null on the root stack.
  Worker* current() const { return current_; }

  /// The scope of the running task or handler, which new tasks join; null if there is none.
  TaskScope* scope() const { return scope_; }
  void set_scope(TaskScope* scope) { scope_ = scope; }

  /// True while the current worker runs the handlers of a buffer. Such a worker must not wait for a
  /// buffer. If the worker suspends, another worker runs the rest of the buffer (SchedulerHooks).
  bool in_handler() const { return in_handler_; }
  void set_in_handler(bool in_handler) { in_handler_ = in_handler; }

  /// Moves the current worker to the end of the ready queue. Suspends: always.
  void yield();

  /// Lets a few other workers run while a prefetched cache line arrives. If no other worker is
  /// ready, a queued task starts. Suspends: if another worker is ready or a task can start.
  void yield_for_prefetch();

  /// Like yield(), but starts a queued task, if allowed, before the ready workers. Suspends:
  /// always.
  void yield_after_start();

  /// Yields if a poll is due. A task that runs long without a switch should call this function.
  /// Returns true if the task yielded. From: any; has no effect outside a task. Suspends: at most
  /// once per poll_interval_us.
  bool yield_if_due();

  /// Suspends the current worker until wake() is called with it. Reports print `reason`.
  void suspend(WaitReason reason = WaitReason(WaitReason::Kind::Other));

  /// Adds a suspended worker to the end of the ready queue.
  void wake(Worker* worker) {
    GRAPPA_DCHECK(worker->waits.kind() != WaitReason::Kind::None) << "a worker is woken twice";
    worker->waits = WaitReason();
    ++progress_;
    ready_.push(worker);
  }

  /// Suspends the current worker until the clock (steady_ns) reaches `deadline_ns`.
  void sleep_until(uint64_t deadline_ns);

  /// Queues a task. Queued tasks start in the order of the calls, when a worker is free.
  void start_task(const Closure& body, TaskScope* scope);

  /// Queues a short task of the runtime on which other tasks wait. The task starts before all
  /// others, regardless of the number of started tasks.
  void start_high_priority_task(const Closure& body, TaskScope* scope);

  /// Queues a helper task, which shares the work of running tasks. If the helper task never starts,
  /// the running tasks do its work. The limit of started tasks does not grow for helper tasks.
  void start_helper_task(const Closure& body, TaskScope* scope);

  /// Queues a task that other cores may steal. On this core, the newest stealable task starts
  /// first, and only when no other task is queued.
  void start_stealable_task(const StealableTask& task);

  /// Removes the oldest queued stealable task, for another core. Returns false if none is left.
  bool take_stealable_task(StealableTask* task);

  /// Sets the main task: the next run() starts with `body`, on a stack of main_stack_bytes.
  void start_main(const Closure& body);

  /// Runs tasks and messages until stop() is called. From: the root stack.
  void run();

  /// Makes run() return at the next switch. Tasks that have not ended keep their state.
  void stop();

  /// Flushes all buffers, then receives messages and runs their handlers until none is left. Starts
  /// and resumes no task. From: the root stack, after run().
  void drain();

  size_t ready_workers() const { return ready_.size(); }
  size_t queued_tasks() const {
    return high_priority_tasks_.size() + tasks_.size() + helper_tasks_.size() + stealable_tasks_.size();
  }
  size_t stealable_tasks() const { return stealable_tasks_.size(); }
  /// Number of tasks that have started and not ended, without the main task.
  int64_t live_tasks() const { return live_tasks_; }
  size_t workers() const { return workers_.size() - vacant_.size(); }
  const TaskingOptions& options() const { return options_; }

  /// Resident bytes of all stacks. A stack grows to the maximum that a task on it has used.
  size_t resident_stack_bytes() const;

  /// The kind of a wait that no task of this core can end.
  enum class WaitFor {
    Others,  // another core: a lack of progress does not mean that more workers are needed
    Buffer   // a free buffer: helper tasks would have to wait for a buffer, too
  };

  /// A task holds this object while it waits.
  class Waiting {
   public:
    Waiting(Scheduler& scheduler, WaitFor what)
        : count_(what == WaitFor::Others ? scheduler.waits_for_others_
                                         : scheduler.waits_for_buffers_) {
      ++count_;
    }
    ~Waiting() { --count_; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    int64_t& count_;
  };

  /// Calls `visit(worker)` for each suspended worker.
  template <class F>
  void for_each_suspended(F visit) const {
    for (const Worker* worker : workers_) {
      if (worker == nullptr) continue;
      if (worker->waits.kind() != WaitReason::Kind::None) visit(*worker);
    }
  }

  /// The worker whose stack guard contains `address`, or null.
  const Worker* worker_guarding(const void* address) const;

  /// The use of an address by the stacks of this core.
  enum class StackUse {
    NoStack,  // the address is on no stack
    Unused,   // on a free stack, or below the stack pointer
    InUse
  };

  /// Searches the stacks of all workers and the root stack. From: any.
  StackUse stack_use(const void* address) const;

  /// For the event log: the number of switches and task ends that were not recorded since the last
  /// call or the last poll. The recorded event itself is not included.
  uint32_t take_unnoted() {
    const int since_poll = switches_ + granted_ - std::max(0, budget_);
    const int unnoted = since_poll >= noted_ ? since_poll - noted_ : since_poll;
    noted_ = since_poll;
    return static_cast<uint32_t>(std::max(0, unnoted - 1));
  }

  /// Updates the counters of stack memory. Reads all stacks.
  void count_stacks() const;

  /// Sets the activity of this core before and after run(), where the scheduler cannot determine
  /// it. Adds all time so far to the counters. From: the root stack.
  void turn_to(Activity activity) { activity_.turn_to(activity, ticks()); }

 private:
  struct IdleWorkers {
    Worker* first = nullptr;  // linked by Worker::next, most recently used first
    StackArea* area;
    Worker::Role role;
  };

  /// The number and the stack of a worker. A new worker reuses those of an ended worker.
  struct Place {
    uint32_t number;
    Stack stack;
  };

  IdleWorkers& idle(Worker::Role role) { return idle_[static_cast<size_t>(role)]; }
  Place take_place(const IdleWorkers& kind);
  Worker* new_worker(const IdleWorkers& kind);
  void end_worker(Worker* worker);
  void end_surplus_worker();
  void set_unguarded(size_t workers);
  ReadyQueue::Entry idle_worker(Worker::Role role);
  ReadyQueue::Entry next();
  void leave(void** save, ReadyQueue::Entry next);
  void leave_idle(ReadyQueue::Entry next);
  void return_to_root();
  void enter_from_root(ReadyQueue::Entry next);
  bool may_have_overflown() const;
  void check_canary() const;
  void check_may_suspend();
  void yield_slow();
  void suspend_slow(WaitReason reason);
  void suspend_noted();
  bool may_go_on();
  void run_body(Closure body, TaskScope* scope);
  void run_task(const Task& task);
  Task take_task();
  /// True if a task other than a helper task is queued.
  bool has_needed_tasks() const {
    return !high_priority_tasks_.empty() || !tasks_.empty() || !stealable_tasks_.empty();
  }
  /// Number of helper tasks that may start.
  size_t helper_tasks() const { return waits_for_buffers_ == 0 ? helper_tasks_.size() : 0; }
  bool may_start_task() const;
  void consider_growth();
  void run_main();
  void run_tasks();
  void poll_and_dispatch();
  bool poll();
  void wake_sleepers();
  void idle_round(bool received);
  bool is_quiescent() const;
  void back_off();
  void live();
  static void worker_main();

  const TaskingOptions options_;
  const SchedulerHooks hooks_;
  Worker* current_ = nullptr;
  TaskScope* scope_ = nullptr;
  int budget_ = 0;  // switches left until the clock is read
  bool in_handler_ = false;
  bool stopping_ = false;
  bool draining_ = false;
  bool canary_each_switch_ = false;
  bool notes_each_switch_ = false;  // implies canary_each_switch_
  ReadyQueue ready_;
  uint64_t progress_ = 0;          // workers woken and tasks ended
  int64_t waits_for_others_ = 0;   // number of tasks
  int64_t waits_for_buffers_ = 0;  // number of tasks
  GrowingRing<Task> high_priority_tasks_;
  GrowingRing<Task> tasks_;
  GrowingRing<Task> helper_tasks_;
  GrowingRing<StealableTask> stealable_tasks_;
  uint32_t tasks_taken_ = 0;
  int64_t live_tasks_ = 0;
  WorkerLimit limit_;
  uint32_t turns_ = 0;
  bool started_last_turn_ = false;  // the poller started a task although workers were ready
  int64_t silent_rounds_ = 0;       // rounds of the poller since the last progress
  int granted_;                     // budget_ at the last reading of the clock
  int switches_ = 0;                // from the last poll to the last reading of the clock
  int noted_ = 0;                   // switches since the last poll at the last take_unnoted
  uint64_t polled_ticks_ = 0;       // end of the last poll
  const uint64_t poll_interval_ticks_;
  ActivityClock activity_;
  Sleepers sleepers_;
  Closure main_;
  bool main_waits_ = false;  // main_ is to start in the next run()
  void* root_ = nullptr;     // the saved root context, while a worker runs
  Fiber root_fiber_;
  StackArea stacks_;
  StackArea poll_stacks_;
  StackArea main_stacks_;
  IdleWorkers idle_[3];             // by role
  size_t unguarded_ = 0;            // number of workers without a guard
  int64_t task_workers_ = 0;        // number of workers that run tasks
  size_t high_water_of_ended_ = 0;  // maximum stack use of ended workers, in bytes
  std::vector<Worker*> workers_;    // by number; null if the worker has ended
  std::vector<Place> vacant_;       // numbers and stacks of ended workers
};

extern GRAPPA_CORE_LOCAL(Scheduler*) the_scheduler;

/// This core's scheduler. Exists between init and finalize.
inline Scheduler& scheduler() { return *the_scheduler; }

}  // namespace detail

/// Lets every other ready worker run first. From: task or handler. Suspends: always.
inline void yield() { detail::scheduler().yield(); }

/// Suspends the calling task for at least `seconds`. The task resumes when its core next selects
/// it. From: task or handler. Suspends: always.
void sleep_for(double seconds);

}  // namespace Grappa
