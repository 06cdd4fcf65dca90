#include "system/observe/counters.hpp"

#include <gtest/gtest.h>
#include <string>

namespace Grappa {

using namespace detail;

namespace {

Counter eggs("test.eggs", "eggs", "laid in this test");
Counter hens("test.hens", "hens", "that laid them");

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
  EXPECT_EQ(counters, metrics);
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

}  // namespace
}  // namespace Grappa
