#include "system/tasking/task_queues.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

constexpr uint64_t kPeriod = 1000;

/// A worker limit on a core without progress. The poller takes a turn every `step` ticks.
struct QuiescentCore {
  explicit QuiescentCore(int64_t num_workers) : QuiescentCore(num_workers, num_workers) {}
  QuiescentCore(int64_t busy_workers, int64_t num_workers)
      : limit(busy_workers, num_workers, kPeriod) {}

  void pass(uint64_t ticks, Standstill why = Standstill::Sure, uint64_t step = 10) {
    for (const uint64_t end = now + ticks; now < end; now += step) {
      limit.not_allowed(now, progress, why);
    }
  }
  // `times` standstills of `standstill_ticks` each, with `busy_ticks` of progress between them.
  void wait_for_replies(int times, uint64_t standstill_ticks, uint64_t busy_ticks) {
    for (int k = 0; k < times; ++k) {
      pass(standstill_ticks, Standstill::Replies, 1);
      for (const uint64_t end = now + busy_ticks; now < end; ++now) {
        limit.not_allowed(now, ++progress, Standstill::Replies);
      }
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

TEST(WorkerLimit, IsInitiallyLowerForABusyCore) {
  EXPECT_EQ(QuiescentCore(256, 1024).most(), 256);
  EXPECT_EQ(QuiescentCore(256, 7).most(), 7);
}

TEST(WorkerLimit, OfABusyCoreGrowsQuicklyToTheNumberOfWorkers) {
  for (const auto why : {Standstill::Sure, Standstill::Unsure}) {
    QuiescentCore core(100, 400);
    core.pass(4, why, 1);
    EXPECT_EQ(core.most(), 100);
    core.pass(4, why, 1);
    EXPECT_EQ(core.most(), 150);
    core.pass(kPeriod / 2, why, 1);
    EXPECT_EQ(core.most(), 400) << "a further growth takes a period or more";
  }
}

TEST(WorkerLimit, OfABusyCoreGrowsInRepeatedStandstillsIfItWaitsForReplies) {
  QuiescentCore core(100, 400);
  core.wait_for_replies(7, 100, 190);
  EXPECT_EQ(core.most(), 100);
  core.wait_for_replies(1, 100, 190);
  EXPECT_EQ(core.most(), 150);
  core.wait_for_replies(8 * 9, 100, 190);
  EXPECT_EQ(core.most(), 400);
}

TEST(WorkerLimit, OfABusyCoreIsConstantIfStandstillsAreRareOrShort) {
  QuiescentCore rare(100, 400);
  rare.wait_for_replies(1000, 100, 210);
  EXPECT_EQ(rare.most(), 100);
  QuiescentCore brief(100, 400);
  brief.wait_for_replies(1000, 4, 10);
  EXPECT_EQ(brief.most(), 100);
}

TEST(WorkerLimit, OfABusyCoreHidesNoDeadlock) {
  QuiescentCore core(100, 150);
  core.pass(12 * kPeriod, Standstill::Replies);
  EXPECT_EQ(core.most(), 150) << "num_workers is a step on the way";
  core.pass(40 * kPeriod, Standstill::Replies);
  EXPECT_GE(core.most(), 300);
}

TEST(WorkerLimit, OfABusyCoreGrowsIfNoTaskEndsForLong) {
  QuiescentCore core(100, 200);
  core.limit.none_started(core.now, 5);
  core.limit.none_started(core.now += 9 * kPeriod, 5);
  EXPECT_EQ(core.most(), 100);
  core.limit.none_started(core.now += kPeriod, 5);
  EXPECT_EQ(core.most(), 150);
  core.limit.none_started(core.now += 9 * kPeriod, 5);
  core.limit.none_started(core.now += kPeriod, 6);
  EXPECT_EQ(core.most(), 150) << "a task has started";
  for (int k = 0; k < 5; ++k) core.limit.none_started(core.now += 10 * kPeriod, 6);
  EXPECT_EQ(core.most(), 200);
}

TEST(WorkerLimit, OfABusyCoreReturnsByHalfOfItsGrowthPerPhase) {
  QuiescentCore core(100, 400);
  core.pass(kPeriod / 2, Standstill::Sure, 1);
  EXPECT_EQ(core.most(), 400);
  for (const int64_t most : {250, 175, 137}) {
    for (int64_t live = 399; live >= 0; --live) core.limit.task_ended(live);
    EXPECT_EQ(core.most(), most);
  }
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
