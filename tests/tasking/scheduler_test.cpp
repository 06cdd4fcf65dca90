#include "system/tasking/scheduler.hpp"

#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/tasking/poller.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Scheduler, RunsTheMainTaskFirst) {
  std::vector<int> order;
  TaskRunner runner;
  runner.scheduler().tasks().push(Closure::make([&order] { order.push_back(1); }), nullptr);
  runner.run([&order] {
    order.push_back(0);
    while (order.size() < 2) yield();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1}));
}

TEST(Scheduler, HasNoCurrentWorkerOutsideOfRun) {
  TaskRunner runner;
  EXPECT_EQ(runner.scheduler().current(), nullptr);
  runner.run([] { EXPECT_NE(scheduler().current(), nullptr); });
  EXPECT_EQ(runner.scheduler().current(), nullptr);
}

TEST(Scheduler, ResumesReadyWorkersFirstInFirstOut) {
  std::vector<int> order, expected;
  const int kTurns = 200;
  TaskRunner runner;
  runner.run([&] {
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [&order](int id) {
      for (int turn = 0; turn < kTurns; ++turn) {
        order.push_back(id);
        yield();
      }
    });
    gate.wake_all();
    runner.wait_for_tasks();
  });
  for (int turn = 0; turn < kTurns; ++turn) expected.insert(expected.end(), {0, 1, 2});
  EXPECT_EQ(order, expected);
}

