/// Each assertion of tasking/ that a caller can break is broken once here. Builds that check
/// invariants (debug, sanitized) run all of these tests. Other builds test only GRAPPA_CHECK.

#include "system/base/units.hpp"
#include "system/tasking/poller.hpp"
#include "system/tasking/task_queues.hpp"
#include "system/tasking/worker.hpp"
#include "system/tasking/worker_pool.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(TaskingDeathTest, RefusesABudgetWithoutSwitches) {
  EXPECT_DEATH(PollBudget(1000, 0), "a poll after 0 switches");
}

TEST(TaskingDeathTest, RefusesALimitOfNoTasks) {
  EXPECT_DEATH(WorkerLimit(0, 1000), "a limit of 0 tasks");
}

TEST(TaskingDeathTest, RefusesTinyStacks) {
  EXPECT_DEATH(StackArea(512, StackPlacement::Guarded, 1), "a stack of 512 bytes");
}

TEST(TaskingDeathTest, RefusesASecondScheduler) {
  const Scheduler first{TaskingOptions(), SchedulerHooks()};
  EXPECT_DEATH(Scheduler(TaskingOptions(), SchedulerHooks()), "already has a scheduler");
}

TEST(TaskingDeathTest, RefusesToRunInsideOfRun) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([&] { runner.scheduler().run(); }), "run was called inside of run");
  EXPECT_DEATH(runner.run([&] { runner.scheduler().drain(); }), "drain was called inside of run");
  EXPECT_DEATH(runner.run([&] { runner.scheduler().start_main(Closure::make([] {})); }),
               "run was called inside of run");
}

TEST(TaskingDeathTest, RefusesToCompleteMoreThanWasStarted) {
  TaskScope scope;
  scope.drained = [](TaskScope*) {};
  scope.enroll(1);
  EXPECT_DEATH(scope.complete(2), "completed more often than enrolled");
}

#ifndef NDEBUG

// Assertions about the states of a worker.

TEST(WorkerStateDeathTest, IsReadyAfterWakeUpAndNotWokenTwice) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    Worker* waiting = nullptr;
    spawn([&waiting] {
      waiting = current_worker();
      suspend(WaitReason(WaitReason::Kind::Other));
    });
    while (waiting == nullptr) yield();
    wake(waiting);
    wake(waiting);
  }),
               "woken twice");
}

TEST(WorkerStateDeathTest, IsNotRunningWhenItIsWoken) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    Worker* const self = current_worker();
    self->waits = WaitReason(WaitReason::Kind::Other);
    wake(self);
  }),
               "is in state 1, not 3");
}

TEST(WorkerStateDeathTest, WaitsWhenItsReasonChanges) {
  TaskRunner runner;
  EXPECT_DEATH(
      runner.run([] { change_reason(current_worker(), WaitReason(WaitReason::Kind::Mutex)); }),
      "the worker does not wait");
}

TEST(WorkerStateDeathTest, HasAReasonWhileItWaits) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] { suspend(WaitReason()); }), "a worker waits for nothing");
}

TEST(WorkerStateDeathTest, HasNoReasonWhileItRuns) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    current_worker()->waits = WaitReason(WaitReason::Kind::Other);
    suspend(WaitReason(WaitReason::Kind::Other));
  }),
               "a waiting worker waits");
}

TEST(WorkerStateDeathTest, RunsWhenItYields) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    spawn([] { yield(); });
    yield();
    current_worker()->state = Worker::State::Idle;
    for (;;) yield();
  }),
               "is in state 0, not 1");
}

TEST(WorkerStateDeathTest, BeginsTasksWithoutABody) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    for (;;) {
      spawn([] { current_worker()->state = Worker::State::Ready; });
      yield();
    }
  }),
               "is in state 2, not 1");
}

// Assertions about bodies of tasks.

TEST(BodyDeathTest, EndsInTheScopeInWhichItBegan) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    static TaskScope other;
    spawn([] { scheduler().set_scope(&other); });
    for (;;) yield();
  }),
               "the scope changed while a body ran");
}

TEST(BodyDeathTest, LeavesNoHandlerBehind) {
  TaskRunner runner;
  EXPECT_DEATH(runner.run([] {
    spawn([] { scheduler().set_in_handler(true); });
    for (;;) yield();
  }),
               "becomes idle inside of a handler");
}

TEST(RootDeathTest, DoesNotStop) {
  Scheduler scheduler{TaskingOptions(), SchedulerHooks()};
  EXPECT_DEATH(scheduler.stop(), "stop was called outside of run");
}

TEST(MainTaskDeathTest, IsOneForEachRun) {
  Scheduler scheduler{TaskingOptions(), SchedulerHooks()};
  scheduler.start_main(Closure::make([] {}));
  EXPECT_DEATH(scheduler.start_main(Closure::make([] {})), "called twice for one run");
}

// Assertions of the parts of the scheduler.

TEST(PollBudgetDeathTest, IsOpenedOnce) {
  PollBudget budget(1000, 10);
  budget.open(0);
  EXPECT_DEATH(budget.open(0), "opened twice");
}

TEST(PollBudgetDeathTest, EndsPollsThatHaveBegun) {
  PollBudget budget(1000, 10);
  EXPECT_DEATH(budget.poll_ends(0, 0), "without the result of poll_begins");
}

struct Queues {
  int64_t buffer_waits = 0;
  TaskQueues tasks{4, 1000, buffer_waits};
};

