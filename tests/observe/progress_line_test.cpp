#include "system/observe/readable.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using Grappa::detail::ProgressLine;

TEST(ProgressLine, ShowsThePercentageTheRateAndTheTimeLeft) {
  ProgressLine line("building", 100e6, "edges", 5);
  EXPECT_EQ("\rbuilding: 43%  12.3 M edges/s  5 s left\033[K", line.update(43e6, 8.5));
}

TEST(ProgressLine, IsSilentForASecond) {
  ProgressLine line("building", 1000, "edges", 5);
  EXPECT_EQ("", line.update(999, 5.99));
  EXPECT_EQ("", line.wipe());
  EXPECT_NE("", line.update(999, 6));
}

TEST(ProgressLine, IsWrittenAtMostFiveTimesASecond) {
  ProgressLine line("building", 1000, "edges", 5);
  int lines = 0;
  for (int k = 0; k <= 1000; ++k) lines += line.update(k, 6 + k * 0.001) != "";
  EXPECT_LE(lines, 6);
  EXPECT_GE(lines, 5);
}

TEST(ProgressLine, IsErasedOnce) {
  ProgressLine line("building", 1000, "edges", 5);
  line.update(10, 7);
  EXPECT_EQ("\r\033[K", line.wipe());
  EXPECT_EQ("", line.wipe());
}

TEST(ProgressLine, RoundsThePercentageDownAndTheTimeUp) {
  ProgressLine line("step", 1000, "pieces", 0);
  EXPECT_EQ("\rstep: 99%  500 pieces/s  1 s left\033[K", line.update(999, 2));
  EXPECT_EQ("\rstep: 100%  333 pieces/s  0 s left\033[K", line.update(1000, 3));
}

TEST(ProgressLine, OmitsTheTimeLeftBeforeTheFirstUnit) {
  ProgressLine line("step", 1000, "pieces", 0);
  EXPECT_EQ("\rstep: 0%  0 pieces/s\033[K", line.update(0, 2));
}

TEST(ProgressLine, ShowsAtMost100Percent) {
  ProgressLine line("step", 10, "pieces", 0);
  EXPECT_EQ("\rstep: 100%  5 pieces/s  0 s left\033[K", line.update(12, 2));
  ProgressLine nothing("step", 0, "pieces", 0);
  EXPECT_EQ("\rstep: 100%  0 pieces/s\033[K", nothing.update(1, 2));
}

}  // namespace
