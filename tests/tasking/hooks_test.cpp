#include "system/tasking/poller.hpp"

#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/tasks.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

int times_handler_suspended;

SchedulerHooks hooks_that_count_handlers() {
  times_handler_suspended = 0;
  SchedulerHooks hooks;
  hooks.handler_suspends = [] { ++times_handler_suspended; };
  return hooks;
}

TEST(Hooks, CallsTheHookWhenAHandlerSuspends) {
  run_tasks(TaskingOptions(), hooks_that_count_handlers(), [] {
    WaitQueue<> gate;
    spawn([&gate] {
      scheduler().set_in_handler(true);
      gate.suspend();
      EXPECT_FALSE(scheduler().in_handler());
    });
    while (gate.empty()) yield();
    EXPECT_EQ(times_handler_suspended, 1);
    gate.wake_all();
  });
  EXPECT_EQ(times_handler_suspended, 1);
}

TEST(Hooks, CallsTheHookWhenAHandlerYields) {
  run_tasks(TaskingOptions(), hooks_that_count_handlers(), [] {
    for (int k = 1; k <= 3; ++k) {
      scheduler().set_in_handler(true);
      yield();
      EXPECT_EQ(times_handler_suspended, k);
    }
  });
}

TEST(Hooks, DoesNotCallTheHookForTasks) {
  run_tasks(TaskingOptions(), hooks_that_count_handlers(), [] {
    WaitQueue<> gate;
    spawn_behind(&gate, 3, [](int) { yield(); });
    gate.wake_all();
    yield();
  });
  EXPECT_EQ(times_handler_suspended, 0);
}

WaitQueue<>* hook_wakes;  // the hooks below wake this queue

WaitQueue<>* handler_waits;
bool handler_started;
bool handler_ended;

TEST(Hooks, ASuspendedHandlerKeepsItsWorker) {
  WaitQueue<> gate;
  handler_waits = &gate;
  handler_started = handler_ended = false;
  SchedulerHooks hooks;
  hooks.poll = [] {
    if (handler_started) return false;
    handler_started = true;
    handler_waits->suspend();
    handler_ended = true;
    return true;
  };
  run_tasks(TaskingOptions(), hooks, [&gate] {
    while (gate.empty()) yield();
    int others = 0;
    for (int id = 0; id < 10; ++id) spawn([&others] { ++others; });
    while (others < 10) yield();
    EXPECT_FALSE(handler_ended);
    gate.wake_one();
    while (!handler_ended) yield();
  });
  EXPECT_TRUE(handler_ended);
}

int flushes;
int flushes_with_work;

SchedulerHooks hooks_that_watch_flushes() {
  flushes = flushes_with_work = 0;
  SchedulerHooks hooks;
  hooks.flush = [] {
    ++flushes;
    flushes_with_work += scheduler().ready_workers() != 0 || scheduler().tasks().size() != 0;
    return hook_wakes->wake_one();
  };
  return hooks;
}

TEST(Hooks, FlushesWhenNothingIsReady) {
  WaitQueue<> waiting_for_answer;
  hook_wakes = &waiting_for_answer;
  run_tasks(TaskingOptions(), hooks_that_watch_flushes(), [&waiting_for_answer] {
    for (int k = 1; k <= 10; ++k) {
      waiting_for_answer.suspend();
      EXPECT_EQ(flushes, k);
    }
  });
}

TEST(Hooks, DoesNotFlushWhileAnythingIsReadyOrQueued) {
  WaitQueue<> nobody;
  hook_wakes = &nobody;
  run_tasks(TaskingOptions(), hooks_that_watch_flushes(), [] {
    int ended = 0;
    for (int id = 0; id < 100; ++id) {
      spawn([&ended] {
        for (int k = 0; k < 20; ++k) yield();
        ++ended;
      });
    }
    while (ended < 100) yield();
    EXPECT_EQ(flushes, 0);
  });
  EXPECT_EQ(flushes_with_work, 0);
}

int64_t rounds_until_message;

TEST(Hooks, ACoreSleepsOnlyAfterManyIdleRounds) {
  VirtualClock clock;
  WaitQueue<> nobody;
  hook_wakes = &nobody;
  TaskingOptions options;
  options.idle_rounds_before_sleep = 100;
  SchedulerHooks hooks;
  hooks.flush = [] {
    if (--rounds_until_message == 0) hook_wakes->wake_one();
    return false;
  };
  for (const int64_t rounds : {50, 150}) {
    const uint64_t before = counted("tasking.idle_sleeps");
    rounds_until_message = rounds;
    run_tasks(options, hooks, [&nobody] { nobody.suspend(); });
    EXPECT_EQ(counted("tasking.idle_sleeps") - before,
              rounds < 100 ? 0u : static_cast<uint64_t>(rounds) - 100);
  }
}

