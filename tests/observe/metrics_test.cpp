#include "system/observe/metrics.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

int64_t asked = 0;

}  // namespace

// Definitions as in a program: outside of namespace Grappa, with or without the qualifier Grappa::.
GRAPPA_DEFINE_METRIC(SimpleMetric<int64_t>, steps, 0);
GRAPPA_DEFINE_METRIC(Grappa::SimpleMetric<double>, distance, 2.5, "m", "walked, since \"home\"");
GRAPPA_DEFINE_METRIC(MaxMetric<int>, highest, -10);
GRAPPA_DEFINE_METRIC(SummarizingMetric<double>, lap_time, 0, "s", "of a lap");
GRAPPA_DEFINE_METRIC(HistogramMetric, lap_length, 0);
GRAPPA_DEFINE_METRIC(StringMetric, runner, "none");
GRAPPA_DEFINE_METRIC(CallbackMetric<int64_t>, times_asked, [] { return ++asked, asked; });
GRAPPA_DEFINE_METRIC(SimpleMetric<uint64_t>, bytes_seen, 0);
GRAPPA_DECLARE_METRIC(SimpleMetric<int64_t>, steps);

namespace {

using Grappa::detail::Metric;
using Grappa::detail::reset_metrics;

const Metric* listed(const std::string& name) {
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    if (metric->name() == name) return metric;
  }
  return nullptr;
}

TEST(Metric, IsRegisteredWithNameUnitAndMeaning) {
  ASSERT_EQ(&distance, listed("distance"));
  EXPECT_STREQ("m", distance.unit());
  EXPECT_STREQ("walked, since \"home\"", distance.meaning());
  ASSERT_EQ(&steps, listed("steps"));
  EXPECT_STREQ("", steps.unit());
  EXPECT_STREQ("", steps.meaning());
}

TEST(SimpleMetric, BehavesLikeANumber) {
  reset_metrics();
  steps++;
  ++steps;
  steps += 3;
  EXPECT_EQ(5, steps.value());
  EXPECT_EQ(5, steps++);
  EXPECT_EQ(6, steps--);
  --steps;
  steps -= 2;
  EXPECT_EQ(2, steps);
  EXPECT_EQ(4, steps * 2);
  steps = 40;
  EXPECT_EQ(40, steps.read().as_signed);
}

TEST(SimpleMetric, StartsAtItsInitialValueAndReturnsToItInAReset) {
  reset_metrics();
  EXPECT_EQ(2.5, distance);
  distance += 0.5;
  EXPECT_EQ(3, distance.value());
  distance = 7.25;
  EXPECT_EQ(7.25, distance.read().as_real);
  distance.reset();
  EXPECT_EQ(2.5, distance.value());
}

TEST(MaxMetric, KeepsTheMaximum) {
  reset_metrics();
  EXPECT_EQ(-10, highest);
  highest = -3;
  highest += -7;
  highest.add(-20);
  EXPECT_EQ(-3, highest.value());
  ++highest;
  highest++;
  EXPECT_EQ(1, highest.value()) << "++ adds the sample 1";
  highest = 4;
  EXPECT_EQ(4, highest.read().as_signed);
  EXPECT_EQ(Grappa::detail::Total::Max, highest.read().total);
}

TEST(SummarizingMetric, SummarizesSamples) {
  reset_metrics();
  lap_time += 2;
  lap_time = 5;
  lap_time.add(8.5);
  ++lap_time;
  lap_time++;
  EXPECT_EQ(15.5, lap_time.value()) << "= sets the sum to 5, and the other operations add to it";
  EXPECT_EQ(5, lap_time.count());
  EXPECT_DOUBLE_EQ(3.5, lap_time.mean());
  EXPECT_DOUBLE_EQ(17.5, lap_time.sum());
  EXPECT_EQ(1, lap_time.min());
  EXPECT_EQ(8.5, lap_time.max());
  EXPECT_EQ(lap_time.stddev(), lap_time.read().summary.stddev());
  lap_time.reset();
  EXPECT_EQ(0, lap_time.count());
  EXPECT_EQ(0, lap_time.value());
}

TEST(HistogramMetric, CountsSamples) {
  reset_metrics();
  lap_length += 400;
  lap_length = 500;
  lap_length++;
  EXPECT_EQ(1, lap_length.value());
  EXPECT_EQ(3u, lap_length.histogram().count());
  EXPECT_EQ(2u, lap_length.read().buckets[9]) << "256 to 511";
  lap_length.reset();
  EXPECT_EQ(0u, lap_length.histogram().count());
}

TEST(StringMetric, HoldsAText) {
  reset_metrics();
  EXPECT_EQ("none", runner.value());
  runner = "two ";
  runner += "words";
  EXPECT_EQ("two words", runner.read().text);
  runner.reset();
  EXPECT_EQ("none", runner.value());
}

TEST(CallbackMetric, CallsTheFunctionAtEachRead) {
  asked = 10;
  EXPECT_EQ(11, times_asked.value());
  EXPECT_EQ(12, times_asked.read().as_signed);
  times_asked.reset();
  EXPECT_EQ(13, times_asked);
}

TEST(SimpleMetric, HoldsUnsignedNumbers) {
  reset_metrics();
  bytes_seen = uint64_t{1} << 63;
  EXPECT_EQ(uint64_t{1} << 63, bytes_seen.value());
  EXPECT_EQ(uint64_t{1} << 63, bytes_seen.read().as_unsigned);
}

TEST(SummarizingMetric, SubtractsASampleFromItsSum) {
  reset_metrics();
  lap_time = 4;
  lap_time -= 2;
  EXPECT_EQ(2, lap_time.value());
  EXPECT_EQ(2, lap_time.count());
  EXPECT_EQ(2, lap_time.min()) << "the sample is not negative";
}

}  // namespace
