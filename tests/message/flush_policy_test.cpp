#include "system/message/flush_policy.hpp"

#include <gtest/gtest.h>

namespace {

using Grappa::is_aged;

TEST(FlushPolicy, KeepsAYoungBufferOpen) { EXPECT_FALSE(is_aged(1000, 1099, 100)); }

TEST(FlushPolicy, SendsAtExactlyTheAgeLimit) { EXPECT_TRUE(is_aged(1000, 1100, 100)); }

TEST(FlushPolicy, SendsAtOnceIfTheLimitIsZero) { EXPECT_TRUE(is_aged(1000, 1000, 0)); }

TEST(FlushPolicy, SendsWhenTheClockHasGoneBack) { EXPECT_TRUE(is_aged(1000, 999, 100)); }

TEST(FlushPolicy, SurvivesAClockThatWrapsAround) {
  EXPECT_FALSE(is_aged(~uint64_t{0} - 9, 40, 100));
  EXPECT_TRUE(is_aged(~uint64_t{0} - 9, 90, 100));
}

}  // namespace
