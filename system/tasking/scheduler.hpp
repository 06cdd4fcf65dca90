#pragma once

/// The scheduler of one core: decides which worker runs next.
///
/// Workers are switched only where one suspends or yields; nothing is preempted, so code between
/// two such points is atomic on its core. There is no scheduler thread. A worker that suspends
/// picks the next ready one and switches to it directly. When the network is due, or nothing is
/// ready, a worker from the idle list is resumed instead: it is the dispatcher, which polls, starts
/// new tasks on itself, and goes back to the idle list when workers are ready. Invariants: a worker
/// is running, ready, waiting, or idle, and in exactly one of these. Exactly one context runs at a
/// time: one worker's, or the root, the stack that called run().

#include "system/base/closure.hpp"
#include "system/base/growing_ring.hpp"
#include "system/tasking/hooks.hpp"
#include "system/tasking/options.hpp"
#include "system/tasking/worker.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace Grappa {

class Scheduler {
 public:
  Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// The worker that runs; null on the root stack.
  Worker* current() const { return current_; }

  /// Goes to the back of the ready queue. From: task or handler. Suspends: always.
  void yield();

  /// Waits until somebody calls wake() with this worker. From: task or handler. Suspends: always.
  void suspend();

  /// Puts a suspended worker at the back of the ready queue.
  void wake(Worker* worker) { ready_.push_back(worker); }

  /// Queues a task; it starts, in the order of the calls, when a worker is free for it.
  void start_task(const Closure& body, TaskScope* scope);

  /// Makes `body` the first thing that the next run() runs, on a stack of main_stack_bytes.
  void start_main(const Closure& body);

  /// Runs tasks and messages until stop() is called. From: the root stack.
  void run();

  /// Makes run() return at the next switch; tasks that have not ended stay as they are.
  void stop() { stopping_ = true; }

  /// Sends what is waiting to be sent, receives and runs messages until none is left, but starts
  /// and resumes no task. From: the root stack, after run().
  void drain();

  size_t ready_workers() const { return ready_.size(); }
  size_t queued_tasks() const { return tasks_.size(); }
  int64_t live_tasks() const { return live_tasks_; }
  size_t workers() const { return workers_.size(); }
  const TaskingOptions& options() const { return options_; }

  /// The worker in whose stack guard `address` lies, or null.
  const Worker* worker_guarding(const void* address) const;

 private:
  struct Task {
    Closure body;
    TaskScope* scope;
  };

  Worker* new_worker(size_t stack_bytes);
  Worker* idle_worker();
  Worker* next_worker();
  void switch_to(Worker* next);
  void return_to_root();
  void run_task(const Task& task);
  void dispatch();
  bool may_start_task() const;
  void become_idle();
  void idle_round(bool received);
  static void worker_main(void* self);
  static void live(void* self);

  const TaskingOptions options_;
  const SchedulerHooks hooks_;
  Worker* current_ = nullptr;
  GrowingRing<Worker*> ready_;
  GrowingRing<Task> tasks_;
  Worker* idle_ = nullptr;  // linked by Worker::next, most recently used first
  int switches_until_poll_;
  int64_t live_tasks_ = 0;     // tasks that have started and not ended
  int64_t idle_rounds_ = 0;    // of a dispatcher, since a worker or a task last ran
  int64_t stalled_turns_ = 0;  // of dispatchers, since a task last ended or started
  bool stopping_ = false;
  bool draining_ = false;
  Closure main_;
  Worker* main_worker_ = nullptr;  // until it has started
  Context root_;
  std::vector<std::unique_ptr<Worker>> workers_;  // all, for their memory
};

namespace detail {
extern Scheduler* the_scheduler;
}  // namespace detail

/// This core's scheduler. Exists between init and finalize.
inline Scheduler& scheduler() { return *detail::the_scheduler; }

/// Lets every other ready worker run first. From: task or handler. Suspends: always.
inline void yield() { scheduler().yield(); }

}  // namespace Grappa
