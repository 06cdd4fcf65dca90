#include "structures/global_counter.hpp"

#include "system/message/aggregator.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

TEST(GlobalCounter, BeginsWithItsInitialValue) {
  const auto zero = GlobalCounter::create();
  const auto some = GlobalCounter::create(-17);
  EXPECT_EQ(0, zero->count());
  EXPECT_EQ(-17, some->count());
  zero->destroy();
  some->destroy();
}

TEST(GlobalCounter, AddsUpIncrementsOfAllCores) {
  const auto counter = GlobalCounter::create(1000);
  on_all_cores([counter] {
    counter->incr();
    counter->incr(10 + mycore());
    counter->incr(-3);
  });
  EXPECT_EQ(1000 + 8 * cores() + cores() * (cores() - 1) / 2, counter->count());
  counter->destroy();
}

TEST(GlobalCounter, CountsTheSameOnEveryCore) {
  const auto counter = GlobalCounter::create();
  counter->incr(5);
  on_all_cores([counter] { EXPECT_EQ(5, counter->count()); });
  counter->destroy();
}

TEST(GlobalCounter, CountsFromTasksAndHandlersOfAllCores) {
  const auto counter = GlobalCounter::create();
  forall(0, 100000, [counter](int64_t i) {
    counter->incr();
    if (i % 100 == 0) {
      const Core next = static_cast<Core>((mycore() + 1) % cores());
      delegate::call<async>(next, [counter, i] { counter->incr(i); });
    }
  });
  int64_t sum = 100000;
  for (int64_t i = 0; i < 100000; i += 100) sum += i;
  EXPECT_EQ(sum, counter->count());
  counter->destroy();
}

TEST(GlobalCounter, AddsWithoutAMessage) {
  const auto counter = GlobalCounter::create();
  aggregator().flush_all(FlushCause::LatencyCritical);  // only sent messages are counted
  const Gain messages("message.messages");
  for (int k = 0; k < 100; ++k) counter->incr(k);
  aggregator().flush_all(FlushCause::LatencyCritical);
  EXPECT_EQ(0u, messages.value());
  EXPECT_EQ(4950, counter->count());
  counter->destroy();
}

TEST(GlobalCounter, NeverCountsDownWhileCoresAdd) {
  const auto counter = GlobalCounter::create();
  finish([counter] {
    forall<async>(0, 1000, [counter](int64_t) {
      counter->incr();
      yield();
    });
    int64_t before = 0;
    for (int k = 0; k < 20; ++k) {
      const int64_t now = counter->count();
      EXPECT_LE(before, now);
      EXPECT_LE(now, 1000);
      before = now;
    }
  });
  EXPECT_EQ(1000, counter->count());
  counter->destroy();
}

TEST(GlobalCounter, IsResetOnAllCores) {
  const auto counter = GlobalCounter::create(3);
  on_all_cores([counter] { counter->incr(7); });
  counter->reset();
  EXPECT_EQ(0, counter->count());
  on_all_cores([counter] { counter->incr(2); });
  EXPECT_EQ(2 * cores(), counter->count());
  const Core last = static_cast<Core>(cores() - 1);
  delegate::call(last, [counter] { counter->reset(40); });
  EXPECT_EQ(40, counter->count());
  counter->destroy();
}

TEST(GlobalCounter, FreesAllMemory) {
  const size_t before = heap_bytes_free();
  GlobalCounter::create()->destroy();
  EXPECT_EQ(before, heap_bytes_free());
}

}  // namespace
