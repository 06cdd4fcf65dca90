#include "system/global/delegate.hpp"

#include "system/global/reply.hpp"

#include "system/net/transport.hpp"
#include "tests/harness/counted.hpp"
#include "tests/harness/random_seed.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;
using namespace Grappa::detail;

int64_t on_this_core = 0;

Core last_core() { return static_cast<Core>(cores() - 1); }

TEST(Future, ReturnsTheResultOfTheCall) {
  auto words = global_alloc<int64_t>(20);
  forall(words, 20, [](int64_t i, int64_t& word) { word = 100 + i; });
  for (Core core = 0; core < cores(); ++core) {
    Future<Core> where = delegate::call_future(core, [] { return mycore(); });
    EXPECT_EQ(core, where.get());
  }
  for (int64_t k = 0; k < 20; ++k) {
    Future<int64_t> word = delegate::read_future(words + k);
    delegate::Future<int64_t> doubled =
        delegate::call_future(words + k, [](const int64_t& w) { return 2 * w; });
    delegate::Future<bool> even =
        delegate::call_future(words + k, [](int64_t* w) { return *w % 2 == 0; });
    EXPECT_EQ(100 + k, word.get());
    EXPECT_EQ(200 + 2 * k, doubled.get());
    EXPECT_EQ(k % 2 == 0, even.get());
  }
  global_free(words);
}

TEST(Future, OfAVoidCallReportsItsCompletion) {
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [] { on_this_core = 0; });
    Future<void> ended = delegate::call_future(core, [] { on_this_core = 7; });
    ended.get();
    EXPECT_TRUE(ended.ready());
    EXPECT_EQ(7, delegate::call(core, [] { return on_this_core; }));
  }
}

TEST(Future, MayBeReadRepeatedly) {
  Future<int> answer = delegate::call_future(last_core(), [] { return 42; });
  EXPECT_EQ(42, answer.get());
  EXPECT_EQ(42, answer.get());
}

TEST(Future, IsReadyWithoutBeingRead) {
  Future<int> answer = delegate::call_future(last_core(), [] { return 42; });
  EXPECT_EQ(cores() == 1, answer.ready()) << "no other task has run yet";
  while (!answer.ready()) yield();
  EXPECT_EQ(42, answer.get());
}

TEST(Future, RunsImmediatelyWithoutAMessageOnThisCore) {
  on_this_core = 1;
  const uint64_t sent = transport().buffers_sent();
  Future<int64_t> answer = delegate::call_future(mycore(), [] { return ++on_this_core; });
  EXPECT_TRUE(answer.ready());
  EXPECT_EQ(2, on_this_core);
  EXPECT_EQ(2, answer.get());
  Future<int64_t> word = delegate::read_future(make_global(&on_this_core));
  EXPECT_EQ(2, word.get());
  EXPECT_EQ(sent, transport().buffers_sent());
}

TEST(Future, SendsManyReadsOfOneTaskTogether) {
  if (cores() == 1) return;
  auto words = global_alloc<int64_t>(8 * 64 * cores());
  forall(words, 8 * 64 * cores(), [](int64_t i, int64_t& word) { word = i; });
  // If the answers are sent together, they arrive in one buffer. But a poll may send some earlier.
  static int64_t fewest;
  fewest = 1000;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const uint64_t sent = transport().buffers_sent(), received = transport().buffers_received();
    std::vector<Future<int64_t>> reads;
    std::vector<int64_t> expected;
    for (int64_t block = 0; reads.size() < 64; ++block) {
      if ((words + 8 * block).core() != last_core()) continue;
      reads.push_back(delegate::read_future(words + 8 * block));
      expected.push_back(8 * block);
    }
    for (size_t k = 0; k < reads.size(); ++k) EXPECT_EQ(expected[k], reads[k].get());
    EXPECT_LE(transport().buffers_sent() - sent, 8u) << "64 blocking reads send 64";
    fewest = std::min(fewest, static_cast<int64_t>(transport().buffers_received() - received));
  }
  EXPECT_LE(fewest, 8);
  global_free(words);
}

TEST(Future, KeepsItsAnswerWhenItIsMoved) {
  const unsigned seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  struct Numbered {
    int64_t number;
    Future<int64_t> future;
  };
  for (int round = 0; round < 20; ++round) {
    std::vector<Numbered> all;  // moves all elements when it grows
    for (int64_t k = 0; k < 100; ++k) {
      const Core core = static_cast<Core>(random() % static_cast<unsigned>(cores()));
      all.push_back(Numbered{k, delegate::call_future(core, [k] { return 1000 + k; })});
      if (random() % 8 == 0) yield();
      std::swap(all[random() % all.size()], all[random() % all.size()]);
    }
    for (Numbered& one : all) EXPECT_EQ(1000 + one.number, one.future.get());
  }
}

