/// Tests of the poll frequency of the scheduler.

#include "system/tasking/poller.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

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
    WaitQueue<> gate;
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

WaitQueue<>* hook_wakes;  // the hooks below wake this queue

TEST(Hooks, PollsWhenAllTasksWait) {
  WaitQueue<> waiting_for_message;
  hook_wakes = &waiting_for_message;
  SchedulerHooks hooks;
  hooks.poll = [] { return hook_wakes->wake_one(); };
  int messages = 0;
  run_tasks(TaskingOptions(), hooks, [&] {
    for (; messages < 10; ++messages) waiting_for_message.suspend();
  });
  EXPECT_EQ(messages, 10);
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

TEST(Hooks, PollsOncePerPollInterval) {
  VirtualClock clock;
  clock_of_test = &clock;
  TaskingOptions options;
  options.poll_interval_ns = 4000;
  options.switches_per_poll = 1024;
  std::vector<int> turns;
  run_tasks(options, hooks_that_note_turns(&turns), [&turns] {
    for (const int ns : {100, 1000, 50}) {
      take_turns(5000, static_cast<uint64_t>(ns));
      turns.clear();  // the scheduler has now measured the time of a turn
      take_turns(5000, static_cast<uint64_t>(ns));
      const int fitting = 4000 / ns;
      ASSERT_GE(turns.size(), 10u);
      EXPECT_GE(*std::min_element(turns.begin() + 1, turns.end()), fitting - 2) << ns;
      EXPECT_LE(*std::max_element(turns.begin(), turns.end()), fitting + 1) << ns;
    }
  });
}

TEST(Hooks, AdaptsWithinTwoPollsToLongerTurns) {
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

TEST(Hooks, PollsAfterAFixedNumberOfSwitchesIfTheClockStops) {
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

TEST(Hooks, EachRunBeginsWithAFullPollInterval) {
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

TEST(Hooks, IdleTimeDoesNotCountAsTurnTime) {
  VirtualClock clock;
  clock_of_test = &clock;
  WaitQueue<> waiting;
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
  WaitQueue<> ring;
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

}  // namespace
}  // namespace Grappa
