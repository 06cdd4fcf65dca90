#include "system/tasking/sleepers.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/spawn.hpp"
#include "tests/harness/idle_time.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Sleepers, AreDueInOrderOfDeadline) {
  Sleepers sleepers;
  StackArea area(8 * KiB, StackPlacement::Packed, 4);
  Worker a(0, area.take()), b(1, area.take()), c(2, area.take()), d(3, area.take());
  sleepers.add(30, &a);
  sleepers.add(10, &b);
  sleepers.add(20, &c);
  sleepers.add(10, &d);
  EXPECT_EQ(sleepers.next_due(9), nullptr);
  EXPECT_EQ(sleepers.next_due(10), &b);
  EXPECT_EQ(sleepers.next_due(10), &d) << "equal deadlines: first arrival first";
  EXPECT_EQ(sleepers.next_due(10), nullptr);
  EXPECT_EQ(sleepers.next_due(30), &c);
  EXPECT_EQ(sleepers.next_due(30), &a);
  EXPECT_TRUE(sleepers.empty());
}

TEST(Sleepers, WithEqualDeadlinesAreDueInOrderOfArrival) {
  Sleepers sleepers;
  StackArea area(8 * KiB, StackPlacement::Packed, 1);
  const Stack stack = area.take();
  const auto worker = [&stack](size_t k) {  // only the address is used
    return reinterpret_cast<Worker*>(stack.bottom() + 64 * k);
  };
  for (size_t k = 0; k < 50; ++k) sleepers.add(7, worker(k));
  for (size_t k = 0; k < 50; ++k) EXPECT_EQ(sleepers.next_due(7), worker(k));
}

TEST(Sleepers, WakeAtTheirDeadline) {
  VirtualClock clock;
  const uint64_t start = clock.now_ns();
  std::vector<int> order;
  run_tasks(TaskingOptions(), hooks_that_let_time_pass(&clock, 1000000), [&] {
    for (int seconds : {3, 1, 2}) {
      spawn([&, seconds] {
        sleep_for(seconds);
        order.push_back(seconds);
        const uint64_t slept = steady_ns() - start;
        EXPECT_GE(slept, static_cast<uint64_t>(seconds) * 1000000000);
        EXPECT_LE(slept, static_cast<uint64_t>(seconds) * 1000000000 + 1000000);
      });
    }
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Sleepers, WakeWhileOtherWorkersYield) {
  VirtualClock clock;
  bool awake = false;
  int64_t yields = 0;
  run_tasks([&] {
    spawn([&awake] {
      sleep_for(1);
      awake = true;
    });
    while (!awake && yields < 1000000) {
      clock.advance_ns(10000);
      ++yields;
      yield();
    }
  });
  EXPECT_TRUE(awake);
  EXPECT_GE(yields, 100000);
}

TEST(Sleepers, AnElapsedDeadlineIsAYield) {
  VirtualClock clock;
  std::vector<int> order;
  run_tasks(TaskingOptions(), hooks_that_let_time_pass(&clock, 1000000), [&order] {
    spawn([&order] {
      sleep_for(-1);
      order.push_back(1);
      sleep_for(0);
      order.push_back(2);
    });
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(Sleepers, AnInfiniteTimeIsLongerThanAllOthers) {
  VirtualClock clock;
  bool awake = false;
  TaskRunner runner(TaskingOptions(), hooks_that_let_time_pass(&clock, 1000000));
  runner.run([&awake] {
    spawn([&awake] {
      sleep_for(std::numeric_limits<double>::infinity());
      awake = true;
    });
    sleep_for(1);
    EXPECT_FALSE(awake);
  });
}

TEST(SleepersDeathTest, RejectANaN) {
  EXPECT_DEATH(run_tasks([] { sleep_for(std::numeric_limits<double>::quiet_NaN()); }),
               "not a number");
}

}  // namespace
}  // namespace Grappa