TEST(Hooks, ACoreThatReceivesMessagesDoesNotSleep) {
  VirtualClock clock;
  WaitQueue<> waiting;
  hook_wakes = &waiting;
  TaskingOptions options;
  options.idle_rounds_before_sleep = 100;
  SchedulerHooks hooks;
  hooks.poll = [] {
    if (--rounds_until_message == 0) hook_wakes->wake_one();
    return rounds_until_message % 50 == 0;
  };
  const uint64_t before = counted("tasking.idle_sleeps");
  rounds_until_message = 1000;
  run_tasks(options, hooks, [&waiting] { waiting.suspend(); });
  EXPECT_EQ(counted("tasking.idle_sleeps"), before);
}

TEST(Hooks, CreatesWorkersWhileMessagesArrive) {
  TaskingOptions options;
  options.num_workers = 2;
  SchedulerHooks hooks;
  hooks.poll = [] { return true; };
  int waiting = 0;
  run_tasks(options, hooks, [&waiting] {
    for (int id = 0; id < 5; ++id) {
      spawn([&waiting] {
        ++waiting;
        while (waiting < 5) yield();
      });
    }
  });
  EXPECT_EQ(5, waiting);
}

int idle_rounds;
int steals;

SchedulerHooks hooks_that_watch_steals() {
  idle_rounds = steals = 0;
  SchedulerHooks hooks;
  hooks.steal = [] {
    ++steals;
    EXPECT_EQ(scheduler().ready_workers(), 0u);
    EXPECT_EQ(scheduler().tasks().size(), 0u);
    hook_wakes->wake_one();
  };
  return hooks;
}

TEST(Hooks, RequestsTasksWhenIdle) {
  run_tasks(TaskingOptions(), hooks_that_watch_steals(), [] {
    WaitQueue<> waiting;
    hook_wakes = &waiting;
    spawn([] {
      for (int k = 0; k < 100; ++k) yield();
    });
    for (int k = 0; k < 5000; ++k) yield();
    EXPECT_EQ(steals, 0);
    for (int k = 1; k <= 10; ++k) {
      waiting.suspend();
      EXPECT_EQ(steals, k);
    }
  });
}

TEST(Hooks, DoesNotRequestTasksWhileBuffersAreOpen) {
  SchedulerHooks hooks = hooks_that_watch_steals();
  hooks.flush = [] { return ++idle_rounds <= 10; };
  run_tasks(TaskingOptions(), hooks, [] {
    WaitQueue<> waiting;
    hook_wakes = &waiting;
    waiting.suspend();
    EXPECT_EQ(idle_rounds, 11);
    EXPECT_EQ(steals, 1);
  });
}

TEST(Hooks, NeitherFlushesNorRequestsTasksWhileMessagesArrive) {
  static int received;
  received = 0;
  SchedulerHooks hooks = hooks_that_watch_steals();
  hooks.poll = [] { return ++received <= 10; };
  hooks.flush = [] {
    ++idle_rounds;
    return false;
  };
  run_tasks(TaskingOptions(), hooks, [] {
    WaitQueue<> waiting;
    hook_wakes = &waiting;
    waiting.suspend();
    EXPECT_GT(received, 10);
    EXPECT_EQ(idle_rounds, 1);
    EXPECT_EQ(steals, 1);
  });
}

int shares;

SchedulerHooks hooks_that_watch_shares() {
  shares = 0;
  SchedulerHooks hooks;
  hooks.share = [] {
    ++shares;
    EXPECT_GT(scheduler().tasks().stealable(), 0u);
  };
  return hooks;
}

TEST(Hooks, OffersStealableTasksBeforeItStartsThem) {
  run_tasks(TaskingOptions(), hooks_that_watch_shares(), [] {
    bool ran = false;
    const Closure body = Closure::make([&ran] {
      EXPECT_GT(shares, 0);
      ran = true;
    });
    scheduler().tasks().push_stealable(StealableTask{Task{body, current_scope()}, nullptr});
    EXPECT_EQ(shares, 0);
    while (!ran) yield();
  });
}

TEST(Hooks, DoesNotShareWithoutStealableTasks) {
  run_tasks(TaskingOptions(), hooks_that_watch_shares(), [] {
    for (int k = 0; k < 100; ++k) spawn([] { yield(); });
    for (int k = 0; k < 5000; ++k) yield();
  });
  EXPECT_EQ(shares, 0);
}

GRAPPA_NOINLINE int use_150_kib_of_stack() {
  volatile char frame[150 * KiB];
  for (volatile char& byte : frame) byte = 1;
  return frame[0];
}

TEST(Hooks, HandlersHaveLargeStacksEvenIfTaskStacksAreSmall) {
  static int ran;
  ran = 0;
  SchedulerHooks hooks;
  hooks.poll = [] {
    ran += use_150_kib_of_stack();
    return false;
  };
  for (const size_t bytes : {16 * KiB, 64 * KiB, MiB}) {
    TaskingOptions options;
    options.stack_bytes = bytes;
    run_tasks(options, hooks, [] {
      for (int k = 0; k < 3000; ++k) yield();
    });
  }
  EXPECT_GT(ran, 0);
}

}  // namespace
}  // namespace Grappa
