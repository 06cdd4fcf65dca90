/// Measures the latency of requests and answers in yields instead of seconds. The job runs with
/// --steal=false, because otherwise idle cores send steal requests.

#include "system/global/reply.hpp"

#include "system/net/transport.hpp"
#include "system/tasking/scheduler.hpp"
#include "tests/harness/counted.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <vector>

#include <sched.h>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

// Each core has its own instances, at the same addresses.
bool stop = false;
uint64_t yields = 0;
uint64_t sent_before = 0;  // buffers sent before the delegate
uint64_t received_before = 0;
int64_t yields_until_sent = -1;
int64_t yields_until_received = -1;

/// The body of a task that yields repeatedly. It records the number of yields until its core sends
/// a buffer, and the number of yields until its core receives a buffer.
void yield_and_watch() {
  while (!stop) {
    yield();
    if (++yields % 16 == 0) ::sched_yield();  // another core may need this processor
    if (yields_until_sent < 0 && transport().buffers_sent() != sent_before) {
      yields_until_sent = static_cast<int64_t>(yields);
    }
    if (yields_until_received < 0 && transport().buffers_received() != received_before) {
      yields_until_received = static_cast<int64_t>(yields);
    }
  }
}

void watch_from_here() {
  yields = 0;
  sent_before = transport().buffers_sent();
  received_before = transport().buffers_received();
  yields_until_sent = yields_until_received = -1;
}

Core last_core() { return static_cast<Core>(cores() - 1); }

TEST(Reply, IsNotDelayedByATaskThatOnlyYields) {
  if (cores() == 1) return;
  stop = false;
  yields = 0;
  finish([] {
    spawn(yield_and_watch);
    while (yields == 0) yield();
    for (int k = 0; k < 50; ++k) {
      watch_from_here();
      const Gain polls("message.polls"), aged("message.flushed_aged");
      delegate::call(last_core(), [] {});
      EXPECT_LE(yields_until_sent, 1) << "the request was sent when its task suspended";
      EXPECT_GE(yields_until_sent, 0);
      EXPECT_GE(yields_until_received, 0);
      EXPECT_LE(static_cast<int64_t>(yields) - yields_until_received, 2)
          << "the answer woke the task immediately";
      EXPECT_LE(yields, (polls.value() + 1) *
                            static_cast<uint64_t>(scheduler().options().switches_per_poll))
          << "the network is polled between yields";
      EXPECT_EQ(0u, aged.value());
    }
    stop = true;
  });
}

TEST(Reply, IsSentImmediatelyByAnOwnerWithAYieldingTask) {
  if (cores() == 1) return;
  finish([] {
    delegate::call<async>(last_core(), [] {
      stop = false;
      spawn(yield_and_watch);
    });
    while (!delegate::call(last_core(), [] { return yields > 0; })) yield();
    for (int k = 0; k < 50; ++k) {
      const uint64_t aged =
          delegate::call(last_core(), [] { return counted("message.flushed_aged"); });
      delegate::call(last_core(), watch_from_here);
      // yield_and_watch() has already observed the answer of the preceding call.
      EXPECT_LE(delegate::call(last_core(), [] { return yields_until_sent; }), 1);
      EXPECT_GE(delegate::call(last_core(), [] { return yields_until_sent; }), 0);
      EXPECT_EQ(aged, delegate::call(last_core(), [] { return counted("message.flushed_aged"); }));
    }
    delegate::call(last_core(), [] { stop = true; });
  });
}

TEST(Reply, WorksWithReplySlotNumbersOf17Bits) {
  detail::ReplySlots& slots = detail::reply_slots();
  std::vector<uint32_t> taken;
  for (int k = 0; k < 70000; ++k) taken.push_back(slots.give(nullptr));
  auto words = global_alloc<int64_t>(1000);
  Grappa::memset(words, 0, 1000);
  for (const int64_t turn : {0, 1}) {
    forall_here(0, 1000, [words, turn](int64_t k) {
      EXPECT_EQ(turn * (k + 1), delegate::fetch_and_add(words + k, k));
      EXPECT_EQ(turn * (k + 1) + k, delegate::fetch_and_add(words + k, 1));
      EXPECT_EQ((turn + 1) * (k + 1), delegate::read(words + k));
      EXPECT_EQ((words + k).core(), delegate::call((words + k).core(), [] { return mycore(); }));
    });
  }
  global_free(words);
  for (const uint32_t number : taken) slots.take_back(number);
}

TEST(Reply, WakesTheRequestingTask) {
  // Many concurrent calls are answered in any order and reuse slot numbers.
  on_all_cores([] {
    forall_here(0, 2000, [](int64_t k) {
      const int64_t mine = k * 1000 + mycore();
      const Core dest = static_cast<Core>(k % cores());
      EXPECT_EQ(mine, delegate::call(dest, [mine] {
                  for (int64_t turns = mine / 1000 % 3; turns > 0; --turns) yield();
                  return mine;
                }));
    });
  });
}

}  // namespace
