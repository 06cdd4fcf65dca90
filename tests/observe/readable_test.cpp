#include "system/observe/readable.hpp"

#include <gtest/gtest.h>

#include <map>

namespace Grappa {

using namespace detail;

namespace {

void expect_texts(std::string (*readable)(double), const std::map<double, std::string>& texts) {
  for (const auto& text : texts) EXPECT_EQ(text.second, readable(text.first)) << text.first;
}

TEST(Readable, BytesHaveDecimalPrefixes) {
  expect_texts(readable_bytes, {{0, "0 B"}, {24.2, "24 B"}, {1500, "1.5 kB"}, {2.1e9, "2.1 GB"}});
  EXPECT_EQ("68.7 GB", readable_bytes(64.0 * 1024 * 1024 * 1024));
}

TEST(Readable, RatesAndMeansKeepADecimalWhileTheyAreSmall) {
  expect_texts(readable_rate,
               {{0.3, "0.3/s"}, {9.94, "9.9/s"}, {9.96, "10/s"}, {14.2e6, "14.2 M/s"}});
  expect_texts(readable_mean, {{2.5, "2.5"}, {2679, "2.7 k"}});
  EXPECT_EQ("999", readable_count(999));
}

TEST(Readable, SecondsBecomeMinutesAndHours) {
  expect_texts(readable_seconds, {{0.0123, "12.3 ms"},
                                  {0.9999, "1.00 s"},
                                  {119, "119.00 s"},
                                  {120, "2.0 min"},
                                  {10800, "3.0 h"}});
}

TEST(Readable, SmallPercentagesAboveZeroAreNotShownAsZero) {
  expect_texts(
      readable_percent,
      {{0, "0%"}, {0.01, "<1%"}, {0.5, "<1%"}, {0.51, "1%"}, {83.4, "83%"}, {100, "100%"}});
}

TEST(Readable, CountsHaveOneDecimalFromAThousandOn) {
  EXPECT_EQ("0", readable_count(0));
  EXPECT_EQ("999", readable_count(999.4));
  EXPECT_EQ("1.0 k", readable_count(999.6));
  EXPECT_EQ("12.3 M", readable_count(12.34e6));
  EXPECT_EQ("1.0 G", readable_count(999.96e6));
  EXPECT_EQ("12345.0 P", readable_count(12345e15));
}

TEST(Readable, WaitsAreRoundedUpToSecondsMinutesOrHours) {
  EXPECT_EQ("1 s", readable_wait(0.2));
  EXPECT_EQ("120 s", readable_wait(120));
  EXPECT_EQ("3 min", readable_wait(121));
  EXPECT_EQ("120 min", readable_wait(7200));
  EXPECT_EQ("3 h", readable_wait(7201));
}

}  // namespace
}  // namespace Grappa
