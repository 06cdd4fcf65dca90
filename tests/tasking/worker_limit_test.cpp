#include "system/tasking/task_queues.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

constexpr uint64_t kPeriod = 1000;

/// A worker limit on a core without progress. The poller takes a turn every `step` ticks.
struct QuiescentCore {
  explicit QuiescentCore(int64_t num_workers) : limit(num_workers, kPeriod) {}

  void pass(uint64_t ticks, Standstill why = Standstill::Sure, uint64_t step = 10) {
    for (const uint64_t end = now + ticks; now < end; now += step) {
      limit.not_allowed(now, progress, why);
    }
  }
  int64_t most() const {
    int64_t live = 0;
    while (limit.allows(live)) ++live;
    return live;
  }

  WorkerLimit limit;
  uint64_t now = 12345;
  uint64_t progress = 7;
};

TEST(WorkerLimit, IsInitiallyTheNumberOfWorkers) {
  EXPECT_EQ(QuiescentCore(1).most(), 1);
  EXPECT_EQ(QuiescentCore(1024).most(), 1024);
}

TEST(WorkerLimit, GrowsByAQuarterPerPeriodOfStandstill) {
  QuiescentCore core(100);
  core.pass(kPeriod / 2);
  EXPECT_EQ(core.most(), 100);
  core.pass(kPeriod);
  EXPECT_EQ(core.most(), 125);
  core.pass(2 * kPeriod);
  EXPECT_EQ(core.most(), 195);
}

TEST(WorkerLimit, GrowsByAtLeastOne) {
  QuiescentCore core(1);
  core.pass(kPeriod + 100);
  EXPECT_EQ(core.most(), 2);
}

TEST(WorkerLimit, IsConstantDuringProgress) {
  QuiescentCore core(100);
  for (int k = 0; k < 100; ++k) {
    core.pass(kPeriod - 100);
    ++core.progress;
  }
  EXPECT_EQ(core.most(), 100);
}

TEST(WorkerLimit, GrowsWithTheLostTimeIfTheCauseIsUnsure) {
  QuiescentCore core(100);
  core.pass(9 * kPeriod, Standstill::Unsure);
  EXPECT_EQ(core.most(), 100);
  core.pass(2 * kPeriod, Standstill::Unsure);
  EXPECT_EQ(core.most(), 200);
  core.pass(18 * kPeriod, Standstill::Unsure);
  EXPECT_EQ(core.most(), 200);
  core.pass(2 * kPeriod, Standstill::Unsure);
  EXPECT_EQ(core.most(), 400);
  ++core.progress;
  core.pass(11 * kPeriod, Standstill::Unsure);
  EXPECT_EQ(core.most(), 800) << "the period is reset to its first value";
}

TEST(WorkerLimit, GrowsSlowlyIfAnotherCoreIsTheCause) {
  QuiescentCore core(100);
  core.pass(900 * kPeriod, Standstill::Elsewhere);
  EXPECT_EQ(core.most(), 100);
  core.pass(200 * kPeriod, Standstill::Elsewhere);
  EXPECT_EQ(core.most(), 200);
}

TEST(WorkerLimit, RequiresTurnsAndTime) {
  QuiescentCore core(100);
  core.pass(20 * kPeriod, Standstill::Sure,
            kPeriod);  // the process was descheduled
  EXPECT_EQ(core.most(), 100);
}

TEST(WorkerLimit, ReturnsToItsInitialValueWhenFewTasksAreLeft) {
  QuiescentCore core(100);
  core.pass(2 * kPeriod + 100);
  EXPECT_EQ(core.most(), 156);
  core.limit.task_ended(120);
  EXPECT_EQ(core.most(), 156);
  core.limit.task_ended(99);
  EXPECT_EQ(core.most(), 100);
}

}  // namespace
}  // namespace Grappa
