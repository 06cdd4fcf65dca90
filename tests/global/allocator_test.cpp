#include "system/global/allocator.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace {

using Grappa::detail::StripeAllocator;

TEST(StripeAllocator, AllocatesDisjointRanges) {
  StripeAllocator stripes(1, 100);
  const uint64_t a = stripes.allocate(10), b = stripes.allocate(20);
  EXPECT_EQ(1u, a);
  EXPECT_EQ(11u, b);
  EXPECT_EQ(70u, stripes.free_stripes());
}

TEST(StripeAllocator, RejectsTooLargeRequestsWithoutAChange) {
  StripeAllocator stripes(1, 10);
  EXPECT_EQ(uint64_t{StripeAllocator::kNone}, stripes.allocate(11));
  EXPECT_EQ(1u, stripes.allocate(10));
  EXPECT_EQ(uint64_t{StripeAllocator::kNone}, stripes.allocate(1));
}

TEST(StripeAllocator, RoundsAnEmptyRequestUpToOneStripe) {
  StripeAllocator stripes(1, 2);
  EXPECT_NE(stripes.allocate(0), stripes.allocate(0));
}

TEST(StripeAllocator, RejectsReleaseOfRangesThatAreNotAllocated) {
  StripeAllocator stripes(1, 10);
  const uint64_t a = stripes.allocate(5);
  EXPECT_FALSE(stripes.release(a + 1));
  EXPECT_TRUE(stripes.release(a));
  EXPECT_FALSE(stripes.release(a));
}

TEST(StripeAllocator, FindsTheAllocationOfAStripe) {
  StripeAllocator stripes(1, 100);
  const uint64_t a = stripes.allocate(10), b = stripes.allocate(20);
  EXPECT_EQ(nullptr, stripes.find(0));
  EXPECT_EQ(a, stripes.find(a)->first_stripe);
  EXPECT_EQ(a, stripes.find(a + 9)->first_stripe);
  EXPECT_EQ(b, stripes.find(a + 10)->first_stripe);
  EXPECT_EQ(20u, stripes.find(b + 19)->stripes);
  EXPECT_EQ(nullptr, stripes.find(b + 20));
  EXPECT_TRUE(stripes.release(a));
  EXPECT_EQ(nullptr, stripes.find(a + 3));
}

TEST(StripeAllocator, MergesAdjacentFreeRanges) {
  StripeAllocator stripes(1, 30);
  const uint64_t a = stripes.allocate(10), b = stripes.allocate(10), c = stripes.allocate(10);
  EXPECT_TRUE(stripes.release(a));
  EXPECT_TRUE(stripes.release(c));
  EXPECT_EQ(10u, stripes.largest_free_range());
  EXPECT_TRUE(stripes.release(b));
  EXPECT_EQ(30u, stripes.largest_free_range());
}

TEST(StripeAllocator, MatchesAModelOverManyRandomCalls) {
  const unsigned seed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  StripeAllocator stripes(1, 1000);
  std::map<uint64_t, uint64_t> used;  // first stripe -> stripes
  for (int k = 0; k < 20000; ++k) {
    if (used.empty() || random() % 2 == 0) {
      const uint64_t wanted = 1 + random() % 100;
      const uint64_t largest = stripes.largest_free_range();
      const uint64_t first = stripes.allocate(wanted);
      ASSERT_EQ(wanted > largest, first == StripeAllocator::kNone);
      if (first == StripeAllocator::kNone) continue;
      const auto after = used.lower_bound(first);
      if (after != used.end()) {
        ASSERT_LE(first + wanted, after->first);
      }
      if (after != used.begin()) {
        ASSERT_LE(std::prev(after)->first + std::prev(after)->second, first);
      }
      used.emplace(first, wanted);
    } else {
      auto victim = used.begin();
      std::advance(victim, random() % used.size());
      ASSERT_TRUE(stripes.release(victim->first));
      used.erase(victim);
    }
  }
  for (const auto& range : used) ASSERT_TRUE(stripes.release(range.first));
  EXPECT_EQ(1000u, stripes.largest_free_range());
}

}  // namespace
