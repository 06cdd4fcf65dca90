#include "system/tasking/scheduler.hpp"

#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/wait_queue.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace Grappa {
namespace {

VirtualClock* clock_of_test;
uint64_t ns_of_round;

/// Where a core has nothing to do, so much time passes in each round.
SchedulerHooks hooks_that_let_time_pass(VirtualClock* clock, uint64_t ns) {
  clock_of_test = clock;
  ns_of_round = ns;
  SchedulerHooks hooks;
  hooks.flush = [] {
    clock_of_test->advance_ns(ns_of_round);
    return false;
  };
  return hooks;
}

TEST(Scheduler, RunsTheMainTaskFirst) {
  std::vector<int> order;
  TaskRunner runner;
  runner.scheduler().start_task(Closure::make([&order] { order.push_back(1); }), nullptr);
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

TEST(Scheduler, ResumesReadyWorkersFirstInFirstOut) {
  std::vector<int> order, expected;
  const int kTurns = 200;
  TaskRunner runner;
  runner.run([&] {
    WaitQueue gate;
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

TEST(Scheduler, YieldLetsTheOtherReadyWorkersRunFirst) {
  run_tasks([] {
    int others = 0;
    WaitQueue gate;
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

TEST(Scheduler, YieldingForEverDoesNotStarveNewTasks) {
  const int kEnough = 100000;
  int yields = 0;
  bool ran = false;
  run_tasks([&] {
    WaitQueue gate;
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

/// Each task of the chain spawns the next, until `ended`, or until it is hopeless.
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

TEST(Scheduler, LongTasksThatFollowEachOtherDoNotStarveReadyWorkers) {
  VirtualClock clock;
  int tasks = 0;
  run_tasks([&] {
    for (int k = 0; k < 1000; ++k) {
      spawn([&] {
        clock.advance_ns(1000000);  // far longer than the poll interval
        ++tasks;
      });
    }
    yield();
    yield();
    EXPECT_LT(tasks, 100);
  });
  EXPECT_EQ(tasks, 1000);
}

TEST(Scheduler, ReadyWorkersDoNotHoldUpManyTasks) {
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
  EXPECT_LT(yields, 100000) << "40 yields make a poll interval, so one task in each takes 400000";
}

TEST(Scheduler, HasAsManyWorkersAsItNeedsSoon) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 16;
  const int kTasks = 5000;
  int arrived = 0;
  TaskRunner runner(options, hooks_that_let_time_pass(&clock, 10000));
  const uint64_t start = clock.now_ns();
  runner.run([&] {
    WaitQueue gate;
    for (int id = 0; id < kTasks; ++id) {
      spawn([&] {
        if (++arrived == kTasks) {
          gate.wake_all();
        } else {
          gate.suspend();
        }
      });
    }
    runner.wait_for_tasks();
  });
  EXPECT_EQ(arrived, kTasks);
  EXPECT_LT(clock.now_ns() - start, uint64_t{100} * 1000000) << "27 periods of a millisecond";
}

TEST(Scheduler, OptionalTasksAreNoReasonForMoreWorkersWhileAnythingHappens) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 4;
  int64_t most_live = 0;
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&] {
    for (int id = 0; id < 100; ++id) {
      const auto body = [&most_live] {
        for (int k = 0; k < 3; ++k) {
          most_live = std::max(most_live, scheduler().live_tasks());
          sleep_for(0.005);
        }
      };
      scheduler().start_optional_task(Closure::make(body), current_scope());
    }
  });
  EXPECT_EQ(most_live, 4);
}

TEST(Scheduler, TasksThatSleepAreNoReasonForMoreWorkers) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 4;
  int64_t most_live = 0;
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&most_live] {
    for (int id = 0; id < 100; ++id) {
      spawn([&most_live] {
        most_live = std::max(most_live, scheduler().live_tasks());
        sleep_for(0.005);
      });
    }
  });
  EXPECT_EQ(most_live, 4);
}

TEST(Scheduler, EachRunsMainTaskHasTheSameWorker) {
  TaskRunner runner;
  for (int k = 0; k < 100; ++k) {
    runner.run([] { yield(); });
  }
  EXPECT_LE(runner.scheduler().workers(), 3u);
}

TEST(Scheduler, AWorkerThatATaskWakesWaitsForFewOfTheTasksThatAreQueued) {
  VirtualClock clock;  // stands still, so that no poll is due
  int others = 0;
  run_tasks([&others] {
    WaitQueue gate;
    spawn([&gate] { gate.wake_one(); });
    for (int k = 0; k < 100; ++k) spawn([&others] { ++others; });
    gate.suspend();
    EXPECT_LE(others, 16);
  });
  EXPECT_EQ(others, 100);
}

TEST(Scheduler, MakesMoreWorkersWhenAllOfThemWait) {
  TaskingOptions options;
  options.num_workers = 1;
  const int kTasks = 50;
  TaskRunner runner(options);
  int arrived = 0;
  runner.run([&] {
    WaitQueue gate;
    for (int id = 0; id < kTasks; ++id) {
      spawn([&] {
        if (++arrived == kTasks) {
          gate.wake_all();
        } else {
          gate.suspend();
        }
      });
    }
    runner.wait_for_tasks();
  });
  EXPECT_EQ(arrived, kTasks);
  EXPECT_GE(runner.scheduler().workers(), static_cast<size_t>(kTasks));
}

TEST(Scheduler, MakesNoMoreWorkersWhileSomeCanRun) {
  TaskingOptions options;
  options.num_workers = 4;
  options.growth_period_ns = int64_t{1} << 50;
  int64_t most_live = 0;
  run_tasks(options, [&most_live] {
    for (int id = 0; id < 100; ++id) {
      spawn([&most_live] {
        for (int k = 0; k < 300; ++k) {
          most_live = std::max(most_live, scheduler().live_tasks());
          yield();
        }
      });
    }
  });
  EXPECT_EQ(most_live, options.num_workers);
}

TEST(Scheduler, ReusesItsWorkers) {
  TaskRunner runner;
  runner.run([&runner] {
    for (int k = 0; k < 1000; ++k) {
      spawn([] {});
      runner.wait_for_tasks();
    }
  });
  EXPECT_LE(runner.scheduler().workers(), 3u);
}

TEST(Scheduler, ReusesAllWorkersThatAreIdle) {
  TaskRunner runner;
  size_t workers = 0;
  runner.run([&] {
    for (int turn = 0; turn < 3; ++turn) {
      WaitQueue gate;
      spawn_behind(&gate, 20, [](int) {});
      gate.wake_all();
      runner.wait_for_tasks();
      if (turn == 0) workers = scheduler().workers();
    }
  });
  EXPECT_EQ(runner.scheduler().workers(), workers);
}

TEST(Scheduler, KeepsTwentyThousandTasksSuspended) {
  const int kTasks = 20000;
  TaskingOptions options;
  options.num_workers = kTasks + 1;
  options.stack_bytes = 64 * KiB;
  int64_t sum = 0;
  TaskRunner runner(options);
  runner.run([&] {
    WaitQueue gate;
    spawn_behind(&gate, kTasks, [&sum](int id) { sum += id; });
    EXPECT_EQ(scheduler().live_tasks(), kTasks);
    EXPECT_EQ(sum, 0);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(sum, int64_t{kTasks} * (kTasks - 1) / 2);
}

TEST(Scheduler, CountsLiveReadyAndQueued) {
  TaskRunner runner;
  runner.run([&runner] {
    WaitQueue gate;
    spawn_behind(&gate, 3, [](int) {});
    EXPECT_EQ(scheduler().live_tasks(), 3);
    EXPECT_EQ(scheduler().ready_workers(), 0u);
    gate.wake_one();
    EXPECT_EQ(scheduler().ready_workers(), 1u);
    spawn([] {});
    EXPECT_EQ(scheduler().queued_tasks(), 1u);
    gate.wake_all();
    runner.wait_for_tasks();
    EXPECT_EQ(scheduler().live_tasks(), 0);
    EXPECT_EQ(scheduler().queued_tasks(), 0u);
  });
}

TEST(Scheduler, StopLeavesSuspendedTasksAloneAndASecondRunGoesOn) {
  WaitQueue gate;
  int resumed = 0;
  TaskRunner runner;
  runner.run([&] { spawn_behind(&gate, 3, [&resumed](int) { ++resumed; }); });
  EXPECT_EQ(resumed, 0);
  EXPECT_EQ(runner.scheduler().live_tasks(), 3);
  runner.run([&] {
    EXPECT_EQ(resumed, 0);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(resumed, 3);
}

TEST(Scheduler, StopLeavesReadyAndQueuedTasksForASecondRun) {
  WaitQueue gate;
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
    ++turns;
    scheduler().stop();
  }));
  runner.scheduler().run();
  EXPECT_EQ(turns, 1);
  runner.scheduler().run();
  EXPECT_EQ(turns, 2);
}

TEST(Scheduler, StartsTasksBesideOneThatYieldsUntilTheyHaveRun) {
  TaskingOptions options;
  options.num_workers = 1;
  bool ran = false;
  run_tasks(options, [&ran] {
    spawn([&ran] { ran = true; });
    while (!ran) yield();  // for ever, if the queued task had to wait for this one to end
  });
  EXPECT_TRUE(ran);
}

TEST(Scheduler, ResumesInTheOrderOfWakingNotOfSuspending) {
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

/// Started as a public task; nobody sends it anywhere.
void start_public(const Closure& body) {
  scheduler().start_public_task(PublicTask{Task{body, current_scope()}, nullptr});
}

TEST(Scheduler, StartsPublicTasksNewestFirstAfterAllOthers) {
  std::vector<int> order;
  run_tasks([&order] {
    for (int id = 0; id < 3; ++id) {
      start_public(Closure::make([&order, id] { order.push_back(10 + id); }));
      spawn([&order, id] { order.push_back(id); });
    }
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 12, 11, 10}));
}

TEST(Scheduler, GivesAwayTheOldestPublicTask) {
  std::vector<int> order;
  PublicTask taken[2];
  run_tasks([&] {
    for (int id = 0; id < 4; ++id) {
      start_public(Closure::make([&order, id] { order.push_back(id); }));
    }
    for (PublicTask& task : taken) EXPECT_TRUE(scheduler().take_public_task(&task));
    EXPECT_EQ(scheduler().public_tasks(), 2u);
    current_scope()->complete(2);
  });
  EXPECT_EQ(order, (std::vector<int>{3, 2}));
  for (PublicTask& task : taken) task.task.body.run_and_destroy();
  EXPECT_EQ(order, (std::vector<int>{3, 2, 0, 1}));
}

TEST(Scheduler, HasNoPublicTaskToGiveWhenNoneIsQueued) {
  run_tasks([] {
    PublicTask task;
    EXPECT_FALSE(scheduler().take_public_task(&task));
    spawn([] {});
    EXPECT_FALSE(scheduler().take_public_task(&task)) << "a task of this core only";
  });
}

TEST(Scheduler, PublicTasksJoinTheirScope) {
  run_tasks([] {
    TaskScope* scope = current_scope();
    start_public(Closure::make([scope] { EXPECT_EQ(current_scope(), scope); }));
    EXPECT_EQ(scope->open, 1);
  });
}

TEST(Scheduler, ExceedsItsLimitAfterAPeriodInWhichNothingHappens) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 1;
  const uint64_t period = static_cast<uint64_t>(options.growth_period_ns);
  WaitQueue gate;
  uint64_t last_event = clock.now_ns();
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&] {
    spawn([&] {
      sleep_for(0.0005);  // that something happens puts it off
      last_event = clock.now_ns();
      gate.suspend();
    });
    spawn([&] {
      EXPECT_GE(clock.now_ns(), last_event + period);
      EXPECT_LE(clock.now_ns(), last_event + period + period / 10);
      gate.wake_one();
    });
  });
}

uint64_t counted(const char* name) {
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    if (std::strcmp(counter->name(), name) == 0) return counter->value();
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(Scheduler, CountsTheTasksThatHaveStarted) {
  const uint64_t before = counted("tasking.tasks");
  run_tasks([] {
    for (int k = 0; k < 10; ++k) spawn([] { yield(); });
    for (int k = 0; k < 5; ++k) start_public(Closure::make([] {}));
  });
  EXPECT_EQ(counted("tasking.tasks") - before, 10u + 5u);
}

TEST(Scheduler, CountsClosuresThatAreTooLargeToLieInTheQueue) {
  const uint64_t before = counted("tasking.large_closures");
  run_tasks([] {
    struct {
      char bytes[100];
      void operator()() { yield(); }
    } large = {};
    for (int k = 0; k < 3; ++k) spawn(large);
    for (int k = 0; k < 4; ++k) start_public(Closure::make(large));
    spawn([] {});
    start_public(Closure::make([] {}));
  });
  EXPECT_EQ(counted("tasking.large_closures") - before, 7u);
}

TEST(Scheduler, CountsTheWorkersItMakesAndThoseBeyondItsLimit) {
  const uint64_t grown = counted("tasking.grown"), made = counted("tasking.workers");
  TaskingOptions options;
  options.num_workers = 3;
  TaskRunner runner(options);
  runner.run([&runner] {
    int arrived = 0;
    WaitQueue gate;
    for (int k = 0; k < 10; ++k) {
      spawn([&] {
        ++arrived;
        gate.suspend();
      });
    }
    Worker* self = scheduler().current();
    spawn([self] { scheduler().wake(self); });
    scheduler().suspend();
    EXPECT_EQ(arrived, 10);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(counted("tasking.workers") - made, runner.scheduler().workers());
  EXPECT_EQ(counted("tasking.grown") - grown, 11u - 3u);
}

template <size_t kBytes>
GRAPPA_NOINLINE int use_stack() {
  volatile char frame[kBytes];
  for (volatile char& byte : frame) byte = 1;
  return frame[0] + frame[kBytes - 1];
}

TEST(Scheduler, CountsWhatTheStacksOfAllItsWorkersHaveCost) {
  SchedulerHooks hooks;
  hooks.poll = [] { return use_stack<150 * KiB>() == 0; };
  TaskRunner runner(TaskingOptions(), hooks);
  runner.run([&runner] {
    use_stack<200 * KiB>();
    spawn([] { use_stack<100 * KiB>(); });
    runner.wait_for_tasks();
    WaitQueue gate;
    spawn_behind(&gate, 3, [](int) {});  // workers that need little come last
    gate.wake_all();
    runner.wait_for_tasks();
  });
  runner.scheduler().count_stacks();
  EXPECT_GE(counted("tasking.stack_high_water"), 200 * KiB);
  EXPECT_LT(counted("tasking.stack_high_water"), 256 * KiB);
  const uint64_t resident = counted("tasking.stack_resident");
  EXPECT_GE(resident, (100 + 150 + 200) * KiB);
  EXPECT_LT(resident, 2 * (100 + 150 + 200) * KiB);
  EXPECT_EQ(counted("tasking.worker_cost"), resident / runner.scheduler().workers());
}

TEST(Scheduler, ATaskOfNoScopeFindsNoneWhateverItsWorkerRanBefore) {
  TaskScope other;
  other.drained = [](TaskScope*) {};
  bool ran = false;
  run_tasks([&] {
    const Worker* first = nullptr;
    scheduler().start_task(Closure::make([&] { first = scheduler().current(); }), &other);
    scheduler().start_task(Closure::make([&] {
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
    WaitQueue gate;
    for (TaskScope& scope : scopes) {
      scope.drained = [](TaskScope*) {};
      TaskScope* mine = &scope;
      scheduler().start_task(Closure::make([mine, &gate] {
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
  static WaitQueue* hook_wakes;
  SchedulerHooks hooks;
  hooks.flush = [] { return hook_wakes->wake_one(); };
  run_tasks(TaskingOptions(), hooks, [] {
    WaitQueue gate;
    hook_wakes = &gate;
    TaskScope* mine = current_scope();
    for (int k = 0; k < 10; ++k) {
      gate.suspend();
      EXPECT_EQ(current_scope(), mine);
    }
  });
}

TEST(Scheduler, WhatADrainedScopeSetsGoingIsNotInIt) {
  static bool drained;
  drained = false;
  TaskScope other;
  other.drained = [](TaskScope*) {
    drained = true;
    EXPECT_EQ(current_scope(), nullptr);
  };
  run_tasks([&other] {
    scheduler().start_task(Closure::make([] {}), &other);
    while (!drained) yield();
  });
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

TEST(SchedulerDeathTest, OnlyTasksCanWait) {
  TaskRunner runner;
  EXPECT_DEATH(runner.scheduler().yield(), "only a task can wait");
  EXPECT_DEATH(runner.scheduler().suspend(), "only a task can wait");
}

TEST(SchedulerDeathTest, RunDoesNotNest) {
  EXPECT_DEATH(run_tasks([] { scheduler().run(); }), "run inside of run");
  EXPECT_DEATH(run_tasks([] { scheduler().drain(); }), "drain inside of run");
}

TEST(SchedulerDeathTest, ACoreHasOne) {
  TaskRunner runner;
  EXPECT_DEATH(TaskRunner(), "a core has one scheduler");
}

}  // namespace
}  // namespace Grappa
