#include "system/tasking/hooks.hpp"

#include "system/base/compiler.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"
#include "system/tasking/wait_queue.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

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

VirtualClock* clock_of_test;
std::vector<int>* turns_between_polls;

SchedulerHooks hooks_that_note_turns(std::vector<int>* turns) {
  turns_since_poll = 0;
  turns_between_polls = turns;
  SchedulerHooks hooks;
  hooks.poll = [] {
    turns_between_polls->push_back(turns_since_poll);
    turns_since_poll = 0;
    return false;
  };
  return hooks;
}

void take_turns(int count, uint64_t ns_each) {
  for (int k = 0; k < count; ++k) {
    clock_of_test->advance_ns(ns_each);
    ++turns_since_poll;
    yield();
  }
}

TEST(Hooks, PollsOnceInAPollIntervalByTheClock) {
  VirtualClock clock;
  clock_of_test = &clock;
  TaskingOptions options;
  options.poll_interval_ns = 4000;
  options.switches_per_poll = 1024;
  std::vector<int> turns;
  run_tasks(options, hooks_that_note_turns(&turns), [&turns] {
    for (const int ns : {100, 1000, 50}) {
      take_turns(5000, static_cast<uint64_t>(ns));
      turns.clear();  // it has learnt by now how long a turn takes
      take_turns(5000, static_cast<uint64_t>(ns));
      const int fitting = 4000 / ns;
      ASSERT_GE(turns.size(), 10u);
      EXPECT_GE(*std::min_element(turns.begin() + 1, turns.end()), fitting - 2) << ns;
      EXPECT_LE(*std::max_element(turns.begin(), turns.end()), fitting + 1) << ns;
    }
  });
}

TEST(Hooks, NoticesWithinTwoPollsThatTurnsTakeLonger) {
  VirtualClock clock;
  clock_of_test = &clock;
  TaskingOptions options;
  options.poll_interval_ns = 4000;
  std::vector<int> turns;
  run_tasks(options, hooks_that_note_turns(&turns), [&turns] {
    take_turns(5000, 100);
    turns.clear();
    take_turns(200, 2000);
    ASSERT_GE(turns.size(), 3u);
    EXPECT_LE(turns[2], 3);
  });
}

TEST(Hooks, PollsOnceInSoManySwitchesWhileTheClockStandsStill) {
  VirtualClock clock;
  clock_of_test = &clock;
  TaskingOptions options;
  options.switches_per_poll = 32;
  std::vector<int> turns;
  run_tasks(options, hooks_that_note_turns(&turns), [&turns] {
    take_turns(3200, 0);
    EXPECT_GE(turns.size(), 98u);
    EXPECT_LE(turns.size(), 110u);
  });
}

TEST(Hooks, EachRunBeginsWithAWholePollInterval) {
  VirtualClock clock;
  clock_of_test = &clock;
  TaskingOptions options;
  options.poll_interval_ns = 4000;
  std::vector<int> turns;
  TaskRunner runner(options, hooks_that_note_turns(&turns));
  for (int run = 0; run < 3; ++run) {
    runner.run([&turns] {
      turns.clear();
      take_turns(30, 100);  // 40 make an interval
      EXPECT_TRUE(turns.empty());
      take_turns(5000, 100);
    });
    clock.advance_ns(1000000);
  }
}

TEST(Hooks, IdleTimeDoesNotCountAsTimeThatTurnsTook) {
  VirtualClock clock;
  clock_of_test = &clock;
  WaitQueue waiting;
  hook_wakes = &waiting;
  std::vector<int> turns;
  SchedulerHooks hooks = hooks_that_note_turns(&turns);
  hooks.flush = [] {
    clock_of_test->advance_ns(1000000);
    return hook_wakes->wake_one();
  };
  TaskingOptions options;
  options.poll_interval_ns = 4000;
  run_tasks(options, hooks, [&] {
    for (int round = 0; round < 10; ++round) {
      take_turns(1000, 100);
      waiting.suspend();
      turns.clear();
      take_turns(30, 100);  // 40 make an interval
      EXPECT_TRUE(turns.empty());
    }
  });
}

