#include "system/base/check.hpp"

#include <gtest/gtest.h>

namespace Grappa { namespace {

// The checks are in functions: their expansions have commas, which break macros of death tests.
void check(int have) { GRAPPA_CHECK(have == 4) << "have " << have << ", need 4"; }

TEST(Check, EvaluatesItsConditionOnce) {
  int evaluated = 0;
  GRAPPA_CHECK(++evaluated == 1) << "never printed";
  EXPECT_EQ(evaluated, 1);
}

TEST(Check, DoesNotEvaluateTheMessageIfTheConditionHolds) {
  int evaluated = 0;
  GRAPPA_CHECK(true) << ++evaluated;
  EXPECT_EQ(evaluated, 0);
}

TEST(CheckDeathTest, PrintsSourceLineConditionAndMessage) {
  EXPECT_DEATH(check(3), "check_test.cpp:[0-9]+.*have == 4.*have 3, need 4");
}

TEST(CheckDeathTest, InvariantsAreCheckedInDebugBuildsOnly) {
#ifdef NDEBUG
  bool evaluated = false;
  GRAPPA_DCHECK((evaluated = true, false)) << "never printed";
  EXPECT_FALSE(evaluated);
#else
  const auto break_it = [] { GRAPPA_DCHECK(false) << "a broken invariant"; };
  EXPECT_DEATH(break_it(), "a broken invariant");
#endif
}

}}  // namespace Grappa
