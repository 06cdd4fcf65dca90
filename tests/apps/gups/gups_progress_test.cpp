#include "apps/gups/gups_progress.hpp"

#include <gtest/gtest.h>

namespace gups {
namespace {

TEST(Progress, SaysNothingWithinTheFirstSecond) {
  Progress progress(100, 5);
  EXPECT_EQ(progress.done(99, 5.9), "");
}

TEST(Progress, SaysOnceASecondHowMuchIsDone) {
  Progress progress(200, 5);
  progress.done(10, 5.5);
  EXPECT_EQ(progress.done(40, 6.2), "gups: 25 % after 1 s\n");
  EXPECT_EQ(progress.done(40, 7.1), "");
  EXPECT_EQ(progress.done(10, 7.2), "gups: 50 % after 2 s\n");
}

TEST(Progress, LeavesOutSecondsInWhichNothingWasDone) {
  Progress progress(10, 0);
  EXPECT_EQ(progress.done(1, 7), "gups: 10 % after 7 s\n");
  EXPECT_EQ(progress.done(1, 7.5), "");
}

}  // namespace
}  // namespace gups
