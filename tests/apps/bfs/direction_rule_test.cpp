#include "apps/bfs/search.hpp"

#include <gtest/gtest.h>

namespace bfs { namespace {

DirectionOptions options(double alpha, double beta) { return DirectionOptions{alpha, beta}; }

TEST(DirectionRule, StartsTopDown) {
  EXPECT_FALSE(DirectionRule(options(14, 24), 1000, 10000).bottom_up());
}

TEST(DirectionRule, SwitchesToBottomUpIfTheFrontierHasEnoughEntries) {
  DirectionRule rule(options(10, 24), 1000, 11000);
  rule.advance(1, 100);  // 10,900 entries are unexplored
  EXPECT_FALSE(rule.bottom_up());
  rule.advance(50, 900);  // 10,000 entries are unexplored, and 900 is less than a tenth
  EXPECT_FALSE(rule.bottom_up());
  rule.advance(90, 1000);  // 9,000 entries are unexplored
  EXPECT_TRUE(rule.bottom_up());
}

TEST(DirectionRule, StaysTopDownWhileTheFrontierShrinks) {
  DirectionRule rule(options(10, 24), 1000, 11000);
  rule.advance(100, 10);
  rule.advance(99, 10000);
  EXPECT_FALSE(rule.bottom_up());
}

TEST(DirectionRule, SwitchesToTopDownIfAShrinkingFrontierIsSmall) {
  DirectionRule rule(options(1000, 10), 1000, 1000);
  rule.advance(5, 100);
  ASSERT_TRUE(rule.bottom_up());
  rule.advance(20, 1);  // the frontier is small, but it grows
  EXPECT_TRUE(rule.bottom_up());
  rule.advance(500, 1);
  rule.advance(100, 1);  // exactly a tenth, so not less than a tenth
  EXPECT_TRUE(rule.bottom_up());
  rule.advance(99, 1);
  EXPECT_FALSE(rule.bottom_up());
  EXPECT_EQ(5, rule.levels().all);
  EXPECT_EQ(4, rule.levels().bottom_up);
}

TEST(DirectionRule, StaysTopDownWithoutAlpha) {
  DirectionRule rule(options(0, 24), 1000, 1000);
  rule.advance(1, 999);
  EXPECT_FALSE(rule.bottom_up());
  rule.advance(900, 1);
  EXPECT_FALSE(rule.bottom_up());
}

TEST(DirectionRule, SwitchesToBottomUpForAnyNumberAboveTheDecisiveOne) {
  for (const int64_t entries : {1001, 5000, 10000}) {
    DirectionRule rule(options(10, 24), 1000, 11000);
    rule.advance(1, 1000);
    ASSERT_EQ(1000, rule.decisive());
    rule.advance(2, entries);
    EXPECT_TRUE(rule.bottom_up()) << entries;
  }
  EXPECT_EQ(-1, DirectionRule(options(0, 24), 1000, 1000).decisive());
}

}}  // namespace bfs
