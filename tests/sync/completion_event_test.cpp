#include "system/sync/completion_event.hpp"

#include "tests/harness/tasks.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace Grappa {
namespace {

TEST(CompletionEvent, DoesNotWaitForNothing) {
  CompletionEvent event;
  event.wait();  // outside of tasks: it would end the test if it suspended
  EXPECT_EQ(event.get_count(), 0);
}

TEST(CompletionEvent, WaitsUntilTheLastHasCompleted) {
  run_tasks([] {
    CompletionEvent event(3);
    int completed = 0;
    for (int k = 0; k < 3; ++k) {
      spawn([&] {
        yield();
        ++completed;
        event.complete();
      });
    }
    event.wait();
    EXPECT_EQ(completed, 3);
  });
}

TEST(CompletionEvent, CountsWhatIsEnrolledAndCompleted) {
  CompletionEvent event(1);
  event.enroll();
  event.enroll(5);
  EXPECT_EQ(event.get_count(), 7);
  event.complete(3);
  event.complete();
  EXPECT_EQ(event.get_count(), 3);
}

TEST(CompletionEvent, WakesAllThatWait) {
  std::vector<int> order;
  run_tasks([&order] {
    CompletionEvent gate(1), arrived(3), ended;
    for (int id = 0; id < 3; ++id) {
      spawn(&ended, [&, id] {
        arrived.complete();
        gate.wait();
        order.push_back(id);
      });
    }
    arrived.wait();
    gate.complete();
    EXPECT_TRUE(order.empty());  // complete() does not switch
    ended.wait();
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2}));
}

TEST(CompletionEvent, ServesAgainOnceItIsEmpty) {
  run_tasks([] {
    CompletionEvent event;
    for (int turn = 0; turn < 3; ++turn) {
      bool ran = false;
      spawn(&event, [&ran] { ran = true; });
      event.wait();
      EXPECT_TRUE(ran);
    }
  });
}

TEST(CompletionEvent, SpawnEnrollsBeforeTheTaskRuns) {
  run_tasks([] {
    CompletionEvent event;
    spawn(&event, [] {});
    EXPECT_EQ(event.get_count(), 1);
    event.wait();
    EXPECT_EQ(event.get_count(), 0);
  });
}

TEST(CompletionEventDeathTest, NoticesMoreCompletionsThanEnrolled) {
  EXPECT_DEATH(
      {
        CompletionEvent event(1);
        event.complete(2);
      },
      "completed more often than enrolled");
}

}  // namespace
}  // namespace Grappa
