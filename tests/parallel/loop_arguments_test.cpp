/// Template arguments of loops: every selection compiles and has its effect.

#include "system/parallel/options.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent event;

int64_t calls = 0;    // on each core
int64_t longest = 0;  // longest range that the body received

void reset() {
  on_all_cores([] { calls = longest = 0; });
}
int64_t all_calls() {
  return sum_all_cores([] { return calls; });
}

void count_range(int64_t, int64_t count) {
  calls += count;
  longest = std::max(longest, count);
}

// Runs each loop of this test with the same arguments; async loops run in a scope.
#define EXPECT_LOOPS(...)                                          \
  do {                                                             \
    SCOPED_TRACE("forall<" #__VA_ARGS__ ">");                      \
    reset();                                                       \
    const auto words = base;                                       \
    const auto mine = make_global(&calls, 0);                      \
    finish([words, mine] {                                         \
      forall_here<__VA_ARGS__>(0, 10, [](int64_t) { ++calls; });   \
      forall<__VA_ARGS__>(0, 100, [](int64_t) { ++calls; });       \
      forall<__VA_ARGS__>(words, 1000, [](int64_t&) { ++calls; }); \
      forall<__VA_ARGS__>(mine, [](int64_t& one) { ++one; });      \
    });                                                            \
    event.wait();                                                  \
    EXPECT_EQ(1110 + cores(), all_calls());                        \
  } while (false)

class LoopArguments : public testing::Test {
 protected:
  void SetUp() override { base = global_alloc<int64_t>(1000); }
  void TearDown() override { global_free(base); }

  GlobalAddress<int64_t> base;
};

TEST_F(LoopArguments, MayBeAnyOneOfFour) {
  EXPECT_LOOPS(bound);
  EXPECT_LOOPS(unbound);
  EXPECT_LOOPS(blocking);
  EXPECT_LOOPS(async);
  EXPECT_LOOPS(&event);
  EXPECT_LOOPS(nullptr);  // as if omitted
  EXPECT_LOOPS(1);
  EXPECT_LOOPS(16);
}

TEST_F(LoopArguments, MayBeTwo) {
  EXPECT_LOOPS(unbound, async);
  EXPECT_LOOPS(unbound, &event);
  EXPECT_LOOPS(unbound, 7);
  EXPECT_LOOPS(async, &event);
  EXPECT_LOOPS(async, 7);
  EXPECT_LOOPS(&event, 7);
}

TEST_F(LoopArguments, MayBeThreeOrFour) {
  EXPECT_LOOPS(unbound, async, &event);
  EXPECT_LOOPS(unbound, async, 7);
  EXPECT_LOOPS(unbound, &event, 7);
  EXPECT_LOOPS(async, &event, 7);
  EXPECT_LOOPS(unbound, async, &event, 7);
}

TEST_F(LoopArguments, AThresholdIsTheNumberOfIterationsPerChunk) {
  reset();
  forall_here<10>(0, 95, count_range);
  EXPECT_EQ(10, longest);
  EXPECT_EQ(95, calls);
  reset();
  forall<25>(0, 10000, [](int64_t first, int64_t count) { count_range(first, count); });
  on_all_cores([] { EXPECT_EQ(25, longest); });
  EXPECT_EQ(10000, all_calls());
  reset();
  forall_here<unbound, 10>(0, 95, [](int64_t first, int64_t count) { count_range(first, count); });
  EXPECT_LE(sum_all_cores([] { return longest; }), 10 * cores());
  EXPECT_EQ(95, all_calls());
}

TEST_F(LoopArguments, WithoutAThresholdTheOptionsSetTheChunk) {
  reset();
  parallel_options().loop_threshold = 13;
  forall_here(0, 1000, count_range);
  EXPECT_EQ(13, longest);
  forall_here<20>(0, 1000, count_range);
  EXPECT_EQ(20, longest);
  parallel_options().loop_threshold = 0;
}

TEST_F(LoopArguments, AnAsyncLoopReturnsAtOnce) {
  reset();
  static bool go_on;
  go_on = false;
  finish([] {
    forall_here<async>(0, 10, [](int64_t) {
      while (!go_on) yield();
      ++calls;
    });
    EXPECT_EQ(0, calls);
    go_on = true;
  });
  EXPECT_EQ(10, calls);
}

TEST_F(LoopArguments, AnAsyncLoopOfAnEventDoesNotJoinTheCallersScope) {
  reset();
  static bool go_on;
  go_on = false;
  finish([] {  // would never end if the loop had joined this scope
    forall_here<async, &event>(0, 10, [](int64_t) {
      while (!go_on) yield();
      ++calls;
    });
  });
  EXPECT_EQ(0, calls);
  go_on = true;
  event.wait();
  EXPECT_EQ(10, calls);
}

TEST_F(LoopArguments, ABlockingLoopOfAnEventWaitsForAllOfTheEvent) {
  reset();
  const auto words = base;
  forall(words, 1000, [](int64_t& word) { word = 0; });
  spawn<&event>([] {
    yield();
    yield();
    ++calls;
  });
  forall<&event>(0, 1000, [words](int64_t i) { delegate::increment<async>(words + 999 - i, i); });
  EXPECT_EQ(1, calls);
  EXPECT_EQ(0, event.incomplete());
  forall(words, 1000, [](int64_t i, int64_t& word) { EXPECT_EQ(999 - i, word); });
}

TEST_F(LoopArguments, WhatALoopOfAnEventStartsJoinsTheEvent) {
  reset();
  forall<async, &event>(0, 50, [](int64_t) {
    spawn([] {
      yield();
      forall_here<async>(0, 3, [](int64_t) {
        yield();
        ++calls;
      });
    });
  });
  event.wait();
  EXPECT_EQ(150, all_calls());
}

}  // namespace
