#include "system/observe/clock.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TEST(Clock, NanosecondsAreMonotonic) {
  uint64_t before = steady_ns();
  int steps_back = 0;
  for (int k = 0; k < 100000; ++k) {
    const uint64_t now = steady_ns();
    steps_back += now < before;
    before = now;
  }
  EXPECT_EQ(steps_back, 0);
}

TEST(Clock, SecondsAreBillionsOfNanoseconds) {
  const double before = static_cast<double>(steady_ns());
  const double seconds = walltime();
  const double after = static_cast<double>(steady_ns());
  const double rounding = 1e-6;
  EXPECT_GE(seconds, before * 1e-9 - rounding);
  EXPECT_LE(seconds, after * 1e-9 + rounding);
}

TEST(Clock, TicksIncreaseWhileTimePasses) {
  const uint64_t ticks_before = ticks();
  const uint64_t before = steady_ns();
  while (steady_ns() - before < 100000) {}
  EXPECT_GT(ticks(), ticks_before);
}

TEST(Clock, TheRateOfTicksIsMeasuredOnce) {
  const double rate = ticks_per_ns();
  EXPECT_GT(rate, 0);
  EXPECT_EQ(ticks_per_ns(), rate);
}

TEST(VirtualClock, AdvancesOnlyByAdvanceNs) {
  const uint64_t before = steady_ns();
  {
    VirtualClock clock(5);
    EXPECT_EQ(steady_ns(), 5u);
    EXPECT_EQ(ticks(), 5u);
    EXPECT_EQ(ticks_per_ns(), 1);
    clock.advance_ns(2000000000);
    EXPECT_EQ(steady_ns(), 2000000005u);
    EXPECT_EQ(walltime(), 2000000005 * 1e-9);
  }
  EXPECT_GE(steady_ns(), before);
}

TEST(ChargeNs, OnlyCountsOutsideOfASimulation) {
  const uint64_t before = work_done.charged_ns;
  charge_ns(5);
  EXPECT_EQ(work_done.charged_ns, before + 5);
}

TEST(ChargeMisses, OnlyCountsOutsideOfASimulation) {
  const uint64_t before = work_done.misses;
  charge_misses(5);
  EXPECT_EQ(work_done.misses, before + 5);
}

}  // namespace
}  // namespace Grappa
