/// Workers beyond num_workers end when they are no longer needed.

#include "system/tasking/scheduler.hpp"

#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"
#include "system/observe/clock.hpp"
#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/idle_time.hpp"
#include "tests/harness/tasks.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/prctl.h>

namespace Grappa {

using namespace detail;

namespace {

TaskingOptions with_workers(int64_t num_workers) {
  TaskingOptions options;
  options.num_workers = num_workers;
  options.idle_rounds_before_sleep = options.idle_rounds_before_yield;  // sleeps return at once
  return options;
}

/// Runs `tasks` tasks, each of which waits until all have started. Then sleeps for ten seconds.
void crowd_and_rest(TaskRunner* runner, int tasks) {
  runner->run([runner, tasks] {
    int arrived = 0;
    WaitQueue<> gate;
    for (int id = 0; id < tasks; ++id) {
      spawn([&arrived, &gate, tasks] {
        if (++arrived == tasks) {
          gate.wake_all();
        } else {
          gate.suspend();
        }
      });
    }
    runner->wait_for_tasks();
    EXPECT_EQ(arrived, tasks);
    sleep_for(10);
  });
  runner->scheduler().pool().count_stacks();
}

TEST(Scheduler, EndsWorkersThatAreNoLongerNeeded) {
  // Without this call, the kernel may replace the pages of packed stacks by huge pages at any time.
  ASSERT_EQ(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
  for (const size_t stack_bytes : {256 * KiB, 16 * KiB}) {  // guarded, packed
    VirtualClock clock;
    TaskingOptions options = with_workers(16);
    options.stack_bytes = stack_bytes;
    options.packed_above_workers = 0;
    const int kTasks = 3000;
    const bool packed = stack_bytes < options.packed_below_bytes;
    const uint64_t kept_bytes = (packed ? kTasks + 400 : 400) * page_bytes();
    const uint64_t made = counted("tasking.workers"), ended = counted("tasking.workers_ended");
    TaskRunner runner(options, hooks_that_let_time_pass(&clock, 10000));
    crowd_and_rest(&runner, 10);
    const uint64_t resident = counted("tasking.stack_resident");
    for (int round = 1; round <= 3; ++round) {
      crowd_and_rest(&runner, kTasks);
      EXPECT_LE(runner.scheduler().pool().size(), 100u);
      EXPECT_GE(counted("tasking.workers_ended") - ended, round * (kTasks - 100u));
      EXPECT_LE(counted("tasking.workers") - made, kTasks + 10u) << "stacks are reused";
      EXPECT_LE(counted("tasking.stack_resident"), resident + kept_bytes);
    }
  }
}

GRAPPA_NOINLINE void use_100_kib() {
  volatile char frame[100 * KiB];
  frame[0] = 1;
  EXPECT_EQ(frame[0], 1);
}

TEST(Scheduler, KeepsTheHighWaterMarkOfEndedWorkers) {
  VirtualClock clock;
  TaskRunner runner(with_workers(16), hooks_that_let_time_pass(&clock, 10000));
  crowd_and_rest(&runner, 1000);
  const uint64_t shallow = counted("tasking.stack_high_water");
  runner.run([&runner] {
    WaitQueue<> gate;
    for (int id = 0; id < 1000; ++id) {
      spawn([&gate, id] {
        gate.suspend();
        if (id == 500) use_100_kib();
      });
    }
    sleep_for(10);
    gate.wake_all();
    runner.wait_for_tasks();
  });
  crowd_and_rest(&runner, 1);
  EXPECT_LE(runner.scheduler().pool().size(), 100u);
  EXPECT_GT(counted("tasking.stack_high_water"), shallow + 90 * KiB);
}

TEST(Scheduler, KeepsNumWorkersWorkers) {
  VirtualClock clock;
  const uint64_t ended = counted("tasking.workers_ended");
  TaskRunner runner(with_workers(1000), hooks_that_let_time_pass(&clock, 10000));
  crowd_and_rest(&runner, 1000);
  EXPECT_EQ(counted("tasking.workers_ended"), ended);
  crowd_and_rest(&runner, 1030);
  EXPECT_EQ(counted("tasking.workers_ended"), ended) << "kExtraWorkers more are kept";
  EXPECT_GE(runner.scheduler().pool().size(), 1030u);
}

TEST(Scheduler, EndsNoWorkersWhileManyTasksAreLive) {
  VirtualClock clock;
  const uint64_t ended = counted("tasking.workers_ended");
  TaskRunner runner(with_workers(16), hooks_that_let_time_pass(&clock, 10000));
  runner.run([&] {
    WaitQueue<> first, second;
    int arrived = 0;
    for (int id = 0; id < 1000; ++id) {
      spawn([&, id] {
        ++arrived;
        (id < 16 ? first : second).suspend();
      });
    }
    sleep_for(10);
    EXPECT_EQ(arrived, 1000);
    second.wake_all();
    sleep_for(10);
    EXPECT_EQ(counted("tasking.workers_ended"), ended) << "the limit has not shrunk";
    first.wake_all();
    runner.wait_for_tasks();
  });
}

}  // namespace
}  // namespace Grappa