TEST(TaskQueuesDeathTest, GiveNoTaskThatMayNotStart) {
  Queues queues;
  EXPECT_DEATH(queues.tasks.take(), "no task may start");
}

TEST(TaskQueuesDeathTest, CountEndsOfTasksThatHaveStarted) {
  Queues queues;
  EXPECT_DEATH(queues.tasks.ended(), "more tasks ended than started");
}

TEST(TaskQueuesDeathTest, GrowOnlyWhileTheLimitHoldsTasksUp) {
  Queues queues;
  EXPECT_DEATH(queues.tasks.consider_growth(0, 0, false), "holds up no task");
}

TEST(WorkerLimitDeathTest, CountsNoFewerThanZeroTasks) {
  WorkerLimit limit(4, 1000);
  EXPECT_DEATH(limit.task_ended(-1), "-1 tasks are live");
}

TEST(ReadyQueueDeathTest, GivesNoWorkerWhenEmpty) {
  ReadyQueue queue(0);
  EXPECT_DEATH(queue.pop(), "the ready queue is empty");
  EXPECT_DEATH(queue.pop_prefetching(), "the prefetch queue is empty");
}

TEST(ReadyQueueDeathTest, TakesNoMoreThanItHoldsForPrefetch) {
  ReadyQueue queue(0);
  for (uint32_t k = 0; k < ReadyQueue::kPrefetching; ++k) {
    queue.push_running_for_prefetch(nullptr, nullptr);
  }
  EXPECT_DEATH(queue.push_running_for_prefetch(nullptr, nullptr), "the prefetch queue is full");
}

TEST(SleepersDeathTest, AreWorkers) {
  Scheduler scheduler{TaskingOptions(), SchedulerHooks()};
  EXPECT_DEATH(scheduler.sleep_until(1), "the root stack cannot sleep");
}

TEST(StackAreaDeathTest, TakesBackItsOwnStacksOnly) {
  StackArea area(16 * KiB, StackPlacement::Guarded, 1);
  StackArea other(16 * KiB, StackPlacement::Guarded, 1);
  const Stack stack = other.take();
  EXPECT_DEATH(area.discard(stack), "to another area");
}

void never_entered(Transfer) {}

TEST(WorkerPoolDeathTest, TakesBackWorkersThatRunNoBody) {
  WorkerPool pool(TaskingOptions(), never_entered, false);
  Worker* const worker = pool.take(Worker::Role::RunsTasks);
  worker->runs = "a body";
  EXPECT_DEATH(pool.give_back(worker), "that runs a body becomes idle");
}

TEST(WorkerPoolDeathTest, GivesWorkersOfTheRoleThatIsAskedFor) {
  WorkerPool pool(TaskingOptions(), never_entered, false);
  Worker* const worker = pool.take(Worker::Role::RunsTasks);
  Worker* const poller = pool.take(Worker::Role::Polls);
  pool.give_back(worker);
  worker->next = poller;
  pool.take(Worker::Role::RunsTasks);
  EXPECT_DEATH(pool.take(Worker::Role::RunsTasks), "of another role");
}

TEST(WorkerPoolDeathTest, GivesIdleWorkersOnly) {
  WorkerPool pool(TaskingOptions(), never_entered, false);
  Worker* const worker = pool.take(Worker::Role::RunsTasks);
  pool.give_back(worker);
  worker->state = Worker::State::Ready;
  EXPECT_DEATH(pool.take(Worker::Role::RunsTasks), "contains a worker that is not idle");
  worker->state = Worker::State::Idle;
}

TEST(WorkerPoolDeathTest, TakesBackItsOwnWorkersOnly) {
  WorkerPool pool(TaskingOptions(), never_entered, false);
  WorkerPool other(TaskingOptions(), never_entered, false);
  pool.take(Worker::Role::RunsTasks);
  EXPECT_DEATH(pool.give_back(other.take(Worker::Role::RunsTasks)), "of another pool");
}

TEST(WorkerPoolDeathTest, DestroysNoRunningWorker) {
  const auto destroy_running = [] {
    WorkerPool pool(TaskingOptions(), never_entered, false);
    pool.take(Worker::Role::RunsTasks)->state = Worker::State::Running;
  };
  EXPECT_DEATH(destroy_running(), "a running worker is destroyed");
}

TEST(WorkerPoolDeathTest, RetiresIdleWorkersOnly) {
  TaskingOptions options;
  options.num_workers = 1;
  WorkerPool pool(options, never_entered, false);
  Worker* worker = nullptr;
  for (int k = 0; k < 70; ++k) worker = pool.take(Worker::Role::RunsTasks);
  worker->state = Worker::State::Ready;
  pool.give_back(worker);
  EXPECT_DEATH(pool.retire_surplus(0), "that is not idle was retired");
}

TEST(WaitQueueDeathTest, HoldsATaskOnce) {
  Waiter first, second;
  WaitQueue<> queue;
  queue.push(&first);
  queue.push(&second);
  EXPECT_DEATH(queue.push(&first), "waits in two queues");
  queue.abandon();
  EXPECT_DEATH(queue.pop(), "no task waits");
  EXPECT_DEATH(queue.front(), "the queue of waiting tasks is empty");
}

TEST(TaskScopeDeathTest, CountsUpwards) {
  TaskScope scope;
  EXPECT_DEATH(scope.enroll(-1), "enroll of -1");
  EXPECT_DEATH(scope.complete(-1), "complete of -1");
  scope.enroll(1);
  EXPECT_DEATH(scope.complete(1), "without drained");
}

#endif

}  // namespace
}  // namespace Grappa
