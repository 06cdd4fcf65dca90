#include "system/observe/histogram.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace Grappa {
namespace {

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