TEST(Scheduler, KeepsTwentyThousandTasksSuspended) {
  const int kTasks = 20000;
  TaskingOptions options;
  options.num_workers = kTasks + 1;
  options.stack_bytes = 64 * KiB;
  int64_t sum = 0;
  TaskRunner runner(options);
  runner.run([&] {
    WaitQueue<> gate;
    spawn_behind(&gate, kTasks, [&sum](int id) { sum += id; });
    EXPECT_EQ(scheduler().tasks().live(), kTasks);
    EXPECT_EQ(sum, 0);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(sum, int64_t{kTasks} * (kTasks - 1) / 2);
}

TEST(Scheduler, StartsHighPriorityTasksBeforeOthersAndBeyondTheLimit) {
  TaskingOptions options;
  options.num_workers = 2;
  std::vector<int> order;
  TaskRunner runner(options);
  runner.run([&] {
    bool high_priority_done = false;
    for (int id = 0; id < 4; ++id) {
      spawn([&order, &high_priority_done, id] {
        while (!high_priority_done) yield();  // keeps this task live
        order.push_back(id);
      });
    }
    scheduler().tasks().push_high_priority(Closure::make([&order] { order.push_back(10); }),
                                           nullptr);
    while (order.empty()) yield();
    EXPECT_EQ(order, std::vector<int>{10});
    while (scheduler().tasks().live() < 2) yield();
    scheduler().tasks().push_high_priority(Closure::make([&] {
                                             order.push_back(11);
                                             high_priority_done = true;
                                           }),
                                           nullptr);
    EXPECT_EQ(scheduler().tasks().size(), 3u);
    runner.wait_for_tasks();
  });
  ASSERT_EQ(order.size(), 6u);
  EXPECT_EQ(order[1], 11);
}

TEST(Scheduler, YieldAfterStartStartsAQueuedTaskBesideReadyWorkers) {
  TaskingOptions options;
  options.poll_interval_ns = 1000000000;  // a due poll would delay the start of a task
  TaskRunner runner(options);
  runner.run([&runner] {
    bool done = false;
    spawn([&done] {
      while (!done) yield();
    });
    while (scheduler().tasks().live() == 0) yield();
    int started = 0;
    for (int id = 0; id < 20; ++id) {
      spawn([&started, &done] {
        ++started;
        while (!done) yield();
      });
    }
    for (int round = 1; round <= 20; ++round) {
      scheduler().yield_after_start();
      EXPECT_GE(started, round);
    }
    scheduler().yield_after_start();  // there is no queued task
    done = true;
    runner.wait_for_tasks();
  });
}

TEST(Scheduler, CountsLiveReadyAndQueued) {
  TaskRunner runner;
  runner.run([&runner] {
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [](int) {});
    EXPECT_EQ(scheduler().tasks().live(), 3);
    EXPECT_EQ(scheduler().ready_workers(), 0u);
    gate.wake_one();
    EXPECT_EQ(scheduler().ready_workers(), 1u);
    spawn([] {});
    EXPECT_EQ(scheduler().tasks().size(), 1u);
    gate.wake_all();
    runner.wait_for_tasks();
    EXPECT_EQ(scheduler().tasks().live(), 0);
    EXPECT_EQ(scheduler().tasks().size(), 0u);
  });
}

TEST(Scheduler, StopKeepsSuspendedTasksForASecondRun) {
  WaitQueue<> gate;
  int resumed = 0;
  TaskRunner runner;
  runner.run([&] { spawn_behind(&gate, 3, [&resumed](int) { ++resumed; }); });
  EXPECT_EQ(resumed, 0);
  EXPECT_EQ(runner.scheduler().tasks().live(), 3);
  runner.run([&] {
    EXPECT_EQ(resumed, 0);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(resumed, 3);
}

TEST(Scheduler, StopKeepsReadyAndQueuedTasksForASecondRun) {
  WaitQueue<> gate;
  std::vector<int> order;
  TaskRunner runner;
  runner.run([&] {
    spawn_behind(&gate, 2, [&order](int id) { order.push_back(id); });
    gate.wake_all();
    spawn([&order] { order.push_back(2); });
  });
  EXPECT_TRUE(order.empty());
  runner.run([&runner] { runner.wait_for_tasks(); });
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(Scheduler, StopEndsRunAtTheNextSwitch) {
  TaskRunner runner;
  int turns = 0;
  runner.scheduler().start_main(Closure::make([&turns] {
    scheduler().stop();
    ++turns;
    yield();
    turns += 10;
    scheduler().stop();
  }));
  runner.scheduler().run();
  EXPECT_EQ(turns, 1);
  runner.scheduler().run();
  EXPECT_EQ(turns, 11) << "the main task continues";
}

TEST(Scheduler, ResumesInTheOrderOfWakeUps) {
  std::vector<int> order;
  run_tasks([&order] {
    Worker* workers[4] = {};
    for (int id = 0; id < 4; ++id) {
      spawn([&, id] {
        workers[id] = scheduler().current();
        scheduler().suspend();
        order.push_back(id);
      });
    }
    while (workers[3] == nullptr) yield();
    for (int id : {2, 0, 3, 1}) scheduler().wake(workers[id]);
    yield();
    EXPECT_EQ(order, (std::vector<int>{2, 0, 3, 1}));
  });
}

TEST(Scheduler, EveryWakeUpResumesItsWorkerOnce) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const size_t kTasks = 50;
  const int kWakes = 200;
  int woken[kTasks] = {}, resumed[kTasks] = {};
  run_tasks([&] {
    Worker* waiting[kTasks] = {};
    for (size_t id = 0; id < kTasks; ++id) {
      spawn([&, id] {
        for (int k = 0; k < kWakes; ++k) {
          waiting[id] = scheduler().current();
          scheduler().suspend();
          ++resumed[id];
        }
      });
    }
    for (int left = static_cast<int>(kTasks) * kWakes; left > 0;) {
      const size_t id = random() % kTasks;
      if (waiting[id] != nullptr) {
        EXPECT_EQ(resumed[id], woken[id]++);
        scheduler().wake(waiting[id]);
        waiting[id] = nullptr;
        --left;
      }
      if (random() % 4 == 0) yield();
    }
  });
  for (size_t id = 0; id < kTasks; ++id) EXPECT_EQ(resumed[id], kWakes);
}

template <size_t kBytes>
GRAPPA_NOINLINE int use_stack() {
  volatile char frame[kBytes];
  for (volatile char& byte : frame) byte = 1;
  return frame[0] + frame[kBytes - 1];
}

TEST(Scheduler, CountsTheStackMemoryOfAllWorkers) {
  SchedulerHooks hooks;
  hooks.poll = [] { return use_stack<150 * KiB>() == 0; };
  TaskRunner runner(TaskingOptions(), hooks);
  runner.run([&runner] {
    use_stack<200 * KiB>();
    spawn([] { use_stack<100 * KiB>(); });
    runner.wait_for_tasks();
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [](int) {});  // workers that use little stack come last
    gate.wake_all();
    runner.wait_for_tasks();
  });
  runner.scheduler().pool().count_stacks();
  EXPECT_GE(counted("tasking.stack_high_water"), 200 * KiB);
  EXPECT_LT(counted("tasking.stack_high_water"), 256 * KiB);
  const uint64_t resident = counted("tasking.stack_resident");
  EXPECT_GE(resident, (100 + 150 + 200) * KiB);
  EXPECT_LT(resident, 2 * (100 + 150 + 200) * KiB);
  EXPECT_EQ(counted("tasking.worker_cost"), resident / runner.scheduler().pool().size());
}

TEST(Scheduler, ATaskWithoutAScopeDoesNotInheritTheWorkersLastScope) {
  TaskScope other;
  other.drained = [](TaskScope*) {};
  bool ran = false;
  run_tasks([&] {
    const Worker* first = nullptr;
    scheduler().tasks().push(Closure::make([&] { first = scheduler().current(); }), &other);
    scheduler().tasks().push(Closure::make([&] {
                               EXPECT_EQ(scheduler().current(), first);
                               EXPECT_EQ(current_scope(), nullptr);
                               ran = true;
                             }),
                             nullptr);
    while (!ran) yield();
  });
}

TEST(Scheduler, ScopesSurviveSuspending) {
  run_tasks([] {
    TaskScope scopes[3];
    WaitQueue<> gate;
    for (TaskScope& scope : scopes) {
      scope.drained = [](TaskScope*) {};
      TaskScope* mine = &scope;
      scheduler().tasks().push(Closure::make([mine, &gate] {
                                 for (int k = 0; k < 100; ++k) {
                                   gate.suspend();
                                   EXPECT_EQ(current_scope(), mine);
                                 }
                               }),
                               mine);
    }
    TaskScope* mine = current_scope();
    while (scopes[0].open + scopes[1].open + scopes[2].open > 0) {
      gate.wake_all();
      yield();
      EXPECT_EQ(current_scope(), mine);
    }
  });
}

TEST(Scheduler, ScopesSurviveSuspendingWhenNothingElseIsReady) {
  static WaitQueue<>* hook_wakes;
  SchedulerHooks hooks;
  hooks.flush = [] { return hook_wakes->wake_one(); };
  run_tasks(TaskingOptions(), hooks, [] {
    WaitQueue<> gate;
    hook_wakes = &gate;
    TaskScope* mine = current_scope();
    for (int k = 0; k < 10; ++k) {
      gate.suspend();
      EXPECT_EQ(current_scope(), mine);
    }
  });
}

TEST(Scheduler, TasksStartedByDrainedAreOutsideTheScope) {
  static bool drained;
  drained = false;
  TaskScope other;
  other.drained = [](TaskScope*) {
    drained = true;
    EXPECT_EQ(current_scope(), nullptr);
  };
  run_tasks([&other] {
    scheduler().tasks().push(Closure::make([] {}), &other);
    while (!drained) yield();
  });
}

TEST(SchedulerDeathTest, OnlyTasksCanWait) {
  TaskRunner runner;
  EXPECT_DEATH(runner.scheduler().yield(), "only a task can wait");
  EXPECT_DEATH(runner.scheduler().suspend(), "only a task can wait");
}

TEST(SchedulerDeathTest, RunDoesNotNest) {
  EXPECT_DEATH(run_tasks([] { scheduler().run(); }), "run was called inside of run");
  EXPECT_DEATH(run_tasks([] { scheduler().drain(); }), "drain was called inside of run");
}

TEST(SchedulerDeathTest, ACoreHasOneScheduler) {
  TaskRunner runner;
  EXPECT_DEATH(TaskRunner(), "the core already has a scheduler");
}

}  // namespace
}  // namespace Grappa
