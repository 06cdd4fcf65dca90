/// Growth of the number of workers beyond num_workers.

#include "system/tasking/scheduler.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/idle_time.hpp"
#include "tests/harness/tasks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Scheduler, CreatesTheNeededWorkersQuickly) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 16;
  const int kTasks = 5000;
  int arrived = 0;
  TaskRunner runner(options, hooks_that_let_time_pass(&clock, 10000));
  const uint64_t start = clock.now_ns();
  runner.run([&] {
    WaitQueue<> gate;
    for (int id = 0; id < kTasks; ++id) {
      spawn([&] {
        if (++arrived == kTasks) {
          gate.wake_all();
        } else {
          gate.suspend();
        }
      });
    }
    runner.wait_for_tasks();
  });
  EXPECT_EQ(arrived, kTasks);
  EXPECT_LT(clock.now_ns() - start, uint64_t{100} * 1000000) << "27 periods of a millisecond";
}

TEST(Scheduler, HelperTasksDoNotAddWorkersDuringProgress) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 4;
  int64_t most_live = 0;
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&] {
    for (int id = 0; id < 100; ++id) {
      const auto body = [&most_live] {
        for (int k = 0; k < 3; ++k) {
          most_live = std::max(most_live, scheduler().tasks().live());
          sleep_for(0.005);
        }
      };
      scheduler().tasks().push_helper(Closure::make(body), current_scope());
    }
  });
  EXPECT_EQ(most_live, 4);
}

TEST(Scheduler, SleepingTasksDoNotAddWorkers) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 4;
  int64_t most_live = 0;
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&most_live] {
    for (int id = 0; id < 100; ++id) {
      spawn([&most_live] {
        most_live = std::max(most_live, scheduler().tasks().live());
        sleep_for(0.005);
      });
    }
  });
  EXPECT_EQ(most_live, 4);
}

TEST(Scheduler, CreatesWorkersWhenAllWorkersWait) {
  TaskingOptions options;
  options.num_workers = 1;
  const int kTasks = 50;
  TaskRunner runner(options);
  int arrived = 0;
  runner.run([&] {
    WaitQueue<> gate;
    for (int id = 0; id < kTasks; ++id) {
      spawn([&] {
        if (++arrived == kTasks) {
          gate.wake_all();
        } else {
          gate.suspend();
        }
      });
    }
    runner.wait_for_tasks();
  });
  EXPECT_EQ(arrived, kTasks);
  EXPECT_GE(runner.scheduler().pool().size(), static_cast<size_t>(kTasks));
}

TEST(Scheduler, CreatesNoWorkersWhileSomeCanRun) {
  TaskingOptions options;
  options.num_workers = 4;
  options.growth_period_ns = int64_t{1} << 50;
  int64_t most_live = 0;
  run_tasks(options, [&most_live] {
    for (int id = 0; id < 100; ++id) {
      spawn([&most_live] {
        for (int k = 0; k < 300; ++k) {
          most_live = std::max(most_live, scheduler().tasks().live());
          yield();
        }
      });
    }
  });
  EXPECT_EQ(most_live, options.num_workers);
}

TEST(Scheduler, ExceedsItsLimitAfterAPeriodWithoutProgress) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 1;
  const uint64_t period = static_cast<uint64_t>(options.growth_period_ns);
  WaitQueue<> gate;
  uint64_t last_event = clock.now_ns();
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&] {
    spawn([&] {
      sleep_for(0.0005);  // progress delays the growth
      last_event = clock.now_ns();
      gate.suspend();
    });
    spawn([&] {
      EXPECT_GE(clock.now_ns(), last_event + period);
      EXPECT_LE(clock.now_ns(), last_event + period + period / 10);
      gate.wake_one();
    });
  });
}

TEST(Scheduler, CountsAllWorkersAndThoseBeyondTheLimit) {
  const uint64_t grown = counted("tasking.grown"), made = counted("tasking.workers");
  TaskingOptions options;
  options.num_workers = 3;
  TaskRunner runner(options);
  runner.run([&runner] {
    int arrived = 0;
    WaitQueue<> gate;
    for (int k = 0; k < 10; ++k) {
      spawn([&] {
        ++arrived;
        gate.suspend();
      });
    }
    Worker* self = scheduler().current();
    spawn([self] { scheduler().wake(self); });
    scheduler().suspend();
    EXPECT_EQ(arrived, 10);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  EXPECT_EQ(counted("tasking.workers") - made, runner.scheduler().pool().size());
  EXPECT_EQ(counted("tasking.grown") - grown, 11u - 3u);
}

/// Returns how many periods a queued task waits while the only started task waits for each of
/// `reasons`, one after the other. All waits but the last are short.
uint64_t periods_until_growth(const std::vector<WaitReason::Kind>& reasons) {
  VirtualClock clock;
  TaskingOptions options;
  options.num_workers = 1;
  uint64_t begun = 0, ended = 0;
  WaitQueue<> gate;
  run_tasks(options, hooks_that_let_time_pass(&clock, 10000), [&] {
    spawn([&] {
      for (const WaitReason::Kind kind : reasons) {
        begun = clock.now_ns();
        gate.suspend(WaitReason(kind));
      }
    });
    for (size_t k = 1; k < reasons.size(); ++k) {
      while (gate.empty()) yield();
      gate.wake_one();
    }
    while (gate.empty()) yield();
    spawn([&] {
      ended = clock.now_ns();
      gate.wake_one();
    });
  });
  return (ended - begun) / static_cast<uint64_t>(options.growth_period_ns);
}

TEST(Waiting, ForOtherCoresDelaysGrowth) {
  for (const auto kind :
       {WaitReason::Kind::Delegate, WaitReason::Kind::Transfer, WaitReason::Kind::Collective}) {
    const uint64_t periods = periods_until_growth({kind});
    EXPECT_GE(periods, 10u);
    EXPECT_LE(periods, 11u);
  }
}

TEST(Waiting, ForABufferDelaysGrowthLonger) {
  const uint64_t periods = periods_until_growth({WaitReason::Kind::Buffer});
  EXPECT_GE(periods, 1000u);
  EXPECT_LE(periods, 1010u);
}

TEST(Waiting, DelaysGrowthOnlyWhileItLasts) {
  const uint64_t periods = periods_until_growth(
      {WaitReason::Kind::Delegate, WaitReason::Kind::Buffer, WaitReason::Kind::Event});
  EXPECT_LE(periods, 2u);
}

TEST(Waiting, ForABufferDelaysHelperTasks) {
  run_tasks([] {
    bool ran = false;
    WaitQueue<> gate;
    spawn([&gate] { gate.suspend(WaitReason(WaitReason::Kind::Buffer)); });
    while (gate.empty()) yield();
    scheduler().tasks().push_helper(Closure::make([&ran] { ran = true; }), current_scope());
    for (int k = 0; k < 10000; ++k) yield();
    EXPECT_FALSE(ran) << "the helper task would only wait for a buffer";
    gate.wake_one();
    while (!ran) yield();
  });
}

}  // namespace
}  // namespace Grappa
