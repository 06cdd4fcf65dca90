#pragma once

/// The scheduler of one core: decides which worker runs next.
///
/// Workers are switched only where one suspends or yields; nothing is preempted, so code between
/// two such points is atomic on its core. There is no scheduler thread. A worker that suspends
/// picks the next ready one and switches to it directly. When the network is due, or nothing is
/// ready, a *poller* is resumed instead: a worker that polls, runs what arrives, and sees to it
/// that new tasks start. Tasks run on workers of their own, whose stacks may be small, one task
/// after the other as long as nobody else is ready. Invariants: a worker is running, ready,
/// waiting, or idle, and in exactly one of these. Exactly one context runs at a time: one worker's,
/// or the root, the stack that called run().

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

  /// The worker that runs; null on the root stack.
  Worker* current() const { return current_; }

  /// The scope of what runs: what it starts joins it. Null outside of any.
  TaskScope* scope() const { return scope_; }
  void set_scope(TaskScope* scope) { scope_ = scope; }

  /// True while the current worker runs messages from a buffer: it must not wait for a buffer, and
  /// when it suspends the rest of that buffer goes to another worker (SchedulerHooks).
  bool in_handler() const { return in_handler_; }
  void set_in_handler(bool in_handler) { in_handler_ = in_handler; }

  /// Goes to the back of the ready queue. From: task or handler. Suspends: always.
  void yield();

  /// Lets a few others run, until a line of memory that the task has asked for has arrived; a
  /// queued task starts if nobody else is ready. From: task or handler. Suspends: if there are
  /// others.
  void yield_soon();

  /// As yield(), but a queued task starts before all who are ready, if one may. From: task or
  /// handler. Suspends: always.
  void yield_after_start();

  /// For a task that runs long without a switch: yields if the network is due. True if it did.
  /// From: any; does nothing but in a task. Suspends: once in poll_interval_us at most.
  bool yield_if_due();

  /// Waits until somebody calls wake() with this worker; `reason` is for reports. From: task or
  /// handler. Suspends: always.
  void suspend(WaitReason reason = WaitReason(WaitReason::Kind::Other));

  /// Puts a suspended worker at the back of the ready queue.
  void wake(Worker* worker) {
    GRAPPA_DCHECK(worker->waits.kind() != WaitReason::Kind::None) << "a worker is woken twice";
    worker->waits = WaitReason();
    ++progress_;
    ready_.push(worker);
  }

  /// Waits until the clock (steady_ns) shows `deadline_ns`. From: task or handler. Suspends:
  /// always.
  void sleep_until(uint64_t deadline_ns);

  /// Queues a task; it starts, in the order of the calls, when a worker is free for it.
  void start_task(const Closure& body, TaskScope* scope);

  /// Queues a short task of the runtime's own that others wait for: it starts before all others,
  /// however many are under way.
  void start_urgent_task(const Closure& body, TaskScope* scope);

  /// Queues a task that does what others will do if it does not start: where all that may be under
  /// way are, it is no reason for more.
  void start_optional_task(const Closure& body, TaskScope* scope);

  /// Queues a task that other cores may take. Here the newest starts first, when no other task is
  /// queued.
  void start_public_task(const PublicTask& task);

  /// Removes the oldest public task that has not started, for another core. False if none is left.
  bool take_public_task(PublicTask* task);

  /// Makes `body` the first thing that the next run() runs, on a stack of main_stack_bytes.
  void start_main(const Closure& body);

  /// Runs tasks and messages until stop() is called. From: the root stack.
  void run();

  /// Makes run() return at the next switch; tasks that have not ended stay as they are.
  void stop();

  /// Sends what is waiting to be sent, receives and runs messages until none is left, but starts
  /// and resumes no task. From: the root stack, after run().
  void drain();

  size_t ready_workers() const { return ready_.size(); }
  size_t queued_tasks() const {
    return urgent_tasks_.size() + tasks_.size() + optional_tasks_.size() + public_tasks_.size();
  }
  size_t public_tasks() const { return public_tasks_.size(); }
  /// Tasks that have started and not ended, without the main task.
  int64_t live_tasks() const { return live_tasks_; }
  size_t workers() const { return workers_.size() - vacant_.size(); }
  const TaskingOptions& options() const { return options_; }

  /// Bytes of all stacks that lie in memory. A worker's grow to what its deepest task has needed.
  size_t resident_stack_bytes() const;

  /// What a waiting task waits for, if it is none of this core's tasks.
  enum class WaitFor {
    Others,  // what another core will do: a standstill meanwhile is no sign of too few workers
    Buffer   // a buffer: optional tasks would only wait for the next one
  };

  /// To be held by a task while it waits.
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

  /// Calls `visit(worker)` for each that is suspended.
  template <class F>
  void for_each_suspended(F visit) const {
    for (const Worker* worker : workers_) {
      if (worker == nullptr) continue;
      if (worker->waits.kind() != WaitReason::Kind::None) visit(*worker);
    }
  }

  /// The worker in whose stack guard `address` lies, or null.
  const Worker* worker_guarding(const void* address) const;

  /// What a stack of this core holds at an address.
  enum class StackUse {
    NoStack,  // the address lies on none
    Unused,   // or below the stack pointer
    InUse
  };

  /// Looks at the stacks of all workers and the one that called run(). From: any.
  StackUse stack_use(const void* address) const;

  /// For the event log: how many switches and ends of tasks it has not been told of since the last
  /// call or the last poll, the one that was told of then left out.
  uint32_t take_unnoted() {
    const int since_poll = switches_ + granted_ - std::max(0, budget_);
    const int unnoted = since_poll >= noted_ ? since_poll - noted_ : since_poll;
    noted_ = since_poll;
    return static_cast<uint32_t>(std::max(0, unnoted - 1));
  }

  /// Enters what stacks have cost so far into the counters. Reads all stacks.
  void count_stacks() const;

  /// What this core does from now on, where the scheduler cannot know: around run(). All time so
  /// far is in the counters then. From: the root stack.
  void turn_to(Activity activity) { activity_.turn_to(activity, ticks()); }

 private:
  struct IdleWorkers {
    Worker* first = nullptr;  // linked by Worker::next, most recently used first
    StackArea* area;
    Worker::Role role;
  };

  /// Of a worker, while there is one.
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
  void yield_with_care();
  void suspend_with_care(WaitReason reason);
  void suspend_noted();
  bool may_go_on();
  void run_body(Closure body, TaskScope* scope);
  void run_task(const Task& task);
  Task take_task();
  /// Tasks are queued that nobody does the work of if they do not start.
  bool has_needed_tasks() const {
    return !urgent_tasks_.empty() || !tasks_.empty() || !public_tasks_.empty();
  }
  /// Those that may start.
  size_t optional_tasks() const { return waits_for_buffers_ == 0 ? optional_tasks_.size() : 0; }
  bool may_start_task() const;
  void consider_growth();
  void run_main();
  void run_tasks();
  void poll_and_dispatch();
  bool poll();
  void wake_sleepers();
  void idle_round(bool received);
  bool is_still() const;
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
  bool notes_each_switch_ = false;  // then canary_each_switch_ too
  ReadyQueue ready_;
  uint64_t progress_ = 0;          // workers woken and tasks ended
  int64_t waits_for_others_ = 0;   // tasks
  int64_t waits_for_buffers_ = 0;  // tasks
  GrowingRing<Task> urgent_tasks_;
  GrowingRing<Task> tasks_;
  GrowingRing<Task> optional_tasks_;
  GrowingRing<PublicTask> public_tasks_;
  uint32_t tasks_taken_ = 0;
  int64_t live_tasks_ = 0;
  WorkerLimit limit_;
  uint32_t turns_ = 0;
  bool started_last_turn_ = false;  // the poller let a task start though workers were ready
  int64_t silent_rounds_ = 0;       // of a poller, since anything happened
  int granted_;                     // what budget_ was when the clock was last read
  int switches_ = 0;                // before that, since the last poll
  int noted_ = 0;                   // switches since the last poll when last told of
  uint64_t polled_ticks_ = 0;       // when the last poll ended
  const uint64_t poll_interval_ticks_;
  ActivityClock activity_;
  Sleepers sleepers_;
  Closure main_;
  bool main_waits_ = false;  // for the next run()
  void* root_ = nullptr;     // the saved root, while a worker runs
  Fiber root_fiber_;
  StackArea stacks_;
  StackArea poll_stacks_;
  StackArea main_stacks_;
  IdleWorkers idle_[3];             // by role
  size_t unguarded_ = 0;            // workers whose stack has no guard
  int64_t task_workers_ = 0;        // workers that run tasks
  size_t high_water_of_ended_ = 0;  // bytes of the stacks of workers that have ended
  std::vector<Worker*> workers_;    // by number, each in its stack; null where one has ended
  std::vector<Place> vacant_;       // where those have ended
};

extern GRAPPA_CORE_LOCAL(Scheduler*) the_scheduler;

/// This core's scheduler. Exists between init and finalize.
inline Scheduler& scheduler() { return *the_scheduler; }

}  // namespace detail

/// Lets every other ready worker run first. From: task or handler. Suspends: always.
inline void yield() { detail::scheduler().yield(); }

/// The calling task goes on after so many seconds, or as soon after as its core gets to it. From:
/// task or handler. Suspends: always.
void sleep_for(double seconds);

}  // namespace Grappa
