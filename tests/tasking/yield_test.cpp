/// The ways in which a task gives way and stays ready.

#include "system/tasking/scheduler.hpp"

#include "system/tasking/spawn.hpp"
#include "system/tasking/wait_queue.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>

namespace Grappa {
namespace {

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

}  // namespace
}  // namespace Grappa
