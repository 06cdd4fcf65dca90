#include "system/observe/tick_counter.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

TickCounter brooding("test.brooding_ns", "spent on eggs");

TEST(TickCounter, ConvertsTicksToNanoseconds) {
  brooding.reset();
  const double ticks_of_a_millisecond = 1000000 * ticks_per_ns();
  for (int k = 0; k < 1000; ++k) brooding += static_cast<uint64_t>(ticks_of_a_millisecond);
  EXPECT_NEAR(1e9, static_cast<double>(brooding.ns()), 1e4) << "1000 ms are a second";
}

TEST(TickCounter, IsAMetricWithSumAndReset) {
  const VirtualClock clock;  // its ticks are nanoseconds
  brooding.reset();
  brooding += 40;
  brooding += 2;
  EXPECT_EQ(42u, brooding.read().as_unsigned);
  EXPECT_EQ(Total::Sum, brooding.read().total);
  EXPECT_STREQ("ns", brooding.unit());
  reset_metrics();
  EXPECT_EQ(0u, brooding.ns());
}

}  // namespace
}  // namespace Grappa
