#include "system/tasking/task.hpp"

#include <gtest/gtest.h>

namespace Grappa {

using namespace detail;

namespace {

struct CountingScope : TaskScope {
  CountingScope() {
    drained = [](TaskScope* scope) { ++static_cast<CountingScope*>(scope)->times_drained; };
  }
  int times_drained = 0;
};

TEST(TaskScope, IsDrainedWhenAllHaveCompleted) {
  CountingScope scope;
  scope.enroll(3);
  scope.complete(1);
  scope.complete(1);
  EXPECT_EQ(scope.times_drained, 0);
  scope.complete(1);
  EXPECT_EQ(scope.times_drained, 1);
}

TEST(TaskScope, IsDrainedEachTimeItBecomesEmpty) {
  CountingScope scope;
  for (int turn = 1; turn <= 3; ++turn) {
    scope.enroll(5);
    scope.complete(5);
    EXPECT_EQ(scope.times_drained, turn);
  }
}

TEST(TaskScope, MayBeDestroyedWhenDrained) {
  static int destroyed;
  struct OnHeap : TaskScope {
    ~OnHeap() { ++destroyed; }
  };
  destroyed = 0;
  TaskScope* scope = new OnHeap;
  scope->drained = [](TaskScope* drained) { delete static_cast<OnHeap*>(drained); };
  scope->enroll(1);
  scope->complete(1);
  EXPECT_EQ(destroyed, 1);
}

TEST(TaskScope, NoScopeIsZeroOnTheWire) {
  TaskScope scope;
  scope.wire_id = 77;
  EXPECT_EQ(wire_id(&scope), 77u);
  EXPECT_EQ(wire_id(nullptr), 0u);
}

TEST(TaskScopeDeathTest, RejectsMoreCompletionsThanEnrolled) {
  EXPECT_DEATH(
      {
        CountingScope scope;
        scope.complete(1);
      },
      "a scope was completed more often than enrolled");
}

}  // namespace
}  // namespace Grappa
