/// Tests of Scheduler::drain, which handles messages received after the last task has ended.

#include "system/tasking/poller.hpp"

#include "system/tasking/scheduler.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

WaitQueue<>* handler_waits;

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

TEST(Hooks, DrainReceivesAllMessages) {
  TaskRunner runner(TaskingOptions(), hooks_with_messages(0));
  runner.run([] {});
  polls = 0;
  messages_left = 5;
  runner.scheduler().drain();
  EXPECT_EQ(messages_left, 0);
  EXPECT_EQ(polls, 6);
}

TEST(Hooks, DrainStartsAndResumesNoTask) {
  WaitQueue<> gate;
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
  EXPECT_EQ(runner.scheduler().tasks().size(), 1u);
  runner.run([&runner] { runner.wait_for_tasks(); });
  EXPECT_EQ(ran, 3);
}

TEST(Hooks, DrainFlushesOpenBuffers) {
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

int messages_received;

TEST(Hooks, DrainResumesNoTaskWhenALaterMessageSuspends) {
  WaitQueue<> gate, waiting;
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

TEST(Hooks, DrainLeavesStealableTasksToTheNextRun) {
  bool ran = false;
  TaskRunner runner(TaskingOptions(), hooks_with_messages(0));
  runner.run([&ran] {
    const Closure body = Closure::make([&ran] { ran = true; });
    scheduler().tasks().push_stealable(StealableTask{Task{body, current_scope()}, nullptr});
  });
  messages_left = 10;
  runner.scheduler().drain();
  EXPECT_FALSE(ran);
  runner.run([&runner] { runner.wait_for_tasks(); });
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace Grappa
