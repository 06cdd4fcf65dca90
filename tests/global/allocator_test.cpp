#include "system/global/allocator.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace {

using Grappa::detail::RowAllocator;

TEST(RowAllocator, GivesOutDisjointRanges) {
  RowAllocator rows(1, 100);
  const uint64_t a = rows.allocate(10), b = rows.allocate(20);
  EXPECT_EQ(1u, a);
  EXPECT_EQ(11u, b);
  EXPECT_EQ(70u, rows.free_rows());
}

TEST(RowAllocator, RefusesWhatDoesNotFitAndStaysAsItWas) {
  RowAllocator rows(1, 10);
  EXPECT_EQ(uint64_t{RowAllocator::kNone}, rows.allocate(11));
  EXPECT_EQ(1u, rows.allocate(10));
  EXPECT_EQ(uint64_t{RowAllocator::kNone}, rows.allocate(1));
}

TEST(RowAllocator, CountsAnEmptyRequestAsOneRow) {
  RowAllocator rows(1, 2);
  EXPECT_NE(rows.allocate(0), rows.allocate(0));
}

TEST(RowAllocator, NoticesWhatIsFreedTwiceOrWasNeverAllocated) {
  RowAllocator rows(1, 10);
  const uint64_t a = rows.allocate(5);
  EXPECT_FALSE(rows.release(a + 1));
  EXPECT_TRUE(rows.release(a));
  EXPECT_FALSE(rows.release(a));
}

TEST(RowAllocator, KnowsWhichAllocationARowIsIn) {
  RowAllocator rows(1, 100);
  const uint64_t a = rows.allocate(10), b = rows.allocate(20);
  EXPECT_EQ(nullptr, rows.find(0));
  EXPECT_EQ(a, rows.find(a)->first_row);
  EXPECT_EQ(a, rows.find(a + 9)->first_row);
  EXPECT_EQ(b, rows.find(a + 10)->first_row);
  EXPECT_EQ(20u, rows.find(b + 19)->rows);
  EXPECT_EQ(nullptr, rows.find(b + 20));
  EXPECT_TRUE(rows.release(a));
  EXPECT_EQ(nullptr, rows.find(a + 3));
}

TEST(RowAllocator, MergesWithBothNeighbours) {
  RowAllocator rows(1, 30);
  const uint64_t a = rows.allocate(10), b = rows.allocate(10), c = rows.allocate(10);
  EXPECT_TRUE(rows.release(a));
  EXPECT_TRUE(rows.release(c));
  EXPECT_EQ(10u, rows.largest_free_range());
  EXPECT_TRUE(rows.release(b));
  EXPECT_EQ(30u, rows.largest_free_range());
}

TEST(RowAllocator, AgreesWithAModelOverManyRandomCalls) {
  const unsigned seed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  RowAllocator rows(1, 1000);
  std::map<uint64_t, uint64_t> used;  // first row -> rows
  for (int k = 0; k < 20000; ++k) {
    if (used.empty() || random() % 2 == 0) {
      const uint64_t wanted = 1 + random() % 100;
      const uint64_t largest = rows.largest_free_range();
      const uint64_t first = rows.allocate(wanted);
      ASSERT_EQ(wanted > largest, first == RowAllocator::kNone);
      if (first == RowAllocator::kNone) continue;
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
      ASSERT_TRUE(rows.release(victim->first));
      used.erase(victim);
    }
  }
  for (const auto& range : used) ASSERT_TRUE(rows.release(range.first));
  EXPECT_EQ(1000u, rows.largest_free_range());
}

}  // namespace
