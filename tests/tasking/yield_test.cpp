/// Tests of all kinds of yield.

#include "system/tasking/scheduler.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(Scheduler, YieldLetsTheOtherReadyWorkersRunFirst) {
  run_tasks([] {
    int others = 0;
    WaitQueue<> gate;
    spawn_behind(&gate, 5, [&others](int) { ++others; });
    gate.wake_all();
    EXPECT_EQ(others, 0);
    yield();
    EXPECT_EQ(others, 5);
  });
}

TEST(Scheduler, YieldReturnsWhenNothingElseIsReady) {
  int yields = 0;
  run_tasks([&yields] {
    for (; yields < 1000; ++yields) yield();
  });
  EXPECT_EQ(yields, 1000);
}

TEST(Scheduler, YieldingForeverDoesNotStarveNewTasks) {
  const int kEnough = 100000;
  int yields = 0;
  bool ran = false;
  run_tasks([&] {
    WaitQueue<> gate;
    spawn_behind(&gate, 2, [&](int) {
      while (!ran && yields < kEnough) yield();
    });
    gate.wake_all();
    yield();
    spawn([&ran] { ran = true; });
    while (!ran && yields < kEnough) {
      ++yields;
      yield();
    }
  });
  EXPECT_LT(yields, kEnough);
}

TEST(YieldForPrefetch, ReturnsWhenThereIsNoOtherWorker) {
  int turns = 0;
  run_tasks([&turns] {
    for (; turns < 1000; ++turns) scheduler().yield_for_prefetch();
  });
  EXPECT_EQ(turns, 1000);
}

TEST(YieldForPrefetch, LetsAReadyWorkerRunFirst) {
  VirtualClock clock;
  run_tasks([] {
    int others = 0;
    WaitQueue<> gate;
    spawn_behind(&gate, 1, [&others](int) { ++others; });
    gate.wake_all();
    scheduler().yield_for_prefetch();
    EXPECT_EQ(others, 1);
  });
}

TEST(YieldForPrefetch, StartsAQueuedTaskIfNoWorkerIsReady) {
  VirtualClock clock;
  run_tasks([] {
    bool ran = false;
    spawn([&ran] { ran = true; });
    scheduler().yield_for_prefetch();
    EXPECT_TRUE(ran);
  });
}

/// Returns how many of a thousand tasks have started when the first task has had ten turns.
template <class F>
int begun_after_ten_turns(F give_way) {
  VirtualClock clock;
  int begun = 0, begun_then = 0;
  run_tasks([&] {
    WaitQueue<> gate;
    spawn_behind(&gate, 1000, [&](int) {
      ++begun;
      for (int turn = 0; turn < 10; ++turn) give_way();
      if (begun_then == 0) begun_then = begun;
    });
    gate.wake_all();
  });
  EXPECT_EQ(begun, 1000);
  return begun_then;
}

TEST(YieldForPrefetch, ResumesAfterFewSwitchesWithManyReadyWorkers) {
  EXPECT_EQ(begun_after_ten_turns([] { yield(); }), 1000);
  EXPECT_LT(begun_after_ten_turns([] { scheduler().yield_for_prefetch(); }), 100);
}

TEST(YieldForPrefetch, ByManyTasksDoesNotStarveOthers) {
  VirtualClock clock;
  int turns = 0;
  bool stop = false;
  run_tasks([&] {
    WaitQueue<> gate;
    spawn_behind(&gate, 100, [&](int) {
      while (!stop && ++turns < 1000000) scheduler().yield_for_prefetch();
    });
    gate.wake_all();
    yield();
    stop = true;
  });
  EXPECT_LT(turns, 10000);
}

TEST(YieldForPrefetch, KeepsEachTaskInItsScope) {
  run_tasks([] {
    TaskScope scopes[30];
    for (TaskScope& scope : scopes) {
      scope.drained = [](TaskScope*) {};
      TaskScope* mine = &scope;
      const auto body = [mine] {
        for (int k = 0; k < 100; ++k) {
          scheduler().yield_for_prefetch();
          EXPECT_EQ(current_scope(), mine);
        }
      };
      scheduler().tasks().push(Closure::make(body), mine);
    }
    TaskScope* mine = current_scope();
    for (TaskScope& scope : scopes) {
      while (scope.open > 0) yield();
      EXPECT_EQ(current_scope(), mine);
    }
  });
}

int times_handler_suspended;

TEST(YieldForPrefetch, HandsOverTheBufferOfAHandler) {
  times_handler_suspended = 0;
  SchedulerHooks hooks;
  hooks.handler_suspends = [] { ++times_handler_suspended; };
  run_tasks(TaskingOptions(), hooks, [] {
    scheduler().set_in_handler(true);
    scheduler().yield_for_prefetch();
    EXPECT_FALSE(scheduler().in_handler());
  });
  EXPECT_EQ(times_handler_suspended, 1);
}

int polls;

SchedulerHooks hooks_that_count_polls() {
  polls = 0;
  SchedulerHooks hooks;
  hooks.poll = [] {
    ++polls;
    return false;
  };
  return hooks;
}

TEST(YieldForPrefetch, ByManyTasksDoesNotDelayPolls) {
  VirtualClock clock;
  run_tasks(TaskingOptions(), hooks_that_count_polls(), [&clock] {
    WaitQueue<> gate;
    spawn_behind(&gate, 20, [&clock](int) {
      for (int k = 0; k < 1000; ++k) {
        clock.advance_ns(100);
        scheduler().yield_for_prefetch();
      }
    });
    polls = 0;
    gate.wake_all();
  });
  EXPECT_GE(polls, 20 * 1000 * 100 / 4000 / 2) << "an interval is 4000 ns";
}

TEST(YieldIfDue, YieldsOncePerPollInterval) {
  VirtualClock clock;
  TaskingOptions options;
  options.poll_interval_ns = 4000;
  run_tasks(options, hooks_that_count_polls(), [&clock] {
    yield();
    const int before = polls;
    int yielded = 0;
    for (int k = 0; k < 1000; ++k) {
      clock.advance_ns(500);
      yielded += scheduler().yield_if_due() ? 1 : 0;
    }
    EXPECT_EQ(yielded, 1000 * 500 / 4000);
    EXPECT_EQ(polls - before, yielded) << "one poll per yield";
  });
}

TEST(YieldIfDue, LetsOtherWorkersRun) {
  VirtualClock clock;
  run_tasks([&clock] {
    int others = 0;
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [&others](int) { ++others; });
    gate.wake_all();
    EXPECT_FALSE(scheduler().yield_if_due());
    EXPECT_EQ(others, 0);
    clock.advance_ns(1000000);
    EXPECT_TRUE(scheduler().yield_if_due());
    EXPECT_EQ(others, 3);
  });
}

TEST(YieldIfDue, HasNoEffectOutsideATask) {
  VirtualClock clock;
  TaskRunner runner;
  clock.advance_ns(1000000);
  EXPECT_FALSE(runner.scheduler().yield_if_due());
  runner.run([&clock] {
    clock.advance_ns(1000000);
    scheduler().set_in_handler(true);
    EXPECT_FALSE(scheduler().yield_if_due()) << "in a handler, a yield would hand over the buffer";
    scheduler().set_in_handler(false);
    EXPECT_TRUE(scheduler().yield_if_due());
  });
}

}  // namespace
}  // namespace Grappa
