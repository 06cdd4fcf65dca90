#include "system/tasking/hooks.hpp"

#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/wait_queue.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace Grappa {
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
    WaitQueue gate;
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
    WaitQueue gate;
    spawn_behind(&gate, 3, [](int) { yield(); });
    gate.wake_all();
    yield();
  });
  EXPECT_EQ(times_handler_suspended, 0);
}

int turns_since_poll;
int most_turns_between_polls;

SchedulerHooks hooks_that_watch_polls() {
  turns_since_poll = most_turns_between_polls = 0;
  SchedulerHooks hooks;
  hooks.poll = [] {
    turns_since_poll = 0;
    return false;
  };
  return hooks;
}

void count_turn() {
  most_turns_between_polls = std::max(most_turns_between_polls, ++turns_since_poll);
}

TEST(Hooks, PollsBetweenWorkersThatOnlyYield) {
  TaskingOptions options;
  options.switches_per_poll = 8;
  run_tasks(options, hooks_that_watch_polls(), [] {
    WaitQueue gate;
    spawn_behind(&gate, 3, [](int) {
      for (int k = 0; k < 1000; ++k) {
        count_turn();
        yield();
      }
    });
    gate.wake_all();
  });
  EXPECT_GT(most_turns_between_polls, 0);
  EXPECT_LE(most_turns_between_polls, options.switches_per_poll);
}

TEST(Hooks, PollsBetweenNewTasks) {
  TaskingOptions options;
  options.switches_per_poll = 8;
  run_tasks(options, hooks_that_watch_polls(), [] {
    for (int id = 0; id < 1000; ++id) spawn(count_turn);
  });
  EXPECT_GT(most_turns_between_polls, 0);
  EXPECT_LE(most_turns_between_polls, options.switches_per_poll);
}

TEST(Hooks, PollsWhileAWorkerYieldsAlone) {
  TaskingOptions options;
  options.switches_per_poll = 8;
  run_tasks(options, hooks_that_watch_polls(), [] {
    for (int k = 0; k < 1000; ++k) {
      count_turn();
      yield();
    }
  });
  EXPECT_GT(most_turns_between_polls, 0);
  EXPECT_LE(most_turns_between_polls, options.switches_per_poll);
}

WaitQueue* hook_wakes;  // what the hooks below wake

uint64_t idle_sleeps() {
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    if (std::string(counter->name()) == "tasking.idle_sleeps") return counter->value();
  }
  ADD_FAILURE() << "no counter of sleeps";
  return 0;
}

TEST(Hooks, PollsWhenAllTasksWait) {
  WaitQueue waiting_for_message;
  hook_wakes = &waiting_for_message;
  SchedulerHooks hooks;
  hooks.poll = [] { return hook_wakes->wake_one(); };
  int messages = 0;
  run_tasks(TaskingOptions(), hooks, [&] {
    for (; messages < 10; ++messages) waiting_for_message.suspend();
  });
  EXPECT_EQ(messages, 10);
}

WaitQueue* handler_waits;
bool handler_started;
bool handler_ended;

TEST(Hooks, AMessageThatSuspendsKeepsItsWorkerWhileOthersRun) {
  WaitQueue gate;
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
    flushes_with_work += scheduler().ready_workers() != 0 || scheduler().queued_tasks() != 0;
    return hook_wakes->wake_one();
  };
  return hooks;
}

TEST(Hooks, FlushesWhenNothingIsReady) {
  WaitQueue waiting_for_answer;
  hook_wakes = &waiting_for_answer;
  run_tasks(TaskingOptions(), hooks_that_watch_flushes(), [&waiting_for_answer] {
    for (int k = 1; k <= 10; ++k) {
      waiting_for_answer.suspend();
      EXPECT_EQ(flushes, k);
    }
  });
}

TEST(Hooks, DoesNotFlushWhileAnythingIsReadyOrQueued) {
  WaitQueue nobody;
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

TEST(Hooks, ACoreSleepsOnlyAfterManyRoundsOfSilence) {
  VirtualClock clock;
  WaitQueue nobody;
  hook_wakes = &nobody;
  TaskingOptions options;
  options.idle_rounds_before_sleep = 100;
  SchedulerHooks hooks;
  hooks.flush = [] {
    if (--rounds_until_message == 0) hook_wakes->wake_one();
    return false;
  };
  for (const int64_t rounds : {50, 150}) {
    const uint64_t before = idle_sleeps();
    rounds_until_message = rounds;
    run_tasks(options, hooks, [&nobody] { nobody.suspend(); });
    EXPECT_EQ(idle_sleeps() - before, rounds < 100 ? 0u : static_cast<uint64_t>(rounds) - 100);
  }
}

TEST(Hooks, ACoreThatServesMessagesDoesNotSleep) {
  VirtualClock clock;
  WaitQueue waiting;
  hook_wakes = &waiting;
  TaskingOptions options;
  options.idle_rounds_before_sleep = 100;
  SchedulerHooks hooks;
  hooks.poll = [] {
    if (--rounds_until_message == 0) hook_wakes->wake_one();
    return rounds_until_message % 50 == 0;
  };
  const uint64_t before = idle_sleeps();
  rounds_until_message = 1000;
  run_tasks(options, hooks, [&waiting] { waiting.suspend(); });
  EXPECT_EQ(idle_sleeps(), before);
}

int messages_left;
int polls;

SchedulerHooks hooks_with_messages(int messages) {
  messages_left = messages;
  polls = 0;
  SchedulerHooks hooks;
  hooks.poll = [] {
    ++polls;
    return messages_left > 0 && messages_left-- > 0;
  };
  return hooks;
}

TEST(Hooks, DrainReceivesUntilNothingIsLeft) {
  TaskRunner runner(TaskingOptions(), hooks_with_messages(0));
  runner.run([] {});
  polls = 0;
  messages_left = 5;
  runner.scheduler().drain();
  EXPECT_EQ(messages_left, 0);
  EXPECT_EQ(polls, 6);
}

TEST(Hooks, DrainStartsAndResumesNoTask) {
  WaitQueue gate;
  int ran = 0;
  TaskRunner runner(TaskingOptions(), hooks_with_messages(0));
  runner.run([&] {
    spawn_behind(&gate, 2, [&ran](int) { ++ran; });
    gate.wake_all();
    spawn([&ran] { ++ran; });
  });
  messages_left = 300;
  runner.scheduler().drain();
  EXPECT_EQ(messages_left, 0);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(runner.scheduler().ready_workers(), 2u);
  EXPECT_EQ(runner.scheduler().queued_tasks(), 1u);
  runner.run([&runner] { runner.wait_for_tasks(); });
  EXPECT_EQ(ran, 3);
}

TEST(Hooks, DrainSendsWhatIsWaitingToBeSent) {
  static int sent;
  sent = 0;
  SchedulerHooks hooks;
  hooks.flush = [] { return ++sent > 0; };
  TaskRunner runner(TaskingOptions(), hooks);
  runner.run([] {});
  const int before = sent;
  runner.scheduler().drain();
  EXPECT_EQ(before + 1, sent);
}

TEST(Hooks, MakesMoreWorkersAlthoughMessagesKeepArriving) {
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

}  // namespace
}  // namespace Grappa
