/// The start order of tasks, relative to ready workers, and the workers on which tasks start.

#include "system/tasking/scheduler.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/tasks.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Scheduler, StartsTasksFirstInFirstOut) {
  std::vector<int> order, expected;
  run_tasks([&] {
    for (int id = 0; id < 500; ++id) {
      expected.push_back(id);
      spawn([&order, id] {
        order.push_back(id);
        if (id % 3 == 0) yield();
      });
    }
  });
  EXPECT_EQ(order, expected);
}

/// Each task of the chain spawns the next, until `ended` or until the chain has 100,000 tasks.
void spawn_chain(int* links, const bool* ended) {
  spawn([links, ended] {
    if (++*links < 100000 && !*ended) spawn_chain(links, ended);
  });
}

TEST(Scheduler, NewTasksDoNotStarveReadyWorkers) {
  int links = 0;
  bool ended = false;
  run_tasks([&] {
    spawn_chain(&links, &ended);
    for (int k = 0; k < 1000; ++k) yield();
    ended = true;
  });
  EXPECT_LT(links, 2000);
}

TEST(Scheduler, ConsecutiveLongTasksDoNotStarveReadyWorkers) {
  VirtualClock clock;
  int tasks = 0;
  run_tasks([&] {
    for (int k = 0; k < 1000; ++k) {
      spawn([&] {
        clock.advance_ns(1000000);  // much longer than the poll interval
        ++tasks;
      });
    }
    yield();
    yield();
    EXPECT_LT(tasks, 100);
  });
  EXPECT_EQ(tasks, 1000);
}

TEST(Scheduler, ReadyWorkersDoNotStarveQueuedTasks) {
  VirtualClock clock;
  int tasks = 0, yields = 0;
  run_tasks([&] {
    for (int k = 0; k < 10000; ++k) spawn([&tasks] { ++tasks; });
    while (tasks < 10000) {
      clock.advance_ns(100);
      yield();
      ++yields;
    }
  });
  EXPECT_LT(yields, 100000) << "40 yields fill a poll interval: one task each takes 400000";
}

TEST(Scheduler, TheMainTaskOfEachRunHasTheSameWorker) {
  TaskRunner runner;
  for (int k = 0; k < 100; ++k) {
    runner.run([] { yield(); });
  }
  EXPECT_LE(runner.scheduler().pool().size(), 3u);
}

TEST(Scheduler, AWokenWorkerWaitsForFewQueuedTasks) {
  VirtualClock clock;  // the time is constant, so no poll is due
  int others = 0;
  run_tasks([&others] {
    WaitQueue<> gate;
    spawn([&gate] { gate.wake_one(); });
    for (int k = 0; k < 100; ++k) spawn([&others] { ++others; });
    gate.suspend();
    EXPECT_LE(others, 16);
  });
  EXPECT_EQ(others, 100);
}

TEST(Scheduler, ReusesItsWorkers) {
  TaskRunner runner;
  runner.run([&runner] {
    for (int k = 0; k < 1000; ++k) {
      spawn([] {});
      runner.wait_for_tasks();
    }
  });
  EXPECT_LE(runner.scheduler().pool().size(), 3u);
}

TEST(Scheduler, ReusesAllIdleWorkers) {
  TaskRunner runner;
  size_t workers = 0;
  runner.run([&] {
    for (int turn = 0; turn < 3; ++turn) {
      WaitQueue<> gate;
      spawn_behind(&gate, 20, [](int) {});
      gate.wake_all();
      runner.wait_for_tasks();
      if (turn == 0) workers = scheduler().pool().size();
    }
  });
  EXPECT_EQ(runner.scheduler().pool().size(), workers);
}

TEST(Scheduler, StartsQueuedTasksWhileAnotherTaskYields) {
  TaskingOptions options;
  options.num_workers = 1;
  bool ran = false;
  run_tasks(options, [&ran] {
    spawn([&ran] { ran = true; });
    while (!ran) yield();  // endless if the queued task cannot start before this task ends
  });
  EXPECT_TRUE(ran);
}

/// Starts a stealable task. In this test no core steals it.
void start_stealable(const Closure& body) {
  scheduler().tasks().push_stealable(StealableTask{Task{body, current_scope()}, nullptr});
}

TEST(Scheduler, StartsStealableTasksNewestFirstAfterAllOthers) {
  std::vector<int> order;
  run_tasks([&order] {
    for (int id = 0; id < 3; ++id) {
      start_stealable(Closure::make([&order, id] { order.push_back(10 + id); }));
      spawn([&order, id] { order.push_back(id); });
    }
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 12, 11, 10}));
}

TEST(Scheduler, GivesTheOldestStealableTaskToAThief) {
  std::vector<int> order;
  StealableTask taken[2];
  run_tasks([&] {
    for (int id = 0; id < 4; ++id) {
      start_stealable(Closure::make([&order, id] { order.push_back(id); }));
    }
    for (StealableTask& task : taken) EXPECT_TRUE(scheduler().tasks().steal(&task));
    EXPECT_EQ(scheduler().tasks().stealable(), 2u);
    current_scope()->complete(2);
  });
  EXPECT_EQ(order, (std::vector<int>{3, 2}));
  for (StealableTask& task : taken) task.task.body.run_and_destroy();
  EXPECT_EQ(order, (std::vector<int>{3, 2, 0, 1}));
}

TEST(Scheduler, TakesNoStealableTaskIfNoneIsQueued) {
  run_tasks([] {
    StealableTask task;
    EXPECT_FALSE(scheduler().tasks().steal(&task));
    spawn([] {});
    EXPECT_FALSE(scheduler().tasks().steal(&task)) << "a task bound to this core";
  });
}

TEST(Scheduler, StealableTasksJoinTheirScope) {
  run_tasks([] {
    TaskScope* scope = current_scope();
    start_stealable(Closure::make([scope] { EXPECT_EQ(current_scope(), scope); }));
    EXPECT_EQ(scope->open, 1);
  });
}

TEST(Scheduler, CountsStartedTasks) {
  const uint64_t before = counted("tasking.tasks");
  run_tasks([] {
    for (int k = 0; k < 10; ++k) spawn([] { yield(); });
    for (int k = 0; k < 5; ++k) start_stealable(Closure::make([] {}));
  });
  EXPECT_EQ(counted("tasking.tasks") - before, 10u + 5u);
}

TEST(Scheduler, CountsClosuresTooLargeForTheQueue) {
  const uint64_t before = counted("tasking.large_closures");
  run_tasks([] {
    struct {
      char bytes[100];
      void operator()() { yield(); }
    } large = {};
    for (int k = 0; k < 3; ++k) spawn(large);
    for (int k = 0; k < 4; ++k) start_stealable(Closure::make(large));
    spawn([] {});
    start_stealable(Closure::make([] {}));
  });
  EXPECT_EQ(counted("tasking.large_closures") - before, 7u);
}

TEST(Scheduler, WorkersRunNothingBetweenTasks) {
  const Worker* worker = nullptr;
  run_tasks([&worker] {
    spawn([&worker] {
      worker = scheduler().current();
      EXPECT_NE(worker->runs, nullptr);
    });
    while (worker == nullptr) yield();
    EXPECT_EQ(worker->runs, nullptr);
    EXPECT_NE(scheduler().current()->runs, nullptr);
  });
}

}  // namespace
}  // namespace Grappa
