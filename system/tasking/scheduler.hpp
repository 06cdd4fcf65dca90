#pragma once

/// The scheduler of one core: decides which worker runs next.
///
/// A worker that suspends or yields switches directly to the next ready worker. The code between
/// two such points is atomic on its core. If a poll is due or no worker is ready, the worker
/// switches to a *poller*: a worker that polls, runs handlers, and starts tasks. Tasks run on other
/// workers, whose stacks may be small. One context runs at a time: a worker, or the *root*, the
/// stack that called run().

#include "system/base/check.hpp"
#include "system/observe/event_log.hpp"
#include "system/tasking/options.hpp"
#include "system/tasking/poller.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task_queues.hpp"
#include "system/tasking/worker.hpp"
#include "system/tasking/worker_pool.hpp"

#include <cstdint>
#include <map>

namespace Grappa { namespace detail {

class Scheduler : public Running {
 public:
  Scheduler(const TaskingOptions& options, const SchedulerHooks& hooks);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // See suspend.hpp.
  void yield();
  bool yield_if_due();
  bool yield_is_due() const;  // yield_if_due() would yield
  void suspend(WaitReason reason = WaitReason(WaitReason::Kind::Other));
  void wake(Worker* worker) {
    GRAPPA_DCHECK(worker->waits.kind() != WaitReason::Kind::None) << "a worker is woken twice";
    change_state(worker, Worker::State::Waiting, Worker::State::Ready);
    --waits(worker->waits);
    worker->waits = WaitReason();
    ++progress_;
    ready_.push(worker);
  }
  void change_reason(Worker* worker, WaitReason reason) {
    GRAPPA_DCHECK(worker->waits.kind() != WaitReason::Kind::None) << "the worker does not wait";
    --waits(worker->waits);
    worker->waits = reason;
    ++waits(reason);
  }

  /// Lets a few other workers run while a prefetched cache line arrives. If no other worker is
  /// ready, a queued task starts. Suspends: if another worker is ready or a task can start.
  void yield_for_prefetch();

  /// Like yield(), but first starts a queued task, if the limit allows that. Suspends: always.
  void yield_after_start();

  /// Suspends the current worker until the clock (steady_ns) reaches `deadline_ns`.
  void sleep_until(uint64_t deadline_ns);

  /// The next run() runs `body` first, on a stack of main_stack_bytes.
  void start_main(const Closure& body);

  /// Runs tasks and messages until stop() is called. Then run() returns at the next switch, and the
  /// tasks that have not ended stay suspended or queued. From: the root stack.
  void run();
  void stop();

  /// Sends the open buffers, and receives and runs messages until none is left. Starts and resumes
  /// no task. From: the root stack, after run().
  void drain();

  TaskQueues& tasks() { return tasks_; }
  const WorkerPool& pool() const { return pool_; }
  size_t ready_workers() const { return ready_.size(); }

  /// Returns true if this core can continue without a message.
  bool has_work() const {
    return ready_workers() != 0 || !sleepers_.empty() || !tasks_.quiescent();
  }
  const TaskingOptions& options() const { return options_; }

  /// Unused: of no worker, or below the stack pointer of its worker. From: any.
  enum class StackUse { NoStack, Unused, InUse };
  StackUse stack_use(const void* address) const;

  /// Records in the event log that the current worker suspends for its wait reason, or that its
  /// task or handler has ended.
  void note_leaving() {
    if (GRAPPA_UNLIKELY(event_log() != nullptr)) log_leaving();
  }

  /// Sets the activity of this core outside of run() and updates the counters. From: root stack.
  void turn_to(Activity activity) { poller_.turn_to(activity, ticks()); }

 private:
  ReadyQueue::Entry take_worker(Worker::Role role) {
    Worker* const worker = pool_.take(role);
    return {worker->saved, nullptr, worker};
  }
  int64_t& waits(WaitReason reason) { return waits_[static_cast<size_t>(reason.source())]; }
  ReadyQueue::Entry next();

  /// Like note_leaving(), but for frequent switches. The log may omit them.
  void note_frequent_leaving() {
    if (GRAPPA_UNLIKELY(event_log() != nullptr) && !event_log()->passes_over()) log_leaving();
  }
  void log_leaving();
  void leave(void** save, ReadyQueue::Entry next);
  void leave_idle(ReadyQueue::Entry next);
  void return_to_root();
  void enter_from_root(ReadyQueue::Entry next);
  void check_may_suspend();
  void yield_slow();
  void suspend_slow(WaitReason reason);
  void suspend_noted();
  void wait_as(WaitReason reason);
  bool needs_slow_path() const;
  bool may_start_task() const { return !stopping_ && tasks_.may_start(); }
  void run_body(Closure body, TaskScope* scope);
  void run_tasks();
  void poll_and_dispatch();
  bool poll();
  uint64_t wake_ns() const;  // the time at which an idle core has work again
  static void worker_main();

  // The members that each switch accesses come first.
  PollBudget budget_;
  const bool notes_each_switch_;  // the event log records each switch
  bool stopping_ = false;
  bool draining_ = false;
  ReadyQueue ready_;
  WorkerPool pool_;
  uint64_t progress_ = 0;         // workers woken and tasks ended
  int64_t waits_[3] = {0, 0, 0};  // suspended workers, by WaitReason::Source
  const TaskingOptions options_;
  const SchedulerHooks hooks_;
  Poller poller_;
  TaskQueues tasks_;
  std::multimap<uint64_t, Worker*> sleepers_;  // by deadline in ns, then in the order of arrival
  uint32_t turns_ = 0;                         // turns of the poller
  bool started_last_turn_ = false;  // the poller started a task although workers were ready
  Closure main_;
  bool main_waits_ = false;  // main_ waits for the next run()
  void* root_ = nullptr;     // the saved root context while a worker runs
  Fiber root_fiber_;
};

/// This core's scheduler. Exists between init and finalize.
inline Scheduler& scheduler() { return *static_cast<Scheduler*>(the_scheduler); }

}}  // namespace Grappa::detail
