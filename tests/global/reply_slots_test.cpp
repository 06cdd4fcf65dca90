#include "system/global/reply.hpp"
#include "tests/harness/random_seed.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace {

using Grappa::detail::ReplySlots;

TEST(ReplySlots, MapNumbersToSlots) {
  ReplySlots slots;
  int places[3];
  const uint32_t first = slots.give(&places[0]), second = slots.give(&places[1]);
  EXPECT_NE(first, second);
  EXPECT_EQ(&places[0], slots.at(first));
  EXPECT_EQ(&places[1], slots.at(second));
  EXPECT_EQ(&places[0], slots.take_back(first));
  EXPECT_EQ(&places[1], slots.at(second)) << "other numbers do not change";
}

TEST(ReplySlots, UseTheSmallestNumbers) {
  ReplySlots slots;
  int place;
  std::set<uint32_t> numbers;
  for (uint32_t k = 0; k < 1000; ++k) numbers.insert(slots.give(&place));
  EXPECT_EQ(1000u, numbers.size());
  EXPECT_EQ(999u, *numbers.rbegin()) << "small numbers fit beside a pointer";
}

TEST(ReplySlots, ReuseTheNumberFreedLast) {
  ReplySlots slots;
  int place;
  for (int k = 0; k < 10; ++k) slots.give(&place);
  slots.take_back(3);
  slots.take_back(8);
  slots.take_back(0);
  EXPECT_EQ(0u, slots.give(&place));
  EXPECT_EQ(8u, slots.give(&place));
  EXPECT_EQ(3u, slots.give(&place));
  EXPECT_EQ(10u, slots.give(&place)) << "a new number if none is free";
}

TEST(ReplySlots, DoNotGrowWhileSomeAreFree) {
  ReplySlots slots;
  int place;
  for (int k = 0; k < 100000; ++k) {
    const uint32_t number = slots.give(&place);
    ASSERT_EQ(0u, number);
    slots.take_back(number);
  }
}

TEST(ReplySlots, MatchAModelOverRandomCalls) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  ReplySlots slots;
  static char places[200];
  std::map<uint32_t, void*> in_use;
  size_t most = 0;
  for (int k = 0; k < 100000; ++k) {
    if (in_use.size() < 200 && random() % 2 == 0) {
      void* place = &places[random() % 200];
      ASSERT_TRUE(in_use.insert(std::make_pair(slots.give(place), place)).second);
      most = std::max(most, in_use.size());
      ASSERT_LT(in_use.rbegin()->first, most) << "not more numbers than concurrent slots";
    } else if (!in_use.empty()) {
      auto it = in_use.begin();
      std::advance(it, static_cast<long>(random() % in_use.size()));
      ASSERT_EQ(it->second, slots.at(it->first));
      ASSERT_EQ(it->second, slots.take_back(it->first));
      in_use.erase(it);
    }
  }
}

}  // namespace
