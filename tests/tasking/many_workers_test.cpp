#include "system/tasking/scheduler.hpp"

#include "system/tasking/suspend.hpp"
#include "system/tasking/task.hpp"
#include "tests/harness/tasks.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(Scheduler, KeepsHalfAMillionTasksOfOneCoreAlive) {
  const int64_t kTasks = 524288;
  TaskingOptions options;
  options.num_workers = kTasks + 1;
  options.stack_bytes = 8 * KiB;
  int64_t arrived = 0, sum = 0;
  TaskRunner runner(options);
  runner.run([&] {
    WaitQueue<> gate;
    for (int64_t id = 0; id < kTasks; ++id) {
      spawn([&, id] {
        ++arrived;
        gate.suspend();
        yield();
        sum += id;
      });
    }
    while (arrived < kTasks) yield();
    EXPECT_EQ(scheduler().tasks().live(), kTasks);
    EXPECT_GE(scheduler().pool().size(), static_cast<size_t>(kTasks));
    gate.wake_all();
    EXPECT_EQ(scheduler().ready_workers(), static_cast<size_t>(kTasks));
    runner.wait_for_tasks();
  });
  EXPECT_EQ(sum, kTasks * (kTasks - 1) / 2);
}

}  // namespace
}  // namespace Grappa
