#include "system/observe/counters.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

Reading merged(Reading first, const Reading& second) {
  first.merge(second);
  return first;
}

Reading some_histogram() {
  Histogram histogram;
  for (int64_t k = 1; k <= 100; ++k) histogram.add(k);
  return Reading(histogram);
}

Reading some_summary() {
  Summary summary;
  summary.add(1);
  summary.add(4);
  return Reading(summary);
}

TEST(Reading, MergesNumbersByAddition) {
  EXPECT_EQ(-3, merged(Reading(-5, Total::Sum), Reading(2, Total::Sum)).as_signed);
  EXPECT_EQ(7u, merged(Reading(3u, Total::Sum), Reading(4u, Total::Sum)).as_unsigned);
  EXPECT_EQ(1.75, merged(Reading(1.5, Total::Sum), Reading(0.25, Total::Sum)).as_real);
}

TEST(Reading, MergesNumbersByMaximum) {
  EXPECT_EQ(-2, merged(Reading(-5, Total::Max), Reading(-2, Total::Max)).as_signed);
  EXPECT_EQ(-2.5, merged(Reading(-2.5, Total::Max), Reading(-9., Total::Max)).as_real);
  EXPECT_EQ(9u, merged(Reading(9u, Total::Max), Reading(4u, Total::Max)).as_unsigned);
}

TEST(Reading, KeepsAllDigitsOfLargeIntegers) {
  const int64_t large = (int64_t{1} << 60) + 1;
  const Reading sum = merged(Reading(large, Total::Sum), Reading(int64_t{1}, Total::Sum));
  EXPECT_EQ(large + 1, sum.as_signed);
  EXPECT_EQ("1152921504606846978", sum.to_text());
}

TEST(Reading, MergesTextsToTheFirstNonemptyText) {
  EXPECT_EQ("a", merged(Reading("a"), Reading("b")).text);
  EXPECT_EQ("b", merged(Reading(""), Reading("b")).text);
}

TEST(Reading, MergesHistogramsBucketByBucket) {
  const Reading both = merged(some_histogram(), some_histogram());
  EXPECT_EQ(200, both.number());
  EXPECT_EQ(2 * 32u, both.buckets[6]) << "32 to 63";
  EXPECT_EQ("200, half below 64, 99% below 128", both.to_text());
}

TEST(Reading, SurvivesSerialization) {
  const std::vector<Reading> all = {Reading(-7, Total::Max),
                                    Reading(uint64_t{1} << 63, Total::Sum),
                                    Reading(0.1, Total::Sum),
                                    some_summary(),
                                    some_histogram(),
                                    Reading(std::string("a\0b", 3)),
                                    Reading("")};
  std::string bytes;
  for (const Reading& reading : all) reading.append_to(&bytes);
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (const Reading& reading : all) {
    const Reading back = Reading::take_from(&at, end);
    EXPECT_EQ(reading.kind, back.kind);
    EXPECT_EQ(reading.total, back.total);
    EXPECT_EQ(reading.as_signed, back.as_signed);
    EXPECT_EQ(reading.as_unsigned, back.as_unsigned);
    EXPECT_EQ(reading.as_real, back.as_real);
    EXPECT_EQ(reading.summary.stddev(), back.summary.stddev());
    EXPECT_EQ(reading.buckets, back.buckets);
    EXPECT_EQ(reading.text, back.text);
  }
  EXPECT_EQ(end, at);
}

TEST(ReadingDeathTest, RejectsTruncatedBytes) {
  std::string bytes;
  Reading("cut off").append_to(&bytes);
  const char* at = bytes.data();
  EXPECT_DEATH(Reading::take_from(&at, at + bytes.size() - 1), "truncated");
}

TEST(ReadingDeathTest, RejectsMergingDifferentKinds) {
  Reading number = Reading(1, Total::Sum);
  EXPECT_DEATH(number.merge(Reading("1")), "cores have different metrics");
}

TEST(Reading, IsZeroWithoutValueOrSamples) {
  EXPECT_TRUE(Reading(0, Total::Sum).is_zero());
  EXPECT_TRUE(Reading("").is_zero());
  EXPECT_TRUE(Reading(Histogram()).is_zero());
  EXPECT_TRUE(Reading(Summary()).is_zero());
  EXPECT_FALSE(Reading("0").is_zero());
  EXPECT_FALSE(some_summary().is_zero());
  Summary symmetric;
  symmetric.add(-1);
  symmetric.add(1);
  EXPECT_FALSE(Reading(symmetric).is_zero()) << "samples around 0 are samples";
}

TEST(Reading, HasANumberExceptForTexts) {
  EXPECT_EQ(2.5, some_summary().number());
  EXPECT_EQ(100, some_histogram().number());
  EXPECT_TRUE(std::isnan(Reading("5").number()));
}

TEST(Reading, IsPrintedOnOneLine) {
  EXPECT_EQ("-7", Reading(-7, Total::Sum).to_text());
  EXPECT_EQ("0.1", Reading(0.1, Total::Sum).to_text());
  EXPECT_EQ("2 x 2.5 +- 2.12, 1 to 4", some_summary().to_text());
  EXPECT_EQ("a text", Reading("a text").to_text());
}

}  // namespace
}  // namespace Grappa
