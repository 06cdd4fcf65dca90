#include "system/tasking/wait_queue.hpp"

#include "system/tasking/spawn.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

/// Spawns `n` tasks that wait in `queue` and then append their numbers. Returns when all wait.
void spawn_waiters(int n, WaitQueue* queue, std::vector<int>* order) {
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
    WaitQueue queue;
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
    WaitQueue queue;
    EXPECT_FALSE(queue.wake_one());
    queue.wake_all();
    EXPECT_TRUE(queue.empty());
  });
}

TEST(WaitQueue, WakesTheTaskThatHasWaitedLongest) {
  std::vector<int> order;
  run_tasks([&order] {
    WaitQueue queue;
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
    WaitQueue queue;
    spawn_waiters(5, &queue, &order);
    queue.wake_all();
    EXPECT_TRUE(queue.empty());
    while (order.size() < 5) yield();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(WaitQueue, WakingDoesNotSwitch) {
  run_tasks([] {
    WaitQueue queue;
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
    WaitQueue queue;
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
    WaitQueue queue;
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

TEST(WaitQueueDeathTest, MustNotBeDestroyedWhileTasksWait) {
  EXPECT_DEATH(
      {
        TaskRunner runner;
        runner.run([] {
          WaitQueue queue;
          std::vector<int> order;
          spawn_waiters(1, &queue, &order);
        });
      },
      "destroyed while tasks wait for it");
}

}  // namespace
}  // namespace Grappa
