#include "apps/common/statistics.hpp"

#include <gtest/gtest.h>

namespace apps { namespace {

TEST(Summary, InterpolatesQuartilesBetweenRanks) {
  const Summary s = summarize({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.first_quartile, 1.75);
  EXPECT_DOUBLE_EQ(s.median, 2.5);
  EXPECT_DOUBLE_EQ(s.third_quartile, 3.25);
  EXPECT_DOUBLE_EQ(s.max, 4);
}

TEST(Summary, TakesQuartilesAtRanksExactly) {
  const Summary s = summarize({50, 10, 40, 20, 30});
  EXPECT_DOUBLE_EQ(s.first_quartile, 20);
  EXPECT_DOUBLE_EQ(s.median, 30);
  EXPECT_DOUBLE_EQ(s.third_quartile, 40);
}

TEST(Summary, HasMeanAndDeviationOfASample) {
  const Summary s = summarize({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_NEAR(s.stddev, 2.138089935299395, 1e-12);  // sqrt(32 / 7)
}

TEST(Summary, OfOneValueHasNoDeviation) {
  const Summary s = summarize({7});
  for (const double value : {s.min, s.first_quartile, s.median, s.third_quartile, s.max, s.mean}) {
    EXPECT_DOUBLE_EQ(value, 7);
  }
  EXPECT_DOUBLE_EQ(s.stddev, 0);
}

TEST(HarmonicSummary, IsTheMeanOfRatesOverEqualWork) {
  // At the rates 1, 2 and 4, three units of work take the time 1 + 1/2 + 1/4.
  EXPECT_DOUBLE_EQ(summarize_rates({1, 2, 4}).mean, 3 / 1.75);
}

TEST(HarmonicSummary, HasTheStandardErrorOfNorris) {
  // The inverses 1, 1/2 and 1/4 have the sample deviation sqrt(7/48). The standard error is this
  // deviation times mean^2 / sqrt(2).
  EXPECT_NEAR(summarize_rates({1, 2, 4}).stddev, 0.7935600855193298, 1e-12);
}

TEST(HarmonicSummary, OfEqualRatesHasNoError) {
  const HarmonicSummary s = summarize_rates({8, 8, 8});
  EXPECT_DOUBLE_EQ(s.mean, 8);
  EXPECT_DOUBLE_EQ(s.stddev, 0);
  EXPECT_DOUBLE_EQ(summarize_rates({8}).stddev, 0);
}

TEST(HarmonicSummary, IsZeroIfARateIsZero) {
  EXPECT_EQ(summarize_rates({8, 0}).mean, 0);
  EXPECT_EQ(summarize_rates({8, 0}).stddev, 0);
}

}}  // namespace apps
