#include "system/tasking/poller.hpp"

#include "system/observe/clock.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/tasks.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

uint64_t spent_ns(Activity activity) {
  return detail::activity_time[static_cast<size_t>(activity)].ns();
}

TEST(Poller, RecordsEachMomentOnce) {
  VirtualClock clock;
  reset_metrics();
  const TaskingOptions options;
  const SchedulerHooks hooks;
  PollBudget budget(1000, 100);
  Poller activity(options, hooks, &budget, ticks());
  clock.advance_ns(5);
  activity.turn_to(Activity::Polling, ticks());
  clock.advance_ns(70);
  activity.correct(Activity::Idle);
  activity.turn_to(Activity::Polling, ticks());
  clock.advance_ns(900);
  activity.turn_to(Activity::Running, ticks());
  EXPECT_EQ(5u, spent_ns(Activity::Running));
  EXPECT_EQ(70u, spent_ns(Activity::Idle));
  EXPECT_EQ(900u, spent_ns(Activity::Polling));
}

// Time passes on this clock only in these hooks and in explicit calls of advance_ns.
VirtualClock* clock_of_test;
WaitQueue<>* waiting;
int empty_polls_left, flushes_left;
constexpr uint64_t kPollOfTheEnd = 100;  // nanoseconds; after the main task, no worker is ready

SchedulerHooks hooks_that_take_time() {
  SchedulerHooks hooks;
  hooks.poll = [] {
    clock_of_test->advance_ns(100);
    if (empty_polls_left > 0 && empty_polls_left-- > 1) return false;
    return waiting->wake_one();
  };
  hooks.steal = [] { clock_of_test->advance_ns(7000); };
  hooks.flush = [] {
    if (flushes_left == 0) return false;
    clock_of_test->advance_ns(10000);
    --flushes_left;
    return true;
  };
  return hooks;
}

class Activities : public testing::Test {
 protected:
  Activities() {
    clock_of_test = &clock_;
    waiting = &queue_;
    empty_polls_left = flushes_left = 0;
  }

  template <class F>
  void run(F body) {
    TaskRunner runner(TaskingOptions(), hooks_that_take_time());
    reset_metrics();
    const uint64_t begin_ns = clock_.now_ns();
    runner.run(body);
    runner.scheduler().turn_to(Activity::Running);
    EXPECT_EQ(clock_.now_ns() - begin_ns,
              spent_ns(Activity::Running) + spent_ns(Activity::Polling) + spent_ns(Activity::Idle));
  }

  VirtualClock clock_;
  WaitQueue<> queue_;
};

TEST_F(Activities, CountsTasksAsRunningAndInterruptingPollsAsPolling) {
  run([this] {
    for (int k = 0; k < 1000; ++k) {
      clock_.advance_ns(4000);  // a poll interval
      yield();
    }
  });
  EXPECT_EQ(4000000u, spent_ns(Activity::Running));
  EXPECT_EQ(kPollOfTheEnd, spent_ns(Activity::Idle));
  EXPECT_LE(50000u, spent_ns(Activity::Polling)) << "at least in every second turn";
}

TEST_F(Activities, CountsTimeWithoutWorkAsIdle) {
  run([this] {
    clock_.advance_ns(7);
    empty_polls_left = 50;
    queue_.suspend();
    clock_.advance_ns(70);
  });
  EXPECT_EQ(77u, spent_ns(Activity::Running));
  EXPECT_EQ(49 * 7100u + kPollOfTheEnd, spent_ns(Activity::Idle)) << "49 rounds without work";
  EXPECT_EQ(100u, spent_ns(Activity::Polling)) << "the last round";
}

TEST_F(Activities, CountsFlushesAsPolling) {
  run([this] {
    empty_polls_left = 3;
    flushes_left = 1;
    queue_.suspend();
  });
  EXPECT_EQ(7200u + kPollOfTheEnd, spent_ns(Activity::Idle));
  EXPECT_EQ(100u + 10000u, spent_ns(Activity::Polling));
}

TEST_F(Activities, CountsTimeOutsideRunAsRunning) {
  TaskRunner runner(TaskingOptions(), hooks_that_take_time());
  reset_metrics();
  clock_.advance_ns(3000);
  runner.run([] {});
  EXPECT_EQ(3000u, spent_ns(Activity::Running));
}

// If a handler suspends, ready workers run at once, within the poll that received the message.
TEST_F(Activities, DoesNotCountOtherWorkersToASuspendedHandler) {
  SchedulerHooks hooks;
  hooks.poll = [] {
    if (!waiting->wake_one()) return false;
    clock_of_test->advance_ns(30);
    scheduler().set_in_handler(true);
    scheduler().suspend();  // forever
    return true;
  };
  hooks.handler_suspends = [] {};
  TaskRunner runner(TaskingOptions(), hooks);
  reset_metrics();
  runner.run([this] {
    queue_.suspend();
    clock_.advance_ns(2000);
  });
  runner.scheduler().turn_to(Activity::Running);
  EXPECT_EQ(30u, spent_ns(Activity::Polling));
  EXPECT_EQ(2000u, spent_ns(Activity::Running));
}

}  // namespace
}  // namespace Grappa
