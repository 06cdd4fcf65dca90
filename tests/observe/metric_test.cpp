#include "system/observe/metric.hpp"

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
  return Reading::of_histogram(histogram);
}

Reading some_summary() {
  Summary summary;
  summary.add(1);
  summary.add(4);
  return Reading::of_summary(summary);
}

TEST(Reading, MergesNumbersByAddition) {
  EXPECT_EQ(
      -3, merged(Reading::of_number(-5, Total::Sum), Reading::of_number(2, Total::Sum)).as_signed);
  EXPECT_EQ(
      7u,
      merged(Reading::of_number(3u, Total::Sum), Reading::of_number(4u, Total::Sum)).as_unsigned);
  EXPECT_EQ(
      1.75,
      merged(Reading::of_number(1.5, Total::Sum), Reading::of_number(0.25, Total::Sum)).as_real);
}

TEST(Reading, MergesNumbersByMaximum) {
  EXPECT_EQ(
      -2, merged(Reading::of_number(-5, Total::Max), Reading::of_number(-2, Total::Max)).as_signed);
  EXPECT_EQ(
      -2.5,
      merged(Reading::of_number(-2.5, Total::Max), Reading::of_number(-9., Total::Max)).as_real);
  EXPECT_EQ(
      9u,
      merged(Reading::of_number(9u, Total::Max), Reading::of_number(4u, Total::Max)).as_unsigned);
}

TEST(Reading, KeepsAllDigitsOfLargeIntegers) {
  const int64_t large = (int64_t{1} << 60) + 1;
  const Reading sum =
      merged(Reading::of_number(large, Total::Sum), Reading::of_number(int64_t{1}, Total::Sum));
  EXPECT_EQ(large + 1, sum.as_signed);
  EXPECT_EQ("1152921504606846978", sum.to_text());
}

TEST(Reading, MergesTextsToTheFirstNonemptyText) {
  EXPECT_EQ("a", merged(Reading::of_text("a"), Reading::of_text("b")).text);
  EXPECT_EQ("b", merged(Reading::of_text(""), Reading::of_text("b")).text);
}

TEST(Reading, MergesHistogramsBucketByBucket) {
  const Reading both = merged(some_histogram(), some_histogram());
  EXPECT_EQ(200, both.number());
  EXPECT_EQ(2 * 32u, both.buckets[6]) << "32 to 63";
  EXPECT_EQ("200, half below 64, 99% below 128", both.to_text());
}

TEST(Reading, SurvivesSerialization) {
  const std::vector<Reading> all = {Reading::of_number(-7, Total::Max),
                                    Reading::of_number(uint64_t{1} << 63, Total::Sum),
                                    Reading::of_number(0.1, Total::Sum),
                                    some_summary(),
                                    some_histogram(),
                                    Reading::of_text(std::string("a\0b", 3)),
                                    Reading::of_text("")};
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
  Reading::of_text("cut off").append_to(&bytes);
  const char* at = bytes.data();
  EXPECT_DEATH(Reading::take_from(&at, at + bytes.size() - 1), "truncated");
}

TEST(ReadingDeathTest, RejectsMergingDifferentKinds) {
  Reading number = Reading::of_number(1, Total::Sum);
  EXPECT_DEATH(number.merge(Reading::of_text("1")), "cores have different metrics");
}

TEST(Reading, IsZeroWithoutValueOrSamples) {
  EXPECT_TRUE(Reading::of_number(0, Total::Sum).is_zero());
  EXPECT_TRUE(Reading::of_text("").is_zero());
  EXPECT_TRUE(Reading::of_histogram(Histogram()).is_zero());
  EXPECT_TRUE(Reading::of_summary(Summary()).is_zero());
  EXPECT_FALSE(Reading::of_text("0").is_zero());
  EXPECT_FALSE(some_summary().is_zero());
  Summary symmetric;
  symmetric.add(-1);
  symmetric.add(1);
  EXPECT_FALSE(Reading::of_summary(symmetric).is_zero()) << "samples around 0 are samples";
}

TEST(Reading, HasANumberExceptForTexts) {
  EXPECT_EQ(2.5, some_summary().number());
  EXPECT_EQ(100, some_histogram().number());
  EXPECT_TRUE(std::isnan(Reading::of_text("5").number()));
}

TEST(Reading, IsPrintedOnOneLine) {
  EXPECT_EQ("-7", Reading::of_number(-7, Total::Sum).to_text());
  EXPECT_EQ("0.1", Reading::of_number(0.1, Total::Sum).to_text());
  EXPECT_EQ("2 x 2.5 +- 2.12, 1 to 4", some_summary().to_text());
  EXPECT_EQ("a text", Reading::of_text("a text").to_text());
}

}  // namespace
}  // namespace Grappa
