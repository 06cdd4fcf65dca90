#include "system/tasking/suspend.hpp"

#include "system/tasking/task.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

/// Spawns `n` tasks that wait in `queue` and then append their numbers. Returns when all wait.
void spawn_waiters(int n, WaitQueue<>* queue, std::vector<int>* order) {
  int arrived = 0;
  for (int id = 0; id < n; ++id) {
    spawn([queue, order, id, &arrived] {
      ++arrived;
      queue->suspend();
      order->push_back(id);
    });
  }
  while (arrived < n) yield();
}

TEST(WaitQueue, IsEmptyUntilATaskWaits) {
  run_tasks([] {
    WaitQueue<> queue;
    std::vector<int> order;
    EXPECT_TRUE(queue.empty());
    spawn_waiters(1, &queue, &order);
    EXPECT_FALSE(queue.empty());
    queue.wake_one();
    EXPECT_TRUE(queue.empty());
    while (order.empty()) yield();
  });
}

TEST(WaitQueue, WakesNoTaskWhenEmpty) {
  run_tasks([] {
    WaitQueue<> queue;
    EXPECT_FALSE(queue.wake_one());
    queue.wake_all();
    EXPECT_TRUE(queue.empty());
  });
}

TEST(WaitQueue, WakesTheTaskThatHasWaitedLongest) {
  std::vector<int> order;
  run_tasks([&order] {
    WaitQueue<> queue;
    spawn_waiters(3, &queue, &order);
    for (size_t woken = 1; woken <= 3; ++woken) {
      EXPECT_TRUE(queue.wake_one());
      for (int k = 0; k < 100; ++k) yield();
      EXPECT_EQ(order.size(), woken);
    }
    EXPECT_FALSE(queue.wake_one());
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(WaitQueue, WakesAllInTheOrderOfArrival) {
  std::vector<int> order;
  run_tasks([&order] {
    WaitQueue<> queue;
    spawn_waiters(5, &queue, &order);
    queue.wake_all();
    EXPECT_TRUE(queue.empty());
    while (order.size() < 5) yield();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(WaitQueue, WakingDoesNotSwitch) {
  run_tasks([] {
    WaitQueue<> queue;
    std::vector<int> order;
    spawn_waiters(2, &queue, &order);
    queue.wake_all();
    EXPECT_TRUE(order.empty());
    while (order.size() < 2) yield();
  });
}

TEST(WaitQueue, AcceptsWaitersAfterItWasEmptied) {
  std::vector<int> order;
  run_tasks([&order] {
    WaitQueue<> queue;
    for (size_t turn = 1; turn <= 3; ++turn) {
      spawn_waiters(2, &queue, &order);
      queue.wake_all();
      while (order.size() < 2 * turn) yield();
    }
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

TEST(WaitQueue, WakeAllIgnoresTasksThatWaitAgain) {
  int turns = 0;
  run_tasks([&turns] {
    WaitQueue<> queue;
    spawn([&] {
      for (; turns < 3; ++turns) queue.suspend();
    });
    for (int woken = 0; woken < 3; ++woken) {
      while (queue.empty()) yield();
      queue.wake_all();
      EXPECT_EQ(turns, woken);
    }
  });
  EXPECT_EQ(turns, 3);
}

struct Numbered : Waiter {
  int number = 0;
};

/// Spawns `n` tasks that wait in `queue` and then append their numbers. Returns when all wait.
void spawn_noted(int n, WaitQueue<Numbered>* queue, std::vector<int>* order) {
  for (int number = 0; number < n; ++number) {
    spawn([queue, order, number] {
      Numbered self;
      self.number = number;
      queue->suspend(&self);
      order->push_back(number);
    });
  }
  settle();
}

TEST(WaitQueue, ReturnsTheNoteOfTheTaskThatHasWaitedLongest) {
  run_tasks([] {
    WaitQueue<Numbered> queue;
    std::vector<int> order;
    spawn_noted(3, &queue, &order);
    for (int number = 0; number < 3; ++number) {
      EXPECT_EQ(queue.front().number, number);
      queue.wake_front();
    }
    EXPECT_TRUE(queue.empty());
    settle();
  });
}

TEST(WaitQueue, MovesWaitersToAnotherQueue) {
  std::vector<int> order;
  run_tasks([&order] {
    WaitQueue<Numbered> from, to;
    spawn_noted(1, &to, &order);
    spawn_noted(3, &from, &order);
    while (!from.empty()) to.push(from.pop());
    settle();
    EXPECT_TRUE(order.empty());
    while (!to.empty()) to.wake_front();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 0, 1, 2}));
}

TEST(WaitQueue, MayHaveWaitersWhenTheJobHasEnded) {
  WaitQueue<Numbered> queue;
  std::vector<int> order;
  {
    TaskRunner runner;
    runner.run([&] { spawn_noted(1, &queue, &order); });
  }
  EXPECT_FALSE(queue.empty());
}

TEST(WaitQueueDeathTest, MustNotBeDestroyedWhileTasksWait) {
  EXPECT_DEATH(
      {
        TaskRunner runner;
        runner.run([] {
          WaitQueue<> queue;
          std::vector<int> order;
          spawn_waiters(1, &queue, &order);
        });
      },
      "destroyed while tasks wait for it");
}

TEST(WaitQueueDeathTest, RejectsWaitsOutsideTasks) {
  WaitQueue<Numbered> queue;
  Numbered self;
  EXPECT_DEATH(queue.suspend(&self), "only a task can wait");
  TaskRunner runner;
  EXPECT_DEATH(queue.suspend(&self), "only a task can wait");
}

}  // namespace
}  // namespace Grappa
