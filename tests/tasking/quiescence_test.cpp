#include "system/tasking/scheduler.hpp"

#include "system/observe/clock.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

WaitQueue<>* hook_wakes;
int quiescent_rounds;
int first_rounds;
int flushes_left;

/// Hooks that wake a waiting task in every tenth quiescent round.
SchedulerHooks hooks_that_wake_after_10() {
  quiescent_rounds = 0;
  first_rounds = 0;
  SchedulerHooks hooks;
  hooks.quiescent = [](bool first) -> uint64_t {
    if (first) {
      ++first_rounds;
      EXPECT_EQ(quiescent_rounds % 10, 0) << "another round was before";
    }
    if (++quiescent_rounds % 10 == 0) hook_wakes->wake_one();
    return 0;
  };
  return hooks;
}

TEST(Quiescence, IsReportedRepeatedlyWhileAllTasksWait) {
  WaitQueue<> queue;
  hook_wakes = &queue;
  run_tasks(TaskingOptions(), hooks_that_wake_after_10(), [&queue] { queue.suspend(); });
  EXPECT_EQ(quiescent_rounds, 10);
  EXPECT_EQ(first_rounds, 1);
}

TEST(Quiescence, BeginsAgainAfterATaskHasRun) {
  WaitQueue<> queue;
  hook_wakes = &queue;
  run_tasks(TaskingOptions(), hooks_that_wake_after_10(), [&queue] {
    for (int turn = 0; turn < 3; ++turn) queue.suspend();
  });
  EXPECT_EQ(quiescent_rounds, 30);
  EXPECT_EQ(first_rounds, 3);
}

TEST(Quiescence, IsNotReportedWhileATaskSleeps) {
  static VirtualClock* now;
  VirtualClock clock;
  now = &clock;
  SchedulerHooks hooks = hooks_that_wake_after_10();
  hooks.flush = [] {
    now->advance_ns(1000000);
    return false;
  };
  run_tasks(TaskingOptions(), hooks, [] { sleep_for(1); });
  EXPECT_EQ(quiescent_rounds, 0);
}

TEST(Quiescence, IsNotReportedWhileMessagesAreSent) {
  WaitQueue<> queue;
  hook_wakes = &queue;
  SchedulerHooks hooks = hooks_that_wake_after_10();
  flushes_left = 5;
  hooks.flush = [] { return flushes_left-- > 0; };
  run_tasks(TaskingOptions(), hooks, [&queue] { queue.suspend(); });
  EXPECT_EQ(quiescent_rounds, 10);
  EXPECT_LE(flushes_left, -10);
}

TEST(Quiescence, IsNotReportedWhileTheCoreOnlySpins) {
  TaskingOptions options;
  options.idle_rounds_before_yield = 20;
  WaitQueue<> queue;
  hook_wakes = &queue;
  SchedulerHooks hooks = hooks_that_wake_after_10();
  static int rounds;
  rounds = 0;
  hooks.flush = [] {
    ++rounds;
    return false;
  };
  run_tasks(options, hooks, [&queue] { queue.suspend(); });
  EXPECT_EQ(first_rounds, 1);
  EXPECT_EQ(rounds, quiescent_rounds + 19) << "the first round, and those after 20 rounds";
}

TEST(Quiescence, IsNotReportedWhileQueuedTasksLackWorkers) {
  TaskingOptions options;
  options.num_workers = 1;
  WaitQueue<> queue;
  SchedulerHooks hooks = hooks_that_wake_after_10();
  hook_wakes = &queue;
  run_tasks(options, hooks, [&queue] {
    spawn([&queue] { queue.suspend(); });
    spawn([&queue] { queue.wake_one(); });  // starts after the limit has grown
  });
  EXPECT_EQ(quiescent_rounds, 0);
}

TEST(WaitReason, DescribesTheWaitOfASuspendedWorker) {
  run_tasks([] {
    WaitQueue<> queue;
    const WaitReason reason(WaitReason::Kind::Mutex, &queue);
    Worker* waiting = nullptr;
    spawn([&] {
      waiting = scheduler().current();
      queue.suspend(reason);
    });
    while (waiting == nullptr) yield();
    int suspended = 0;
    scheduler().pool().for_each_suspended([&](const Worker& worker) {
      ++suspended;
      EXPECT_EQ(&worker, waiting);
      EXPECT_TRUE(worker.waits == reason);
      EXPECT_EQ(worker.waits.object(), &queue);
    });
    EXPECT_EQ(suspended, 1);
    queue.wake_one();
    EXPECT_EQ(waiting->waits.kind(), WaitReason::Kind::None);
    scheduler().pool().for_each_suspended([&](const Worker&) { ++suspended; });
    EXPECT_EQ(suspended, 1);
  });
}

}  // namespace
}  // namespace Grappa
