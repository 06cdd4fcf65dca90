#include "apps/nqueens/nqueens.hpp"

#include <gtest/gtest.h>

namespace nqueens { namespace {

TEST(WrongCount, IsEmptyForThePublishedCount) {
  EXPECT_EQ("", wrong_count(1, 1));
  EXPECT_EQ("", wrong_count(3, 0));
  EXPECT_EQ("", wrong_count(8, 92));
  EXPECT_EQ("", wrong_count(12, 14200));
  EXPECT_EQ("", wrong_count(15, 2279184));
  EXPECT_EQ("", wrong_count(20, 39029188884));
}

TEST(WrongCount, NamesTheExpectedCount) {
  EXPECT_EQ("14199 solutions were found for 12 queens; expected 14200", wrong_count(12, 14199));
  EXPECT_EQ("1 solutions were found for 2 queens; expected 0", wrong_count(2, 1));
}

}}  // namespace nqueens
