/// Tests the template arguments of loops. Each selection of arguments must compile and have its
/// effect.

#include "system/parallel/options.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>

Grappa::GlobalCompletionEvent event_of_program;  // is outside of all namespaces, as in a program

namespace {

using namespace Grappa;
using namespace Grappa::detail;

GlobalCompletionEvent event;

int64_t calls = 0;    // each core has its own instance
int64_t longest = 0;  // length of the longest range that the body received

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

// Runs all loops of this macro with the same template arguments. Async loops run in a scope.
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

// Calls each overload once. All other tests of loops omit arguments at the end.
TEST_F(LoopArguments, MayBeAnySubset) {
  EXPECT_LOOPS(unbound, async, &event, 7);
  EXPECT_LOOPS(unbound, async, 7);
  EXPECT_LOOPS(unbound, &event, 7);
  EXPECT_LOOPS(unbound, 7);
  EXPECT_LOOPS(async, &event, 7);
  EXPECT_LOOPS(async, 7);
  EXPECT_LOOPS(&event, 7);
  EXPECT_LOOPS(16);
}

TEST_F(LoopArguments, MayBeTheDefaults) { EXPECT_LOOPS(bound, blocking, nullptr, 0); }

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
  finish([] {  // would not end if the loop had joined this scope
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

TEST_F(LoopArguments, AThresholdLimitsTheElementsOfACall) {
  reset();
  const auto words = base;
  forall<3>(words, 1000, [](int64_t, int64_t count, int64_t*) { count_range(0, count); });
  on_all_cores([] { EXPECT_LE(longest, 3); });
  EXPECT_EQ(1000, all_calls());
}

TEST_F(LoopArguments, SuitEveryFormOfBody) {
  const auto words = base;
  forall(words, 1000, [](int64_t& word) { word = 0; });
  reset();
  forall_here<unbound, async, &event, 7>(
      10, 20, [](int64_t first, int64_t count) { count_range(first, count); });
  forall<unbound, async, &event, 7>(
      10, 90, [](int64_t first, int64_t count) { count_range(first, count); });
  forall<unbound, async, &event, 7>(words, 1000, [](int64_t i, int64_t& word) { word = i; });
  forall<unbound, async, &event, 7>(
      words, 1000, [](int64_t, int64_t count, int64_t*) { count_range(0, count); });
  event.wait();
  EXPECT_EQ(20 + 90 + 1000, all_calls());
  forall(words, 1000, [](int64_t i, int64_t& word) { EXPECT_EQ(i, word); });
}

TEST_F(LoopArguments, SuitFewerIterationsThanCores) {
  const auto words = base;
  for (const int64_t few : {0, 1, 2}) {
    reset();
    forall<&event>(0, few, [](int64_t) { ++calls; });
    forall<&event>(words, few, [](int64_t&) { ++calls; });
    forall<async, &event>(0, few, [](int64_t) { ++calls; });
    forall<async, &event>(words, few, [](int64_t&) { ++calls; });
    event.wait();
    EXPECT_EQ(4 * few, all_calls());
  }
}

TEST_F(LoopArguments, AnAsyncLoopOverAllCoresReturnsAtOnce) {
  reset();
  static FullEmpty<int64_t> gate;  // each core has its own instance
  finish([] {
    forall<async>(0, 4 * cores(), [](int64_t) { calls += gate.readFF(); });
    EXPECT_EQ(0, all_calls());
    on_all_cores([] { gate.writeEF(1); });
  });
  EXPECT_EQ(4 * cores(), all_calls());
  on_all_cores([] { gate.reset(); });
}

FullEmpty<int64_t> gate_of_first;  // each core has its own instance

TEST_F(LoopArguments, EventsAreIndependent) {
  reset();
  on_all_cores([] { spawn<&event>([] { calls += gate_of_first.readFE(); }); });
  for (int64_t round = 1; round <= 3; ++round) {
    finish<&event_of_program>([] {
      forall<async>(0, 30, [](int64_t) {
        yield();
        ++calls;
      });
    });
    EXPECT_EQ(30 * round, all_calls()) << "the tasks of the first event still wait";
  }
  on_all_cores([] { gate_of_first.writeEF(1000); });
  event.wait();
  EXPECT_EQ(90 + 1000 * cores(), all_calls());
}

TEST_F(LoopArguments, LoopsOfTwoEventsAndOfAScopeNest) {
  reset();
  const auto count = [](int64_t) {
    yield();
    ++calls;
  };
  finish<&event>([count] {
    finish<&event_of_program>([count] { forall<async>(0, 20, count); });
    EXPECT_EQ(20, all_calls());
    finish([count] { forall<async>(0, 20, count); });
    EXPECT_EQ(40, all_calls());
    forall<async>(0, 10, [count](int64_t) {
      forall<async, &event_of_program>(0, 5, count);
      forall<async, &event>(0, 5, count);
      forall(0, 5, count);
    });
  });
  event_of_program.wait();
  EXPECT_EQ(40 + 150, all_calls());
}

TEST_F(LoopArguments, AnEventIsResetOnAllCores) {
  on_all_cores([] { event.enroll(10 + mycore()); });
  on_all_cores([] { event.reset(); });
  event.wait();
  on_all_cores([] { EXPECT_EQ(0, event.incomplete()); });
}

}  // namespace