TEST(Hooks, PollsBetweenWorkersThatOnlySuspend) {
  TaskingOptions options;
  options.switches_per_poll = 8;
  WaitQueue ring;
  run_tasks(options, hooks_that_watch_polls(), [&ring] {
    spawn_behind(&ring, 3, [&ring](int) {
      for (int k = 0; k < 1000; ++k) {
        count_turn();
        ring.wake_one();
        ring.suspend();
      }
      ring.wake_one();
    });
    ring.wake_one();
    ring.wake_one();  // two of the three are ready at any time
    ring.suspend();
    ring.wake_all();
  });
  EXPECT_GT(most_turns_between_polls, 0);
  EXPECT_LE(most_turns_between_polls, options.switches_per_poll);
}

int idle_rounds;
int steals;

SchedulerHooks hooks_that_watch_steals() {
  idle_rounds = steals = 0;
  SchedulerHooks hooks;
  hooks.steal = [] {
    ++steals;
    EXPECT_EQ(scheduler().ready_workers(), 0u);
    EXPECT_EQ(scheduler().queued_tasks(), 0u);
    hook_wakes->wake_one();
  };
  return hooks;
}

TEST(Hooks, AsksForTasksWhenThereIsNothingElseToDo) {
  run_tasks(TaskingOptions(), hooks_that_watch_steals(), [] {
    WaitQueue waiting;
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

TEST(Hooks, DoesNotAskForTasksWhileThereIsAnythingToSend) {
  SchedulerHooks hooks = hooks_that_watch_steals();
  hooks.flush = [] { return ++idle_rounds <= 10; };
  run_tasks(TaskingOptions(), hooks, [] {
    WaitQueue waiting;
    hook_wakes = &waiting;
    waiting.suspend();
    EXPECT_EQ(idle_rounds, 11);
    EXPECT_EQ(steals, 1);
  });
}

TEST(Hooks, NeitherSendsNorAsksWhileMessagesArrive) {
  static int received;
  received = 0;
  SchedulerHooks hooks = hooks_that_watch_steals();
  hooks.poll = [] { return ++received <= 10; };
  hooks.flush = [] {
    ++idle_rounds;
    return false;
  };
  run_tasks(TaskingOptions(), hooks, [] {
    WaitQueue waiting;
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
    EXPECT_GT(scheduler().public_tasks(), 0u);
  };
  return hooks;
}

TEST(Hooks, OffersPublicTasksBeforeItStartsThem) {
  run_tasks(TaskingOptions(), hooks_that_watch_shares(), [] {
    bool ran = false;
    const Closure body = Closure::make([&ran] {
      EXPECT_GT(shares, 0);
      ran = true;
    });
    scheduler().start_public_task(PublicTask{Task{body, current_scope()}, nullptr});
    EXPECT_EQ(shares, 0);
    while (!ran) yield();
  });
}

TEST(Hooks, OffersNothingWithoutPublicTasks) {
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

TEST(Hooks, HandlersHaveRoomOnTheirStackHoweverSmallThoseOfTasksAre) {
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

int messages_received;

TEST(Hooks, DrainResumesNoTaskWhenALaterMessageSuspends) {
  WaitQueue gate, waiting;
  handler_waits = &waiting;
  messages_received = 2;
  SchedulerHooks hooks;
  hooks.poll = [] {
    if (messages_received == 2) return false;
    if (++messages_received == 2) handler_waits->suspend();
    return true;
  };
  int ran = 0;
  TaskRunner runner(TaskingOptions(), hooks);
  runner.run([&] {
    spawn_behind(&gate, 2, [&ran](int) { ++ran; });
    gate.wake_all();
  });
  messages_received = 0;
  runner.scheduler().drain();
  EXPECT_EQ(messages_received, 2);
  EXPECT_FALSE(waiting.empty());
  EXPECT_EQ(ran, 0);
  runner.run([&] {
    waiting.wake_one();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(ran, 2);
}

TEST(Hooks, DrainLeavesPublicTasksToTheNextRun) {
  bool ran = false;
  TaskRunner runner(TaskingOptions(), hooks_with_messages(0));
  runner.run([&ran] {
    const Closure body = Closure::make([&ran] { ran = true; });
    scheduler().start_public_task(PublicTask{Task{body, current_scope()}, nullptr});
  });
  messages_left = 10;
  runner.scheduler().drain();
  EXPECT_FALSE(ran);
  runner.run([&runner] { runner.wait_for_tasks(); });
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace Grappa
