#include "system/sync/completion_event.hpp"

#include "tests/harness/tasks.hpp"
#include "tests/sync/settle.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace Grappa { namespace {

TEST(CompletionEvent, DoesNotWaitIfTheCountIsZero) {
  CompletionEvent event;
  event.wait();  // not in a task, where a suspension would abort the test
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

TEST(CompletionEvent, CountsEnrollmentsAndCompletions) {
  CompletionEvent event(1);
  event.enroll();
  event.enroll(5);
  EXPECT_EQ(event.get_count(), 7);
  event.complete(3);
  event.complete();
  EXPECT_EQ(event.get_count(), 3);
}

TEST(CompletionEvent, WakesAllWaitingTasks) {
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

TEST(CompletionEvent, IsReusableWhenTheCountIsZero) {
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

TEST(CompletionEvent, SpawnAcceptsMoveOnlyBodies) {
  struct Body {
    std::unique_ptr<int> number;
    int* result;
    void operator()() { *result = *number; }
  };
  int result = 0;
  run_tasks([&result] {
    CompletionEvent event;
    spawn(&event, Body{std::unique_ptr<int>(new int(7)), &result});
    event.wait();
  });
  EXPECT_EQ(result, 7);
}

TEST(CompletionEvent, DoesNotWakeTasksThatWaitAgain) {
  run_tasks([] {
    CompletionEvent event(1);
    bool back = false;
    spawn([&] {
      event.wait();
      event.enroll();
      event.wait();
      back = true;
    });
    settle();
    event.complete();
    settle();
    EXPECT_FALSE(back);
    event.complete();
    settle();
    EXPECT_TRUE(back);
  });
}

TEST(CompletionEvent, ResetClearsTheCountAndWakesAll) {
  run_tasks([] {
    CompletionEvent event(5), ended;
    for (int k = 0; k < 3; ++k) spawn(&ended, [&event] { event.wait(); });
    settle();
    event.reset();
    EXPECT_EQ(event.get_count(), 0);
    ended.wait();
    event.enroll(2);
    EXPECT_EQ(event.get_count(), 2);
    event.reset();
  });
}

TEST(CompletionEvent, FitsTheBlocksOfTheGlobalHeap) { EXPECT_EQ(sizeof(CompletionEvent), 16u); }

TEST(CompletionEvent, FreeFunctionsTakeReferencesAndPointers) {
  CompletionEvent event;
  enroll(event);
  enroll(&event);
  enroll(event, 10);
  enroll(&event, 100);
  EXPECT_EQ(get_count(event), 112);
  complete(event);
  complete(&event);
  complete(event, 5);
  complete(&event, 50);
  EXPECT_EQ(get_count(&event), 55);
  reset(event);
  enroll(event);
  reset(&event);
  wait(event);
  wait(&event);
}

TEST(CompletionEventDeathTest, RejectsMoreCompletionsThanEnrolled) {
  EXPECT_DEATH(
      {
        CompletionEvent event(1);
        event.complete(2);
      },
      "completed more often than enrolled: by 2 with 1 to come");
}

TEST(CompletionEventDeathTest, RejectsNegativeCounts) {
  EXPECT_DEATH(CompletionEvent(-1), "CompletionEvent: invalid count -1");
  CompletionEvent event(3);
  EXPECT_DEATH(event.enroll(-2), "enroll: invalid count -2");
  EXPECT_DEATH(event.complete(-2), "complete: invalid count -2");
}

TEST(CompletionEventDeathTest, RejectsAnOverflowOfTheCount) {
  CompletionEvent event(1);
  EXPECT_DEATH(event.enroll(std::numeric_limits<int64_t>::max()), "would overflow");
}

TEST(CompletionEvent, MayBeEnrolledAndCompletedZeroTimes) {
  CompletionEvent event(1);
  event.enroll(0);
  event.complete(0);
  EXPECT_EQ(event.get_count(), 1);
}

}}  // namespace Grappa