TEST(Future, MayBeAssignedAfterItWasRead) {
  Future<int64_t> future;
  for (int64_t k = 0; k < 100; ++k) {
    future = delegate::call_future(last_core(), [k] { return k; });
    EXPECT_EQ(k, future.get());
  }
}

TEST(Future, TakesEffectAfterDrop) {
  for (Core core = 0; core < cores(); ++core) {
    delegate::call(core, [] { on_this_core = 0; });
    finish([core] {
      for (int k = 0; k < 100; ++k) {
        Future<int64_t> answer = delegate::call_future(core, [] { return ++on_this_core; });
        answer.drop();
      }
    });
    EXPECT_EQ(100, delegate::call(core, [] { return on_this_core; }))
        << "the scope waits for calls with dropped answers";
  }
}

TEST(Future, DropKeepsTheCountOfItsScopeCorrect) {
  // The test checks the count of open work. If the count is too low, finish returns early. If the
  // count is too high, finish aborts the job or never returns.
  const unsigned seed = random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  auto count = global_alloc<int64_t>(1);
  for (int round = 0; round < 30; ++round) {
    delegate::write(count, 0);
    finish([&] {
      for (int k = 0; k < 40; ++k) {
        const Core core = static_cast<Core>(random() % static_cast<unsigned>(cores()));
        Future<void> future = delegate::call_future(core, [count, k] {
          for (int turns = k % 3; turns > 0; --turns) yield();
          for (int tasks = 0; tasks < 3; ++tasks) {  // tasks that outlive the body at the owner
            spawn([count] {
              yield();
              delegate::increment(count, 1);
            });
          }
        });
        switch (random() % 4) {
          case 0: yield(); break;
          case 1: future.get(); break;
          default: break;
        }
        future.drop();
      }
    });
    EXPECT_EQ(120, delegate::read(count));
  }
  global_free(count);
}

TEST(Future, OutlivesTheScopeOfItsCall) {
  Future<int64_t> early, late;
  finish([&] {
    early = delegate::call_future(last_core(), [] {
      spawn([] { yield(); });
      return int64_t{1};
    });
    late = delegate::call_future(last_core(), [] {
      for (int turns = 0; turns < 10; ++turns) yield();
      return int64_t{2};
    });
  });
  EXPECT_TRUE(late.ready()) << "finish waits for the call";
  EXPECT_EQ(3, early.get() + late.get());
}

TEST(Future, MayBeReadByAnotherTask) {
  for (int k = 0; k < 50; ++k) {
    Future<int64_t> future = delegate::call_future(last_core(), [k] { return int64_t{k}; });
    int64_t read = -1;
    finish([&] { spawn([&] { read = future.get(); }); });
    EXPECT_EQ(k, read);
  }
}

TEST(Future, ServesManyConcurrentTasksOfAllCores) {
  on_all_cores([] {
    forall_here(0, 300, [](int64_t k) {
      std::vector<Future<int64_t>> futures;
      for (int64_t n = 0; n < 10; ++n) {
        const int64_t mine = (k * 10 + n) * 1000 + mycore();
        futures.push_back(
            delegate::call_future(static_cast<Core>((k + n) % cores()), [mine] { return mine; }));
      }
      for (int64_t n = 9; n >= 0; --n) {
        EXPECT_EQ((k * 10 + n) * 1000 + mycore(), futures[static_cast<size_t>(n)].get());
      }
    });
  });
}

TEST(Future, WorksWithReplySlotNumbersOf17Bits) {
  detail::ReplySlots& slots = detail::reply_slots();
  std::vector<uint32_t> taken;
  for (int k = 0; k < 70000; ++k) taken.push_back(slots.give(nullptr));
  auto words = global_alloc<int64_t>(100);
  forall(words, 100, [](int64_t i, int64_t& word) { word = i; });
  std::vector<Future<int64_t>> reads;
  for (int64_t k = 0; k < 100; ++k) reads.push_back(delegate::read_future(words + k));
  for (int64_t k = 0; k < 100; ++k) EXPECT_EQ(k, reads[static_cast<size_t>(k)].get());
  global_free(words);
  for (const uint32_t number : taken) slots.take_back(number);
}

TEST(Future, MayStartInHandlers) {
  const int64_t sum = delegate::call(last_core(), [] {
    std::vector<Future<int64_t>> cores_numbers;
    for (Core core = 0; core < cores(); ++core) {
      cores_numbers.push_back(delegate::call_future(core, [] { return int64_t{mycore()}; }));
    }
    int64_t total = 0;
    for (Future<int64_t>& number : cores_numbers) total += number.get();
    return total;
  });
  EXPECT_EQ(cores() * (cores() - 1) / 2, sum);
}

TEST(Future, IsNotReadyWithoutACall) { EXPECT_FALSE(Future<int64_t>().ready()); }

}  // namespace
