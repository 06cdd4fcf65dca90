#include "system/observe/counters.hpp"

#include <gtest/gtest.h>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

Counter eggs("test.eggs", "eggs", "laid in this test");
Counter hens("test.hens", "hens", "that laid them");
TickCounter brooding("test.brooding_ns", "spent on eggs");

int times_listed(const Counter* wanted) {
  int times = 0;
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    times += counter == wanted;
  }
  return times;
}

TEST(Counter, IsRegisteredOnceByItsDefinition) {
  EXPECT_EQ(times_listed(&eggs), 1);
  EXPECT_EQ(times_listed(&hens), 1);
}

TEST(Counter, HasNameUnitAndMeaning) {
  EXPECT_EQ(std::string(eggs.name()), "test.eggs");
  EXPECT_EQ(std::string(eggs.unit()), "eggs");
  EXPECT_EQ(std::string(eggs.meaning()), "laid in this test");
}

TEST(Counter, AddsUp) {
  eggs.reset();
  hens.reset();
  ++eggs;
  eggs += 41;
  EXPECT_EQ(eggs.value(), 42u);
  EXPECT_EQ(hens.value(), 0u);
}

TEST(Counter, RestartsAt0AfterAReset) {
  eggs += 3;
  eggs.reset();
  EXPECT_EQ(eggs.value(), 0u);
  ++eggs;
  EXPECT_EQ(eggs.value(), 1u);
}

TEST(Counter, IsAMetric) {
  int counters = 0, metrics = 0;
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    ++counters;
  }
  for (const Metric* metric = Metric::first(); metric != nullptr; metric = metric->next()) {
    ++metrics;
  }
  EXPECT_EQ(counters + 1, metrics) << "brooding is a TickCounter";
  hens.reset();
  hens += 3;
  EXPECT_EQ(3u, hens.read().as_unsigned);
}

TEST(Counter, OfAStateKeepsItsValueInAReset) {
  static Counter room("test.room", "nests", "current number");
  room.set(7);
  reset_metrics();
  EXPECT_EQ(7u, room.value());
}

TEST(Counter, OfAMaximumRestartsAfterAReset) {
  static Counter most("test.most", "eggs", "at a time", Counter::Total::Max);
  most.raise_to(4);
  most.raise_to(3);
  EXPECT_EQ(4u, most.value());
  reset_metrics();
  most.raise_to(1);
  EXPECT_EQ(1u, most.value());
}

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
