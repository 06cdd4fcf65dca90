#include "system/tasking/task.hpp"

#include "system/tasking/suspend.hpp"
#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace Grappa {

using namespace detail;

namespace {

TEST(Spawn, StartsNothingBeforeTheCallerSuspends) {
  int started = 0;
  run_tasks([&] {
    spawn([&] { ++started; });
    EXPECT_EQ(started, 0);
  });
  EXPECT_EQ(started, 1);
}

TEST(Spawn, StartsInTheOrderOfTheCalls) {
  std::vector<int> order;
  run_tasks([&] {
    for (int id = 0; id < 5; ++id) spawn([&order, id] { order.push_back(id); });
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(Spawn, HasNoScopeOutsideTasks) {
  TaskRunner runner;
  EXPECT_EQ(current_scope(), nullptr);
}

TEST(Spawn, JoinsTheScopeOfTheCaller) {
  run_tasks([] {
    TaskScope* scope = current_scope();
    const int64_t open = scope->open;
    spawn([scope] {
      EXPECT_EQ(current_scope(), scope);
      spawn([scope] { EXPECT_EQ(current_scope(), scope); });
      EXPECT_EQ(scope->open, 2);
    });
    EXPECT_EQ(scope->open, open + 1);
  });
}

TEST(Spawn, KeepsEachTaskInItsOwnScopeAcrossASwitch) {
  TaskScope other;
  other.drained = [](TaskScope*) {};
  run_tasks([&other] {
    TaskScope* mine = current_scope();
    scheduler().tasks().push(Closure::make([&other] {
                               for (int k = 0; k < 200; ++k) {
                                 EXPECT_EQ(current_scope(), &other);
                                 yield();
                               }
                             }),
                             &other);
    for (int k = 0; k < 200; ++k) {
      EXPECT_EQ(current_scope(), mine);
      yield();
    }
    while (other.open != 0) yield();
  });
}

TEST(Spawn, CompletesTheScopeWhenTheTaskHasEnded) {
  TaskScope other;
  other.drained = [](TaskScope*) {};
  run_tasks([&other] {
    WaitQueue<> gate;
    scheduler().tasks().push(Closure::make([&gate] { gate.suspend(); }), &other);
    EXPECT_EQ(other.open, 1);
    while (gate.empty()) yield();
    EXPECT_EQ(other.open, 1);
    gate.wake_all();
    while (other.open != 0) yield();
  });
  EXPECT_EQ(other.open, 0);
}

TEST(Spawn, CountsNothingWithoutAScope) {
  bool ran = false;
  run_tasks([&ran] {
    TaskScope* mine = current_scope();
    scheduler().tasks().push(Closure::make([&ran] {
                               EXPECT_EQ(current_scope(), nullptr);
                               ran = true;
                             }),
                             nullptr);
    EXPECT_EQ(mine->open, 0);
    while (!ran) yield();
  });
}

TEST(Spawn, DestroysTheBodyWhenTheTaskHasEnded) {
  std::shared_ptr<int> captured = std::make_shared<int>(0);
  run_tasks([&captured] {
    std::shared_ptr<int> copy = captured;
    spawn([copy] {
      yield();
      ++*copy;
    });
  });
  EXPECT_EQ(*captured, 1);
  EXPECT_EQ(captured.use_count(), 1);
}

}  // namespace
}  // namespace Grappa
