#include "system/message/append.hpp"

#include <gtest/gtest.h>

namespace {

using Grappa::detail::is_aged;
using Grappa::detail::requests_are_due;

TEST(FlushPolicy, KeepsAYoungBufferOpen) { EXPECT_FALSE(is_aged(1000, 1099, 100)); }

TEST(FlushPolicy, SendsAtExactlyTheAgeLimit) { EXPECT_TRUE(is_aged(1000, 1100, 100)); }

TEST(FlushPolicy, SendsAtOnceIfTheLimitIsZero) { EXPECT_TRUE(is_aged(1000, 1000, 0)); }

TEST(FlushPolicy, SendsIfTheClockWentBackwards) { EXPECT_TRUE(is_aged(1000, 999, 100)); }

TEST(FlushPolicy, HandlesAClockThatWrapsAround) {
  EXPECT_FALSE(is_aged(~uint64_t{0} - 9, 40, 100));
  EXPECT_TRUE(is_aged(~uint64_t{0} - 9, 90, 100));
}

TEST(FlushPolicy, SendsTheRequestOfALoneTaskAtOnce) {
  EXPECT_TRUE(requests_are_due(1, 0)) << "the main task, which is not in live_tasks";
  EXPECT_TRUE(requests_are_due(1, 1));
  EXPECT_TRUE(requests_are_due(1, 2)) << "beside a task that only yields";
  EXPECT_TRUE(requests_are_due(1, 3));
}

TEST(FlushPolicy, WaitsUntilMoreThanAQuarterOfTheTasksHaveRequests) {
  EXPECT_FALSE(requests_are_due(1, 4));
  EXPECT_FALSE(requests_are_due(256, 1024));
  EXPECT_TRUE(requests_are_due(257, 1024));
}

TEST(FlushPolicy, SendsAtTheLatestWhenAllTasksWait) {
  for (int64_t tasks = 1; tasks < 3000; ++tasks) EXPECT_TRUE(requests_are_due(tasks, tasks));
}

TEST(FlushPolicy, SendsNothingWithoutRequests) {
  EXPECT_FALSE(requests_are_due(0, 0));
  EXPECT_FALSE(requests_are_due(0, 1000));
}

TEST(FlushPolicy, CountsMoreTasksThanFitIntoAnInt) {
  EXPECT_FALSE(requests_are_due(int64_t{1} << 40, int64_t{1} << 42));
  EXPECT_TRUE(requests_are_due((int64_t{1} << 40) + 1, int64_t{1} << 42));
}

}  // namespace
