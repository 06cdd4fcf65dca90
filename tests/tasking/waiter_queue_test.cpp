#include "system/tasking/waiter_queue.hpp"

#include "system/tasking/spawn.hpp"
#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa {
namespace detail {
namespace {

struct Numbered : Waiter {
  int number = 0;
};

/// Spawns `n` tasks that wait in `queue` and then append their numbers. Returns when all wait.
void spawn_waiters(int n, WaiterQueue<Numbered>* queue, std::vector<int>* order) {
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

TEST(WaiterQueue, WakesInTheOrderOfArrival) {
  std::vector<int> order;
  run_tasks([&order] {
    WaiterQueue<Numbered> queue;
    EXPECT_TRUE(queue.empty());
    spawn_waiters(3, &queue, &order);
    while (!queue.empty()) queue.wake_front();
    EXPECT_TRUE(order.empty());  // a wake-up does not switch
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(WaiterQueue, ReturnsTheNoteOfTheTaskThatHasWaitedLongest) {
  run_tasks([] {
    WaiterQueue<Numbered> queue;
    std::vector<int> order;
    spawn_waiters(3, &queue, &order);
    for (int number = 0; number < 3; ++number) {
      EXPECT_EQ(queue.front().number, number);
      queue.wake_front();
    }
    EXPECT_TRUE(queue.empty());
    settle();
  });
}

TEST(WaiterQueue, MovesWaitersToAnotherQueue) {
  std::vector<int> order;
  run_tasks([&order] {
    WaiterQueue<Numbered> from, to;
    spawn_waiters(1, &to, &order);
    spawn_waiters(3, &from, &order);
    while (!from.empty()) to.push(from.pop());
    settle();
    EXPECT_TRUE(order.empty());
    while (!to.empty()) to.wake_front();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 0, 1, 2}));
}

TEST(WaiterQueue, AcceptsWaitersAfterItWasEmptied) {
  std::vector<int> order;
  run_tasks([&order] {
    WaiterQueue<Numbered> queue;
    for (int turn = 0; turn < 3; ++turn) {
      spawn_waiters(2, &queue, &order);
      while (!queue.empty()) queue.wake_front();
      settle();
    }
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

TEST(WaiterQueue, WakesAllInTheOrderOfArrival) {
  std::vector<int> order;
  run_tasks([&order] {
    WaiterQueue<Numbered> queue;
    queue.wake_all();
    spawn_waiters(3, &queue, &order);
    queue.wake_all();
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(order.empty());
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(WaiterQueue, MayHaveWaitersWhenTheJobHasEnded) {
  WaiterQueue<Numbered> queue;
  std::vector<int> order;
  {
    TaskRunner runner;
    runner.run([&] { spawn_waiters(1, &queue, &order); });
  }
  EXPECT_FALSE(queue.empty());
}

TEST(WaiterQueueDeathTest, MustNotBeDestroyedWhileTasksWait) {
  EXPECT_DEATH(
      {
        TaskRunner runner;
        runner.run([] {
          std::vector<int> order;
          WaiterQueue<Numbered> queue;
          spawn_waiters(1, &queue, &order);
        });
      },
      "destroyed while tasks wait");
}

TEST(WaiterQueueDeathTest, RejectsWaitsOutsideTasks) {
  WaiterQueue<Numbered> queue;
  Numbered self;
  EXPECT_DEATH(queue.suspend(&self), "only a task can wait");
  TaskRunner runner;
  EXPECT_DEATH(queue.suspend(&self), "only a task can wait");
}

}  // namespace
}  // namespace detail
}  // namespace Grappa
