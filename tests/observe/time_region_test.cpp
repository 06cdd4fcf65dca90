#include "system/observe/metrics.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

GRAPPA_DEFINE_METRIC(SimpleMetric<double>, outer_time, 0, "s", "in the outer region");
GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, inner_time, 0, "s", "in an inner region");

namespace Grappa {

using namespace detail;

namespace {

class TimeRegion : public testing::Test {
 protected:
  TimeRegion() { reset_metrics(); }

  void pass(uint64_t ms) { clock_.advance_ns(ms * 1000000); }

 private:
  VirtualClock clock_;
};

TEST_F(TimeRegion, AddsItsSeconds) {
  pass(1);
  int runs = 0;
  GRAPPA_TIME_REGION(outer_time) {
    ++runs;
    pass(250);
  }
  pass(1);
  EXPECT_EQ(1, runs);
  EXPECT_NEAR(0.25, outer_time, 1e-12);
  GRAPPA_TIME_REGION(outer_time) pass(500);
  EXPECT_NEAR(0.75, outer_time, 1e-12);
}

TEST_F(TimeRegion, AddsOneSamplePerExecution) {
  GRAPPA_TIME_REGION(outer_time) {
    for (uint64_t k = 1; k <= 3; ++k) {
      GRAPPA_TIME_REGION(inner_time) { pass(k); }
    }
  }
  EXPECT_EQ(3, inner_time.count());
  EXPECT_NEAR(0.002, inner_time.mean(), 1e-12);
  EXPECT_NEAR(0.006, outer_time, 1e-12);
}

int leave_by_return() {
  GRAPPA_TIME_REGION(inner_time) { return 5; }
  return 0;
}

TEST_F(TimeRegion, CountsOnEveryKindOfExit) {
  EXPECT_EQ(5, leave_by_return());
  GRAPPA_TIME_REGION(inner_time) { break; }
  GRAPPA_TIME_REGION(inner_time) { continue; }
  EXPECT_THROW(
      GRAPPA_TIME_REGION(inner_time) { throw std::runtime_error("left"); }, std::runtime_error);
  EXPECT_EQ(4, inner_time.count());
}

}  // namespace
}  // namespace Grappa
