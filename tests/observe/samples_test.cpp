#include "system/observe/counters.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

Summary of(const std::vector<double>& samples) {
  Summary summary;
  for (const double sample : samples) summary.add(sample);
  return summary;
}

/// Computes the standard deviation by its definition, in two passes and with more digits.
double stddev_by_definition(const std::vector<double>& samples) {
  long double mean = 0, squares = 0;
  for (const double sample : samples) mean += sample;
  mean /= static_cast<long double>(samples.size());
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return static_cast<double>(std::sqrt(squares / static_cast<long double>(samples.size() - 1)));
}

void expect_same(const Summary& expected, const Summary& summary) {
  EXPECT_EQ(expected.count(), summary.count());
  EXPECT_NEAR(expected.mean(), summary.mean(), 1e-12 * std::abs(expected.mean()));
  EXPECT_NEAR(expected.stddev(), summary.stddev(), 1e-9 * expected.stddev());
  EXPECT_EQ(expected.min(), summary.min());
  EXPECT_EQ(expected.max(), summary.max());
}

TEST(Summary, WithoutSamplesIsZero) {
  const Summary summary;
  EXPECT_EQ(0, summary.count());
  EXPECT_EQ(0, summary.mean());
  EXPECT_EQ(0, summary.stddev());
  EXPECT_EQ(0, summary.min());
  EXPECT_EQ(0, summary.max());
}

TEST(Summary, MatchesATextbookExample) {
  const Summary summary = of({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(8, summary.count());
  EXPECT_DOUBLE_EQ(5, summary.mean());
  EXPECT_DOUBLE_EQ(40, summary.sum());
  EXPECT_DOUBLE_EQ(std::sqrt(32.0 / 7), summary.stddev());
  EXPECT_EQ(2, summary.min());
  EXPECT_EQ(9, summary.max());
}

TEST(Summary, OfOneSampleHasDeviation0) {
  const Summary summary = of({-3});
  EXPECT_EQ(-3, summary.mean());
  EXPECT_EQ(0, summary.stddev());
  EXPECT_EQ(-3, summary.min());
  EXPECT_EQ(-3, summary.max()) << "0 is not a sample";
}

TEST(Summary, IsPreciseForASmallDeviationAndALargeMean) {
  // The sum of squares minus the squared sum would have no correct digit.
  std::vector<double> samples;
  for (int k = 0; k < 1000; ++k) samples.push_back(1e9 + k % 3);
  EXPECT_NEAR(stddev_by_definition(samples), of(samples).stddev(), 1e-9);
}

TEST(Summary, OfMergedPartsEqualsTheSummaryOfAllSamples) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::normal_distribution<double> around(1e6, 3);
  std::vector<double> samples;
  for (int k = 0; k < 5000; ++k) samples.push_back(around(random));
  Summary parts[7];
  for (const double sample : samples) parts[random() % 6].add(sample);  // the last part stays empty
  Summary merged;
  for (const Summary& part : parts) merged.merge(part);
  expect_same(of(samples), merged);
  EXPECT_NEAR(stddev_by_definition(samples), merged.stddev(), 1e-9);
}

TEST(Summary, WithoutSamplesMergesToTheOther) {
  Summary nothing;
  const Summary summary = of({-1, -2});
  nothing.merge(summary);
  expect_same(summary, nothing);
  nothing.merge(Summary());
  expect_same(summary, nothing);
}

TEST(Histogram, HasABucketForEachPowerOfTwo) {
  EXPECT_EQ(0u, Histogram::bucket_of(0));
  EXPECT_EQ(1u, Histogram::bucket_of(1));
  EXPECT_EQ(2u, Histogram::bucket_of(2));
  EXPECT_EQ(2u, Histogram::bucket_of(3));
  EXPECT_EQ(3u, Histogram::bucket_of(4));
}

TEST(Histogram, HasABucketForEveryNumber) {
  EXPECT_EQ(0u, Histogram::bucket_of(-1));
  EXPECT_EQ(0u, Histogram::bucket_of(std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(Histogram::kBuckets - 1, Histogram::bucket_of(std::numeric_limits<int64_t>::max()));
}

TEST(Histogram, EndsABucketWhereTheNextBegins) {
  for (int power = 0; power < 62; ++power) {
    const int64_t first = int64_t{1} << power;
    EXPECT_EQ(static_cast<double>(first), Histogram::end_of(Histogram::bucket_of(first - 1)));
    EXPECT_EQ(Histogram::bucket_of(first - 1) + 1, Histogram::bucket_of(first));
  }
}

TEST(Histogram, CountsSamples) {
  Histogram histogram;
  for (const int64_t sample : {5, 6, 7, 8, 0}) histogram.add(sample);
  EXPECT_EQ(5u, histogram.count());
  EXPECT_EQ(1u, histogram.count(0));
  EXPECT_EQ(3u, histogram.count(3));
  EXPECT_EQ(1u, histogram.count(4));
}

}  // namespace
}  // namespace Grappa
