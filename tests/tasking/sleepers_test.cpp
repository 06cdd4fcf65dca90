#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/idle_time.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Sleepers, WithEqualDeadlinesWakeInOrderOfArrival) {
  VirtualClock clock;
  const uint64_t deadline_ns = clock.now_ns() + 1000000;
  std::vector<int> order, arrivals;
  run_tasks(TaskingOptions(), hooks_that_let_time_pass(&clock, 1000000), [&] {
    for (int k = 0; k < 50; ++k) {
      spawn([&order, deadline_ns, k] {
        scheduler().sleep_until(deadline_ns);
        order.push_back(k);
      });
      arrivals.push_back(k);
    }
  });
  EXPECT_EQ(order, arrivals);
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
        EXPECT_EQ(steady_ns() - start, static_cast<uint64_t>(seconds) * 1000000000);
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
