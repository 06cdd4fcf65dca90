#include "system/tasking/poller.hpp"

#include "system/observe/clock.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

// With a virtual clock a tick is a nanosecond.

TEST(PollBudget, IsDueAfterTheInterval) {
  VirtualClock clock;
  PollBudget budget(1000, 1 << 20);
  budget.open(ticks());
  int switches = 0;
  for (; !budget.due(); ++switches) {
    budget.spend();
    clock.advance_ns(10);
  }
  EXPECT_GE(switches, 95);
  EXPECT_LE(switches, 105);
}

TEST(PollBudget, IsDueAfterTheSwitchesIfTheClockStandsStill) {
  VirtualClock clock;
  PollBudget budget(1000, 100);
  budget.open(ticks());
  int switches = 1;  // open() has spent one
  for (; !budget.due(); ++switches) budget.spend();
  EXPECT_EQ(switches, 100);
}

TEST(PollBudget, GrantsAsManySwitchesAsFittedIntoTheLastInterval) {
  VirtualClock clock;
  PollBudget budget(1000, 1 << 20);
  budget.open(ticks());
  while (!budget.due()) {
    budget.spend();
    clock.advance_ns(100);
  }
  const uint64_t elapsed_ticks = budget.poll_begins(ticks());
  budget.poll_ends(ticks(), elapsed_ticks);
  int granted = 0;
  for (; !budget.spent(); ++granted) budget.spend();
  EXPECT_GE(granted, 9);
  EXPECT_LE(granted, 11);
}

TEST(PollBudget, IsDueAtOnceWhileClosed) {
  VirtualClock clock;
  PollBudget budget(1000, 100);
  EXPECT_TRUE(budget.due());
  budget.open(ticks());
  EXPECT_FALSE(budget.due());
  budget.close();
  EXPECT_TRUE(budget.due());
}

TEST(PollBudget, TheTimeWhileClosedDoesNotCount) {
  VirtualClock clock;
  PollBudget budget(1000, 100);
  clock.advance_ns(5000);
  budget.open(ticks());
  EXPECT_FALSE(budget.interval_is_over(ticks()));
  clock.advance_ns(1000);
  EXPECT_TRUE(budget.interval_is_over(ticks()));
}

TEST(PollBudget, AsksTheClockAfterRevoke) {
  VirtualClock clock;
  PollBudget budget(1000, 100);
  budget.open(ticks());
  clock.advance_ns(1000);
  EXPECT_FALSE(budget.due()) << "switches are left, so the clock is not read";
  EXPECT_TRUE(budget.interval_is_over(ticks()));
  budget.revoke();
  EXPECT_TRUE(budget.due());
}

TEST(PollBudget, CountsTheSwitchesBetweenRecordedOnes) {
  VirtualClock clock;
  PollBudget budget(1000, 100);
  budget.open(ticks());
  budget.take_unnoted();
  for (int k = 0; k < 5; ++k) budget.spend();
  EXPECT_EQ(4u, budget.take_unnoted()) << "five switches, of which the last is recorded";
  EXPECT_EQ(0u, budget.take_unnoted());
}

}  // namespace
}  // namespace Grappa
